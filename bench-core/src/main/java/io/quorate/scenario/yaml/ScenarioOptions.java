// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.Operation;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A scenario that options on a command line describe instead of a file: one operation, such as
 * {@code put}, or a mix, such as {@code get=95,put=5}. The options become the text of a scenario
 * file, so that the same parser checks them and the same file repeats the run.
 *
 * @param operations an operation or a mix
 * @param options values by the names in {@link #NAMES}; those that are missing have defaults
 * @param databases in the order of the columns; empty for etcd, ZooKeeper and Consul, as far as
 *     they have the operations
 */
public record ScenarioOptions(
    String operations, Map<String, String> options, List<Store> databases) {
  public static final String CLIENTS = "clients";
  public static final String REQUESTS = "requests";
  public static final String DURATION = "duration";
  public static final String RATE = "rate";
  public static final String KEYS = "keys";
  public static final String KEY_SIZE = "key.size";
  public static final String VALUE_SIZE = "value.size";
  public static final String DATA_SIZE = "data.size";
  public static final String KEY_DISTRIBUTION = "key.distribution";
  public static final String CONSISTENCY = "consistency";
  public static final String RANGE = "range";
  public static final String THRESHOLD = "threshold";
  public static final String COLD_START = "cold-start";
  public static final String CONNECTIONS = "connections";
  public static final String WARM_UP = "warm-up";
  public static final String TIMEOUT = "timeout";
  public static final String SEED = "seed";
  public static final String MEMBERS = "members";
  public static final String KUBERNETES = "kubernetes";

  /** The names of all options, as system properties. */
  public static final List<String> NAMES =
      List.of(
          CLIENTS,
          REQUESTS,
          DURATION,
          RATE,
          KEYS,
          KEY_SIZE,
          VALUE_SIZE,
          KEY_DISTRIBUTION,
          CONSISTENCY,
          RANGE,
          THRESHOLD,
          COLD_START,
          CONNECTIONS,
          WARM_UP,
          TIMEOUT,
          SEED,
          MEMBERS);

  /** The names of options that replace numbers of a Kubernetes cluster in a file. */
  public static final List<String> OF_KUBERNETES =
      List.of(KUBERNETES, "nodes", "pods.per.node", "pod.changes", "api.servers", "crd.size");

  /** The names of all options that replace numbers in the file of a scenario. */
  public static final List<String> OF_FILES =
      Stream.concat(
              Stream.of(CLIENTS, REQUESTS, DURATION, RATE, VALUE_SIZE, DATA_SIZE, THRESHOLD),
              OF_KUBERNETES.stream())
          .toList();

  private static final String DATABASE = "database";
  private static final List<String> COMPARED = List.of("etcd", "zookeeper", "consul");
  private static final Pattern MIX = Pattern.compile("[a-z-]+=[^,=/]*(,[a-z-]+=[^,=/]*)*");
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.@%/+-]*");
  private static final Pattern NOT_IN_NAMES = Pattern.compile("[^A-Za-z0-9.]+");
  private static final int MAX_NAME = 60;
  private static final String USUAL_RANGE = "10";
  private static final Pattern FEWER = Pattern.compile("[1-9][0-9]?");
  private static final Map<String, String> DEFAULTS =
      Map.of(
          CLIENTS, "100", REQUESTS, "10_000", KEYS, "10_000", KEY_SIZE, "256", VALUE_SIZE, "1KiB");
  private static final List<String> WALKS = List.of("sequential", "random");

  /**
   * Returns whether a text is an operation or a mix, and not the name of a scenario or of a file.
   */
  public static boolean isOperations(String text) {
    return MIX.matcher(text).matches() || Operation.named(text).isPresent();
  }

  /** Returns the name of the scenario, which names the directory of its results. */
  public String name() {
    String name = NOT_IN_NAMES.matcher(operations).replaceAll("-");
    return name.substring(0, Math.min(MAX_NAME, name.length())).replaceAll("-$", "");
  }

  /** Returns the file in which messages say a problem is. */
  public String file() {
    return name() + ".yaml";
  }

  /**
   * Returns the text of the scenario.
   *
   * @throws QuorateException with every option whose value is wrong
   */
  public String text() {
    Lines lines = new Lines();
    lines.add("title", "", scalar(title()));
    if (operations.contains("=")) {
      lines.add("mix", "", "");
      for (String share : operations.split(",", -1)) {
        String[] parts = share.split("=", 2);
        lines.add("  " + parts[0], "", scalar(parts[1]));
      }
    } else {
      lines.add("operation", "", operations);
    }
    if (has(Operation.RANGE) || options.containsKey(RANGE)) {
      addRange(lines);
    }
    if (options.containsKey(REQUESTS) || !options.containsKey(DURATION)) {
      lines.add(REQUESTS, REQUESTS, scalar(value(REQUESTS)));
    }
    addKeysOfTheirNames(lines, DURATION, WARM_UP, COLD_START);
    if (usesKeys()) {
      addKeys(lines);
    }
    addKeysOfTheirNames(lines, CONSISTENCY, TIMEOUT, SEED, MEMBERS);
    addLoad(lines);
    lines.add(
        "databases",
        DATABASE,
        chosen().stream().map(Store::id).collect(Collectors.joining(", ", "[", "]")));
    option(THRESHOLD).ifPresent(text -> addThresholds(lines, text));
    lines.requireValid(file());
    return lines.text();
  }

  /** Adds the options whose names are those of keys of a scenario. */
  private void addKeysOfTheirNames(Lines lines, String... names) {
    for (String name : names) {
      option(name).ifPresent(text -> lines.add(name, name, scalar(text)));
    }
  }

  /** Adds the number of keys of a range, then the other keys of its section. */
  private void addRange(Lines lines) {
    String[] parts = option(RANGE).orElse(USUAL_RANGE).split(",", -1);
    lines.add("range", RANGE, "");
    lines.add("  keys", RANGE, scalar(parts[0].strip()));
    for (String part : Arrays.asList(parts).subList(1, parts.length)) {
      String[] pair = part.strip().split("=", 2);
      lines.add("  " + scalar(pair[0]), RANGE, pair.length == 1 ? "true" : scalar(pair[1]));
    }
  }

  private void addKeys(Lines lines) {
    lines.add("keys", "", "");
    lines.add("  size", KEY_SIZE, scalar(value(KEY_SIZE)));
    option(KEY_DISTRIBUTION)
        .ifPresent(text -> lines.add("  distribution", KEY_DISTRIBUTION, scalar(text)));
    if (options.containsKey(KEYS) || needsCount()) {
      lines.add("  count", KEYS, scalar(value(KEYS)));
    } else if (has(Operation.ELECT)) {
      lines.add("  count", KEYS, "1");
    }
    lines.add("values", "", "");
    lines.add("  size", VALUE_SIZE, scalar(value(VALUE_SIZE)));
  }

  /** Returns whether a scenario of these options needs a number of keys. */
  private boolean needsCount() {
    boolean drawn = option(KEY_DISTRIBUTION).filter(each -> !WALKS.contains(each)).isPresent();
    boolean endless = options.containsKey(DURATION) && !options.containsKey(RATE);
    return drawn || endless && !has(Operation.DELETE) || has(Operation.RANGE);
  }

  private void addLoad(Lines lines) {
    lines.add("load", "", "");
    Optional<String> rate = option(RATE);
    if (rate.isEmpty()) {
      lines.addItem(CLIENTS, "  " + steps("steps", CLIENTS, value(CLIENTS)));
      addConnections(lines, CONNECTIONS);
      return;
    }
    lines.addItem(RATE, "  " + steps("rates", RATE, rates(rate.get())));
    if (options.containsKey(CLIENTS) && options.containsKey(CONNECTIONS)) {
      throw new QuorateException(
          "--clients: with --rate it is the number of connections, as --connections is: leave one"
              + " out");
    }
    addConnections(lines, options.containsKey(CLIENTS) ? CLIENTS : CONNECTIONS);
  }

  private void addConnections(Lines lines, String option) {
    option(option).ifPresent(text -> lines.add("  connections", option, scalar(text)));
  }

  /** Returns rates, of which those that are only a number are per second. */
  static String rates(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .map(each -> each.matches("[0-9_]+") ? each + "/s" : each)
        .collect(Collectors.joining(","));
  }

  /** Returns the line with an amount of the load, or with several, of which each is a step. */
  static String steps(String several, String one, String text) {
    return text.contains(",") ? several + ": " + list(text) : one + ": " + scalar(text);
  }

  private static void addThresholds(Lines lines, String text) {
    lines.add("thresholds", "", "");
    for (String threshold : text.split(",", -1)) {
      lines.addItem(THRESHOLD, "  - " + quoted(threshold.strip()));
    }
  }

  private List<Store> chosen() {
    if (!databases.isEmpty()) {
      return databases;
    }
    List<Store> able =
        COMPARED.stream()
            .flatMap(id -> Stores.byId(id).stream())
            .filter(store -> named().stream().allMatch(store.capabilities()::can))
            .filter(store -> !has(Operation.RANGE) || store.capabilities().range().isByPrefix())
            .toList();
    return able.isEmpty() ? List.of(Stores.byId(COMPARED.get(0)).orElseThrow()) : able;
  }

  private List<Operation> named() {
    return Arrays.stream(operations.split(",", -1))
        .flatMap(each -> Operation.named(each.replaceFirst("=.*", "")).stream())
        .toList();
  }

  private boolean has(Operation operation) {
    return named().contains(operation);
  }

  private boolean usesKeys() {
    return named().isEmpty() || !named().stream().allMatch(Operation::isOfLeases);
  }

  private String value(String option) {
    return option(option)
        .orElseGet(
            () ->
                // fewer requests than the usual clients need no other option
                option.equals(CLIENTS)
                        && FEWER.matcher(options.getOrDefault(REQUESTS, "")).matches()
                    ? options.getOrDefault(REQUESTS, "")
                    : Objects.requireNonNull(DEFAULTS.get(option)));
  }

  private Optional<String> option(String name) {
    return Optional.ofNullable(options.get(name));
  }

  private String title() {
    String clients = spaced(value(CLIENTS));
    return VisibleText.of(
        spaced(operations.replace("=", " "))
            + option(RATE)
                .map(rate -> " at " + spaced(rate.replace("/s", "")) + "/s")
                .orElse(" with " + clients + (clients.equals("1") ? " client" : " clients")));
  }

  private static String spaced(String list) {
    return list.replaceAll(", *", ", ");
  }

  private static String list(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(each -> scalar(each.strip()))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  static String scalar(String text) {
    return PLAIN.matcher(text).matches() ? text : quoted(text);
  }

  static String quoted(String text) {
    return "'" + VisibleText.of(text).replace("'", "''") + "'";
  }

  /** The lines of the text, and the option that each one comes from. */
  private static final class Lines {
    private final List<String> all = new ArrayList<>();
    private final Map<Integer, String> options = new LinkedHashMap<>();

    void add(String key, String option, String value) {
      addItem(option, key + ":" + (value.isEmpty() ? "" : " " + value));
    }

    void addItem(String option, String line) {
      all.add(line);
      if (!option.isEmpty()) {
        options.put(all.size(), "--" + option.replace('.', '-'));
      }
    }

    String text() {
      return String.join("\n", all) + "\n";
    }

    /** Reports problems by option: the person has not seen the lines of the file. */
    void requireValid(String file) {
      try {
        ScenarioReader.read(file, text(), 1);
      } catch (InvalidScenarioException wrong) {
        throw new QuorateException(
            wrong.problems().stream()
                .map(
                    each ->
                        "%s: found %s, expected %s"
                            .formatted(
                                options.getOrDefault(each.line(), all.get(each.line() - 1).strip()),
                                each.found(),
                                each.expected()))
                .collect(Collectors.joining("\n")),
            wrong);
      }
    }
  }
}
