// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.scenario.Matrix;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Options that replace numbers in the file of a scenario, for all of its databases and for all runs
 * of a matrix. An option that the scenario has no place for is refused.
 *
 * @param options values by names in {@link ScenarioOptions#OF_FILES}
 */
record OtherNumbers(Map<String, String> options) {
  private static final String CONNECTIONS = "connections";
  private static final String LOAD = "load";
  private static final String DATABASES = "databases";
  private static final String VALUES = "values";
  private static final String THRESHOLDS = "thresholds";
  private static final String KEYS = "keys";
  private static final String AXES = "axes";
  private static final String VARIANT = MatrixAxis.VARIANT.id;
  private static final List<String> LOADS =
      List.of(LOAD, DATABASES, PhasesSpec.PHASES, PhasesSpec.GROUPS);

  /** Most keys that are written beforehand where requests would have created them. */
  private static final long MAX_PREPARED = 1_000_000;

  private static final Pattern DATA = Pattern.compile("([0-9]{1,6}(?:\\.[0-9]{1,3})?)(MB|GB)");
  private static final Pattern FACTOR = Pattern.compile("x([0-9]{1,6}(?:\\.[0-9]{1,6})?)");

  /** Returns the text of a valid file with these numbers. */
  String text(String fileName, MappingNode root) {
    Map<String, NodeTuple> keys = DerivedNodes.tuples(root);
    if (options.containsKey(ScenarioOptions.DATA_SIZE)) {
      axes(keys, root, axes -> axes.remove(VARIANT));
    }
    refuseAxes(keys);
    refuseLoads(keys);
    keys.computeIfPresent("title", (key, title) -> DerivedNodes.tuple(key, title(title)));
    changed(keys, LOAD, this::load);
    changed(keys, DATABASES, this::databases);
    multiply(keys, ScenarioOptions.RATE, List.of("rate", "rates", "max-rate", "to"));
    multiply(keys, ScenarioOptions.CLIENTS, List.of("clients", "steps", CONNECTIONS));
    kubernetes(keys);
    length(keys);
    String size = options.get(ScenarioOptions.VALUE_SIZE);
    if (size != null) {
      require(keys, ScenarioOptions.VALUE_SIZE, VALUES, "a scenario whose requests have values");
      Node values = DerivedNodes.map(line("size: " + ScenarioOptions.scalar(size)), root);
      keys.put(VALUES, DerivedNodes.tuple(VALUES, values));
    }
    if (options.containsKey(ScenarioOptions.THRESHOLD)) {
      thresholds(keys, root);
    }
    String data = options.get(ScenarioOptions.DATA_SIZE);
    if (data != null) {
      require(keys, ScenarioOptions.DATA_SIZE, KEYS, "a scenario whose requests have keys");
      Node variants = variants(keys, root, data.split(",", -1), fileName);
      axes(keys, root, axes -> axes.put(VARIANT, DerivedNodes.tuple(VARIANT, variants)));
    }
    String text =
        valid(fileName, DerivedNodes.text(DerivedNodes.map(List.copyOf(keys.values()), root)));
    if (data != null
        && cells(fileName, text).stream()
            .anyMatch(cell -> !cell.scenario().requests().keys().prepared())) {
      throw problem(
          name(ScenarioOptions.DATA_SIZE),
          "puts that create their keys",
          "keys that are written before, as with 'keys: {distribution: uniform}'");
    }
    return text;
  }

  private static List<Matrix.Cell> cells(String fileName, String text) {
    return ScenarioReader.readMatrix(fileName, text, 1, List.of(), OptionalInt.empty())
        .orElseThrow()
        .cells();
  }

  private String valid(String fileName, String text) {
    try {
      ScenarioReader.readAll(fileName, text);
    } catch (InvalidScenarioException wrong) {
      throw new QuorateException(
          wrong.problems().stream()
              .map(each -> problem(names(), each.found(), each.expected()).getMessage())
              .distinct()
              .collect(Collectors.joining("\n")),
          wrong);
    }
    return text;
  }

  private static QuorateException problem(String option, String found, String expected) {
    return new QuorateException("%s: found %s, expected %s".formatted(option, found, expected));
  }

  private static String name(String option) {
    return "--" + option.replace('.', '-');
  }

  private String names() {
    return options.keySet().stream().map(OtherNumbers::name).collect(Collectors.joining(", "));
  }

  /** Refuses a number that the runs of a matrix have from its axes. */
  private void refuseAxes(Map<String, NodeTuple> keys) {
    NodeTuple matrix = keys.get("matrix");
    if (matrix == null) {
      return;
    }
    options
        .keySet()
        .forEach(
            option -> {
              String key =
                  switch (option) {
                    case ScenarioOptions.CLIENTS, ScenarioOptions.RATE -> LOAD;
                    // which also says how many keys some data has
                    case ScenarioOptions.VALUE_SIZE, ScenarioOptions.DATA_SIZE -> VALUES;
                    case ScenarioOptions.THRESHOLD -> THRESHOLDS;
                    default -> option;
                  };
              if (hasKey(matrix.getValueNode(), key)) {
                String found = "a matrix with different values of '" + key + "'";
                throw problem(name(option), found, "no option: change a copy of the file");
              }
            });
  }

  /** Changes the axes of the matrix, of which a file without a matrix has none. */
  private static void axes(
      Map<String, NodeTuple> keys, Node root, Consumer<Map<String, NodeTuple>> change) {
    Map<String, NodeTuple> matrix =
        Optional.ofNullable(keys.remove(MatrixParser.KEY))
            .map(each -> DerivedNodes.tuples(each.getValueNode()))
            .orElseGet(LinkedHashMap::new);
    Map<String, NodeTuple> axes =
        Optional.ofNullable(matrix.get(AXES))
            .map(each -> DerivedNodes.tuples(each.getValueNode()))
            .orElseGet(LinkedHashMap::new);
    change.accept(axes);
    matrix.put(AXES, DerivedNodes.tuple(AXES, DerivedNodes.map(List.copyOf(axes.values()), root)));
    Node all = DerivedNodes.map(List.copyOf(matrix.values()), root);
    keys.put(MatrixParser.KEY, DerivedNodes.tuple(MatrixParser.KEY, all));
  }

  /** Returns a variant for each size of data, with as many keys, in ascending order. */
  private Node variants(Map<String, NodeTuple> keys, Node root, String[] sizes, String fileName) {
    Map<String, NodeTuple> one = new LinkedHashMap<>(keys);
    Node same = DerivedNodes.map("same", DerivedNodes.map(List.of(), root));
    axes(one, root, axes -> axes.put(VARIANT, DerivedNodes.tuple(VARIANT, same)));
    String text = DerivedNodes.text(DerivedNodes.map(List.copyOf(one.values()), root));
    long each = cells(fileName, text).get(0).scenario().requests().bytesPerPreloadedKey();
    SortedMap<BigDecimal, NodeTuple> variants = new TreeMap<>();
    for (String size : sizes) {
      Matcher parts = DATA.matcher(size.strip());
      if (!parts.matches()) {
        throw problem(
            name(ScenarioOptions.DATA_SIZE),
            VisibleText.quoted(size),
            "sizes such as 100MB or 0.5GB");
      }
      BigDecimal bytes =
          new BigDecimal(parts.group(1)).movePointRight(parts.group(2).equals("GB") ? 9 : 6);
      Map<String, NodeTuple> space =
          DerivedNodes.tuples(Objects.requireNonNull(keys.get(KEYS)).getValueNode());
      put(space, "count: " + bytes.divide(BigDecimal.valueOf(each), 0, RoundingMode.HALF_EVEN));
      // from text, as a node at two places would become an anchor
      Node changed =
          DerivedNodes.map(
              line(DerivedNodes.text(DerivedNodes.map(List.copyOf(space.values()), root))), root);
      NodeTuple variant = DerivedNodes.tuple(size.strip(), DerivedNodes.map(KEYS, changed));
      if (variants.put(bytes, variant) != null) {
        throw problem(
            name(ScenarioOptions.DATA_SIZE), VisibleText.quoted(size) + " again", "each size once");
      }
    }
    return DerivedNodes.map(List.copyOf(variants.values()), root);
  }

  /** Refuses a number that phases, groups or a Kubernetes cluster have separately. */
  private void refuseLoads(Map<String, NodeTuple> keys) {
    for (String option : List.of(ScenarioOptions.CLIENTS, ScenarioOptions.RATE)) {
      refuse(
          keys,
          option,
          KubernetesSpec.KEY,
          "the size of the cluster: use --nodes or --pod-changes");
      if (factor(option).isEmpty()) {
        refuse(keys, option, PhasesSpec.PHASES, "a multiple of those that they have, such as x2");
        refuse(keys, option, PhasesSpec.GROUPS, "a multiple of those that they have, such as x2");
      }
    }
    for (String option : List.of(ScenarioOptions.DURATION, ScenarioOptions.REQUESTS)) {
      refuse(keys, option, PhasesSpec.PHASES, "--scale, for a part of each phase");
    }
    refuse(keys, ScenarioOptions.REQUESTS, PhasesSpec.GROUPS, "--duration, as groups end together");
  }

  private void refuse(Map<String, NodeTuple> keys, String option, String key, String expected) {
    if (keys.containsKey(key) && options.containsKey(option)) {
      throw problem(name(option), "a scenario with '" + key + "'", expected);
    }
  }

  private static boolean hasKey(Node node, String key) {
    return node instanceof SequenceNode list
        ? list.getValue().stream().anyMatch(each -> hasKey(each, key))
        : DerivedNodes.tuples(node).entrySet().stream()
            .anyMatch(
                each -> each.getKey().equals(key) || hasKey(each.getValue().getValueNode(), key));
  }

  /** Returns whether the loads of a scenario have one of some keys. */
  private static boolean hasLoad(Map<String, NodeTuple> keys, List<String> names) {
    return LOADS.stream()
        .flatMap(place -> Stream.ofNullable(keys.get(place)))
        .anyMatch(each -> names.stream().anyMatch(name -> hasKey(each.getValueNode(), name)));
  }

  private static void changed(Map<String, NodeTuple> keys, String key, UnaryOperator<Node> change) {
    keys.computeIfPresent(
        key, (same, old) -> DerivedNodes.tuple(key, change.apply(old.getValueNode())));
  }

  private static void require(
      Map<String, NodeTuple> keys, String option, String key, String expected) {
    if (!keys.containsKey(key)) {
      throw problem(name(option), "a scenario without '" + key + "'", expected);
    }
  }

  /** Returns the keys of some text. */
  private List<NodeTuple> line(String text) {
    Node map = YamlDocument.root(text, new ScenarioProblems(names())).orElseThrow();
    return List.copyOf(DerivedNodes.tuples(map).values());
  }

  private void put(Map<String, NodeTuple> keys, String text) {
    line(text).forEach(each -> keys.put(Messages.text(each.getKeyNode()), each));
  }

  /** Replaces numbers of a Kubernetes cluster. */
  private void kubernetes(Map<String, NodeTuple> keys) {
    for (String option : ScenarioOptions.OF_KUBERNETES) {
      String value = options.get(option);
      if (value != null) {
        String expected = "a scenario of a Kubernetes cluster, such as kubernetes-nodes";
        require(keys, option, KubernetesSpec.KEY, expected);
        boolean rate = option.equals("pod.changes") && !value.endsWith("/s");
        String key = option.equals(KubernetesSpec.KEY) ? "version" : option.replace('.', '-');
        String text = key + ": " + ScenarioOptions.scalar(rate ? value + "/s" : value);
        changed(
            keys,
            KubernetesSpec.KEY,
            node -> {
              Map<String, NodeTuple> cluster = DerivedNodes.tuples(node);
              put(cluster, text);
              return DerivedNodes.map(List.copyOf(cluster.values()), node);
            });
      }
    }
  }

  private Node title(NodeTuple title) {
    String line = Messages.text(title.getValueNode());
    String more =
        options.entrySet().stream()
            .map(each -> name(each.getKey()) + " " + each.getValue())
            .collect(Collectors.joining(", ", " (", ")"));
    int room = Math.max(0, MatrixParser.MAX_TITLE - more.length());
    boolean known = line.endsWith(more) || room == 0;
    String shown = line.substring(0, Math.min(line.length(), room));
    return DerivedNodes.scalar(known ? line : shown + more, title.getValueNode());
  }

  private void length(Map<String, NodeTuple> keys) {
    for (String each : List.of(ScenarioOptions.REQUESTS, ScenarioOptions.DURATION)) {
      String value = options.get(each);
      if (value != null) {
        boolean byTime = each.equals(ScenarioOptions.DURATION);
        Optional<NodeTuple> other =
            Optional.ofNullable(keys.remove(byTime ? "requests" : "duration"));
        other
            .filter(any -> byTime && createsByTime(keys))
            .map(NodeTuple::getValueNode)
            .ifPresent(count -> changed(keys, KEYS, node -> counted(node, count)));
        put(keys, each + ": " + ScenarioOptions.scalar(value));
      }
    }
    if (options.containsKey(ScenarioOptions.REQUESTS)
        && options.containsKey(ScenarioOptions.DURATION)) {
      throw problem("--duration", "it together with --requests", "one of them");
    }
  }

  /** Returns whether clients write for a time, for which a number of keys has to be given. */
  private static boolean createsByTime(Map<String, NodeTuple> keys) {
    MappingNode all =
        DerivedNodes.map(List.copyOf(keys.values()), keys.values().iterator().next().getKeyNode());
    Section top = new Section(all, ScenarioSchema.SCENARIO, new ScenarioProblems(""));
    return !hasLoad(keys, List.of("rate", "rates"))
        && MixSpec.Operations.read(top).stream()
            .flatMap(each -> each.shares().stream())
            .anyMatch(share -> share.operation().isWrite());
  }

  private Node counted(Node keys, Node requests) {
    Map<String, NodeTuple> space = DerivedNodes.tuples(keys);
    if (!space.containsKey("count")) {
      long created = Long.parseLong(Messages.text(requests).replace("_", ""));
      put(space, "count: " + Math.min(MAX_PREPARED, created));
    }
    return DerivedNodes.map(List.copyOf(space.values()), keys);
  }

  /** Replaces the thresholds of a capacity search, if there is one, or those of the run. */
  private void thresholds(Map<String, NodeTuple> keys, Node root) {
    String text =
        Arrays.stream(Objects.requireNonNull(options.get(ScenarioOptions.THRESHOLD)).split(",", -1))
            .map(each -> ScenarioOptions.quoted(each.strip()))
            .collect(Collectors.joining(", ", THRESHOLDS + ": [", "]"));
    Optional<NodeTuple> search = Optional.ofNullable(keys.get("capacity"));
    Map<String, NodeTuple> place =
        search.map(each -> DerivedNodes.tuples(each.getValueNode())).orElse(keys);
    put(place, text);
    if (search.isPresent()) {
      Node changed = DerivedNodes.map(List.copyOf(place.values()), root);
      keys.put("capacity", DerivedNodes.tuple("capacity", changed));
    }
  }

  private Node databases(Node node) {
    if (!(node instanceof MappingNode)) {
      return node;
    }
    Map<String, NodeTuple> databases = DerivedNodes.tuples(node);
    databases.replaceAll(
        (id, own) ->
            DatabasesParser.SERVERS.containsAll(DerivedNodes.tuples(own.getValueNode()).keySet())
                ? own
                : DerivedNodes.tuple(id, load(own.getValueNode())));
    return DerivedNodes.map(List.copyOf(databases.values()), node);
  }

  /** Replaces rates, and numbers of clients and connections; a limit, for example, stays. */
  private Node load(Node node) {
    Map<String, NodeTuple> keys = DerivedNodes.tuples(node);
    absolute(ScenarioOptions.RATE).ifPresent(rate -> rate(keys, rate));
    List<NodeTuple> all = new ArrayList<>();
    Optional<String> clients = absolute(ScenarioOptions.CLIENTS);
    if (clients.isPresent() && (keys.containsKey("rate") || keys.containsKey("rates"))) {
      put(keys, CONNECTIONS + ": " + ScenarioOptions.scalar(clients.get()));
    } else if (clients.isPresent()) {
      keys.keySet().removeAll(List.of("clients", "steps"));
      if (keys.containsKey(CONNECTIONS)
          && !Messages.isText(keys.get(CONNECTIONS).getValueNode(), "per-request")) {
        keys.remove(CONNECTIONS);
      }
      all.addAll(line(ScenarioOptions.steps("steps", ScenarioOptions.CLIENTS, clients.get())));
    }
    all.addAll(keys.values());
    return DerivedNodes.map(all, node);
  }

  private void rate(Map<String, NodeTuple> keys, String rate) {
    Optional<String> key =
        List.of("rate", "rates", "max-rate").stream().filter(keys::containsKey).findFirst();
    if (key.isEmpty()) {
      throw withoutRate();
    }
    keys.remove(key.get());
    String rates = ScenarioOptions.rates(rate);
    if (key.get().equals("max-rate")) {
      put(keys, "max-rate: " + ScenarioOptions.scalar(rates));
    } else {
      put(keys, ScenarioOptions.steps("rates", ScenarioOptions.RATE, rates));
    }
  }

  private static QuorateException withoutRate() {
    return problem(
        name(ScenarioOptions.RATE),
        "a load of clients, which send as fast as the database answers",
        "a scenario with 'rate', 'rates' or 'max-rate': use --clients");
  }

  private Optional<String> absolute(String option) {
    return Optional.ofNullable(options.get(option)).filter(any -> factor(option).isEmpty());
  }

  private Optional<BigDecimal> factor(String option) {
    return Optional.of(FACTOR.matcher(options.getOrDefault(option, "")))
        .filter(Matcher::matches)
        .map(parts -> new BigDecimal(parts.group(1)));
  }

  /** Multiplies the values of some keys in all loads, of which some may lack them. */
  private void multiply(Map<String, NodeTuple> keys, String option, List<String> names) {
    Optional<BigDecimal> factor = factor(option);
    if (factor.isPresent() && !hasLoad(keys, names)) {
      throw option.equals(ScenarioOptions.RATE)
          ? withoutRate()
          : problem(name(option), "a load with a rate", "a number, of its connections");
    }
    factor.ifPresent(
        by ->
            LOADS.forEach(
                each -> changed(keys, each, load -> DerivedNodes.multiplied(load, names, by))));
  }
}
