// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Resource;
import io.quorate.store.Operation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;

/**
 * The requests of the API servers of a Kubernetes cluster, as written in a file. It stands for the
 * keys of a scenario that describe them, which follow from {@link KubernetesRequests}.
 *
 * @param version version of Kubernetes, such as 1.37
 * @param podChanges Pods that start or are removed in a second, half of them each
 * @param restarts whether an API server starts again in the middle of the load
 */
record KubernetesSpec(
    String version,
    int nodes,
    int podsPerNode,
    double podChanges,
    int apiServers,
    boolean restarts,
    Section top) {
  static final String KEY = "kubernetes";

  /** The only version whose API server reads by streams. */
  private static final String STREAMING = "1.37";

  /** The limit of a steady state: 20 changes in a second in 5,000 nodes. */
  private static final double CHANGES_PER_NODE = 20.0 / 5_000;

  private static final int MAX_WEIGHT = 1_000_000;
  private static final int PRECISION = 1_000;
  private static final int KEY_BYTES = 60;
  private static final int PERCENT_OF_STALE_DELETES = 90;

  /** The part of the Pods that the load replaces. */
  private static final int CREATED = 10;

  /** Requests of the warm-up, which also create objects: a few, so that there are not many more. */
  private static final int WARM_UP = 1_000;

  /** Keys of a scenario that it stands for. */
  private static final List<String> DERIVED =
      List.of(
          "operation",
          "mix",
          "phases",
          "groups",
          "load",
          "keys",
          "values",
          "objects",
          "leases",
          "range",
          "watch",
          "warm-up",
          "matrix");

  /** Reads the key; empty if there is none, or it is wrong. */
  static Optional<KubernetesSpec> read(Section top) {
    if (!top.has(KEY)) {
      return Optional.empty();
    }
    int before = top.problemCount();
    DERIVED.stream()
        .filter(top::has)
        .forEach(
            key ->
                top.report(
                    key,
                    "the key '%s' together with '%s'".formatted(key, KEY),
                    "one of them: '%s' describes all requests".formatted(KEY)));
    Section section = top.section(KEY);
    Field<String> version =
        section.oneOf("version", section.schema("version").names().toArray(String[]::new), v -> v);
    Field<Integer> nodes = section.count("nodes");
    Field<Integer> pods = section.count("pods-per-node");
    ScenarioSchema changes = section.schema("pod-changes");
    Field<Double> rate =
        section.text(
            "pod-changes",
            text -> Optional.of(text).filter(changes::allows).map(KubernetesSpec::rate));
    Field<Integer> servers = section.count("api-servers");
    Field<Boolean> restart = section.truth("restart");
    return top.problemCount() > before
        ? Optional.empty()
        : Optional.of(
            new KubernetesSpec(
                version.effective(),
                nodes.effective(),
                pods.effective(),
                rate.value().orElse(nodes.effective() * CHANGES_PER_NODE),
                servers.effective(),
                restart.effective(),
                top));
  }

  private static double rate(String text) {
    return Double.parseDouble(text.substring(0, text.indexOf('/')));
  }

  /** Returns the scenario with the keys that it stands for. */
  MappingNode expanded(MappingNode scenario) {
    Map<String, NodeTuple> keys = DerivedNodes.tuples(scenario);
    Node text = YamlDocument.root(text(), new ScenarioProblems(KEY)).orElseThrow();
    Node at = top.key(KEY);
    DerivedNodes.tuples(DerivedNodes.at(text, at)).forEach(keys::put);
    if (restarts) {
      keys.remove("duration");
    }
    return DerivedNodes.map(List.copyOf(keys.values()), scenario);
  }

  private Stream<KubernetesRequests> rows() {
    return KubernetesRequests.all().stream()
        .filter(row -> row.version().isEmpty() || row.version().equals(version));
  }

  /** Returns how many requests of a row there are: in a second, or at all if it has no time. */
  private double amount(KubernetesRequests row) {
    double causes =
        switch (row.per()) {
          case "node" -> nodes;
          case "pod" -> (double) nodes * podsPerNode;
          case "start", "removal" -> podChanges / 2;
          default -> apiServers;
        };
    return row.count() * causes / Math.max(1, row.seconds());
  }

  /** Returns the rate of each operation in a second. */
  Map<Operation, Double> rates() {
    Map<Operation, Double> rates = new EnumMap<>(Operation.class);
    rows()
        .forEach(
            row -> row.operation().ifPresent(each -> rates.merge(each, amount(row), Double::sum)));
    return rates;
  }

  /** Returns the parts of the keys, each with a size of values that is the mean of its writes. */
  List<Resource> resources() {
    Set<String> names = new LinkedHashSet<>();
    rows().map(KubernetesRequests::resource).filter(any -> !any.isEmpty()).forEach(names::add);
    return names.stream().map(this::resource).toList();
  }

  private Resource resource(String name) {
    Map<Operation, Double> weights = new EnumMap<>(Operation.class);
    double keys = 0;
    double bytes = 0;
    double writes = 0;
    int watches = 0;
    boolean leased = name.equals("events");
    for (KubernetesRequests row : rows().filter(each -> each.resource().equals(name)).toList()) {
      row.operation().ifPresent(each -> weights.merge(each, amount(row), Double::sum));
      keys += row.request().equals(KubernetesRequests.EXISTS) ? amount(row) : 0;
      bytes += row.bytes() * (row.bytes() > 0 ? amount(row) : 0);
      writes += row.bytes() > 0 ? amount(row) : 0;
      watches += row.request().equals(KubernetesRequests.WATCH) ? row.count() : 0;
    }
    boolean removed = weights.containsKey(Operation.OPTIMISTIC_DELETE);
    return new Resource(
        name,
        Math.max(1, watches),
        Math.max((long) keys - (removed ? created() : 0), 0),
        writes == 0 ? 0 : (int) Math.round(bytes / writes),
        watches > 0,
        leased,
        weights.entrySet().stream()
            .map(each -> new OperationMix.Share(each.getKey(), weight(each)))
            .toList());
  }

  /** Returns the weight of an operation of a resource; ranges have few, as they take turns. */
  private int weight(Map.Entry<Operation, Double> rate) {
    double perServer = rate.getValue() / apiServers;
    return rate.getKey() == Operation.RANGE
        ? Math.max(1, (int) Math.round(perServer * 375))
        : weight(rate.getValue());
  }

  private int weight(double rate) {
    double most = rates().values().stream().mapToDouble(each -> each).max().orElse(1);
    double scale = Math.min(PRECISION, MAX_WEIGHT / most);
    return (int) Math.max(1, Math.round(rate * scale));
  }

  /** Returns how many Pods exist that the load did not update, but removes. */
  private int created() {
    return Math.max(1, Math.min(MAX_WEIGHT, nodes * podsPerNode / CREATED));
  }

  private long keys() {
    return resources().stream().mapToLong(Resource::keys).sum();
  }

  /** Returns the keys of a scenario that it stands for. */
  private String text() {
    Map<Operation, Double> rates = rates();
    List<String> lines = new ArrayList<>();
    if (restarts) {
      Map<Operation, Double> more = new EnumMap<>(rates);
      rows()
          .forEach(
              row ->
                  row.atStart()
                      .ifPresent(each -> more.merge(each, (double) row.count(), Double::sum)));
      String duration = top.node("duration").map(Messages::text).orElse("1m");
      lines.add(
          "phases: [%s, %s, %s]"
              .formatted(phase(rates, duration), phase(more, "1s"), phase(rates, duration)));
    } else {
      lines.add("mix: " + mix(rates));
      lines.add("load: " + load(rates));
      lines.add(watch());
    }
    lines.add("keys: {size: %d, count: %d, distribution: uniform}".formatted(KEY_BYTES, keys()));
    lines.add("values: {sizes: %s}".formatted(sizes()));
    lines.add(
        "objects: {count: %d, stale-deletes: %d}".formatted(created(), PERCENT_OF_STALE_DELETES));
    lines.add("leases: {count: 10, ttl: 1h, granted-ttl: 15s}");
    lines.add(
        "range: {keys: all, %s}"
            .formatted(version.equals(STREAMING) ? "stream: true" : "page: 10_000"));
    lines.add("warm-up: " + WARM_UP);
    return String.join("\n", lines) + "\n";
  }

  private String phase(Map<Operation, Double> rates, String duration) {
    return "{mix: %s, load: %s, duration: %s}".formatted(mix(rates), load(rates), duration);
  }

  private String mix(Map<Operation, Double> rates) {
    return rates.entrySet().stream()
        .map(each -> each.getKey().id() + ": " + weight(each.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private String load(Map<Operation, Double> rates) {
    double all = rates.values().stream().mapToDouble(each -> each).sum();
    return "{rate: %d/s, connections: %d}".formatted(Math.max(1, Math.round(all)), apiServers);
  }

  private String watch() {
    int watchers = 0;
    double progress = 0;
    int restart = 1;
    for (KubernetesRequests row : rows().toList()) {
      if (row.request().equals(KubernetesRequests.WATCH)) {
        watchers += row.count() * apiServers;
        restart = row.seconds();
      }
      progress += row.request().equals(KubernetesRequests.PROGRESS) ? amount(row) : 0;
    }
    return "watch: {watchers: %d, streams: %d, prev-kv: true, progress-notify: true, progress: %ds, restart: %ds}"
        .formatted(watchers, watchers, Math.round(watchers / progress), restart);
  }

  private String sizes() {
    Map<Integer, Integer> weights = new TreeMap<>();
    for (Resource each : resources()) {
      int weight =
          each.weight(Operation.OPTIMISTIC_UPDATE) + each.weight(Operation.OPTIMISTIC_CREATE);
      if (weight > 0) {
        weights.merge(each.valueBytes(), weight, (one, other) -> Math.min(MAX_WEIGHT, one + other));
      }
    }
    return weights.entrySet().stream()
        .map(each -> each.getKey() + ": " + each.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
