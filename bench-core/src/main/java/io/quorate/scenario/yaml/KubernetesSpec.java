// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Resource;
import io.quorate.store.Operation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
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
 * @param rows requests of this version
 */
record KubernetesSpec(
    String version,
    int nodes,
    int podsPerNode,
    double podChanges,
    int apiServers,
    boolean restarts,
    Section top,
    List<KubernetesRequests> rows) {
  static final String KEY = "kubernetes";

  /** The only version whose API server reads by streams. */
  private static final String STREAMING = "1.37";

  /** The limit of a steady state: 20 changes in a second in 5,000 nodes. */
  private static final double CHANGES_PER_NODE = 20.0 / 5_000;

  private static final int MAX_WEIGHT = 1_000_000;

  /** Weight of an operation with a request in a second, in small clusters. */
  private static final int WEIGHT = 1_000;

  /** Time in which each API server reads everything once. */
  private static final int CHECK_SECONDS = 375;

  /** The part of the Pods that the load replaces. */
  private static final int CREATED = 10;

  /** Keys of a scenario that it stands for. */
  private static final List<String> DERIVED =
      List.of(
          ("operation mix phases groups load keys values objects leases range watch warm-up matrix")
              .split(" "));

  /** Reads the key; empty if there is none, or it is wrong. */
  static Optional<KubernetesSpec> read(Section top) {
    if (!top.has(KEY)) {
      return Optional.empty();
    }
    int before = top.problemCount();
    String expected = "one of them: '%s' describes all requests".formatted(KEY);
    top.refuse(DERIVED, "together with '" + KEY + "'", expected);
    Section section = top.section(KEY);
    String[] versions = section.schema("version").names().toArray(String[]::new);
    Field<String> version = section.oneOf("version", versions, Function.identity());
    Field<Integer> nodes = section.count("nodes");
    Field<Integer> pods = section.count("pods-per-node");
    ScenarioSchema changes = section.schema("pod-changes");
    Field<Double> rate =
        section.text(
            "pod-changes",
            text ->
                Optional.of(text)
                    .filter(changes::allows)
                    .map(allowed -> Double.valueOf(allowed.replace("/s", ""))));
    Field<Integer> servers = section.count("api-servers");
    Field<Integer> custom = section.size("crd-size");
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
                top,
                KubernetesRequests.of(version.effective(), custom.value().orElse(0))));
  }

  /** Returns the scenario with the keys that it stands for, at the position of the key. */
  MappingNode expanded(MappingNode scenario) {
    Map<String, NodeTuple> keys = DerivedNodes.tuples(scenario);
    int line = top.key(KEY).getStartMark().orElseThrow().getLine();
    String text = "\n".repeat(line) + "{" + String.join(", ", lines()) + "}\n";
    Node derived = YamlDocument.root(text, new ScenarioProblems(KEY)).orElseThrow();
    keys.putAll(DerivedNodes.tuples(derived));
    if (restarts) {
      keys.remove("duration");
    }
    return DerivedNodes.map(List.copyOf(keys.values()), scenario);
  }

  /** Returns how many requests of a row there are: in a second, or at all if it has no time. */
  private double amount(KubernetesRequests row, boolean start) {
    double causes =
        switch (row.per()) {
          case "node" -> nodes;
          case "pod" -> (double) nodes * podsPerNode;
          case "start", "removal" -> podChanges / 2;
          case "start-of-api-server" -> start ? 1 : 0;
          default -> apiServers;
        };
    return row.count() * causes / Math.max(1, row.seconds());
  }

  private double amount(KubernetesRequests row) {
    return amount(row, false);
  }

  /**
   * Returns the rate of each operation of some rows in a second.
   *
   * @param start whether it is the second in which an API server starts
   */
  private Map<Operation, Double> rates(List<KubernetesRequests> some, boolean start) {
    Map<Operation, Double> rates = new EnumMap<>(Operation.class);
    some.forEach(
        row ->
            row.operation().ifPresent(each -> rates.merge(each, amount(row, start), Double::sum)));
    return rates;
  }

  /** Returns the parts of the keys, each with a size of values that is the mean of its writes. */
  List<Resource> resources() {
    return rows.stream()
        .map(KubernetesRequests::resource)
        .filter(any -> !any.isEmpty())
        .distinct()
        .map(this::resource)
        .toList();
  }

  private Resource resource(String name) {
    List<KubernetesRequests> own =
        rows.stream().filter(row -> row.resource().equals(name)).toList();
    Map<Operation, Double> rates = rates(own, false);
    double keys = 0;
    double bytes = 0;
    double writes = 0;
    int watches = 0;
    for (KubernetesRequests row : own) {
      keys += row.request().equals(KubernetesRequests.PRESENT) ? amount(row) : 0;
      bytes += row.bytes() * amount(row);
      writes += row.bytes() > 0 ? amount(row) : 0;
      watches += row.request().equals(KubernetesRequests.WATCH) ? row.count() : 0;
    }
    return new Resource(
        name,
        Math.max(1, watches),
        rates.containsKey(Operation.OPTIMISTIC_DELETE)
            ? Math.max(1, (long) keys - created())
            : (long) keys,
        (int) Math.round(bytes / Math.max(writes, Double.MIN_VALUE)),
        watches > 0,
        name.equals(KubernetesRequests.EVENTS),
        rates.entrySet().stream()
            .map(
                each ->
                    new OperationMix.Share(
                        each.getKey(),
                        each.getKey() == Operation.RANGE // they take turns
                            ? (int) Math.round(each.getValue() / apiServers * CHECK_SECONDS)
                            : weight(each.getValue())))
            .toList());
  }

  private int weight(double rate) {
    double all = rates(rows, false).values().stream().mapToDouble(each -> each).sum();
    return (int) Math.max(1, Math.round(rate * Math.min(WEIGHT, MAX_WEIGHT / all)));
  }

  /** Returns how many Pods exist that the load removes, and does not update. */
  private int created() {
    return Math.max(1, Math.min(MAX_WEIGHT, nodes * podsPerNode / CREATED));
  }

  /** Returns the keys of a scenario that it stands for. */
  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    List<Resource> resources = resources();
    if (restarts) {
      String duration = top.node("duration").map(Messages::text).orElse("1m");
      String steady = "{%s, duration: %s}".formatted(load(false), duration);
      lines.add("phases: [%s, {%s, duration: 1s}, %s]".formatted(steady, load(true), steady));
    } else {
      lines.add(load(false));
      lines.add(watch());
    }
    Map<Integer, Long> sizes = new TreeMap<>();
    resources.forEach(
        each ->
            sizes.merge(
                each.valueBytes(),
                (long) each.weight(Operation.OPTIMISTIC_UPDATE)
                    + each.weight(Operation.OPTIMISTIC_CREATE),
                Long::sum));
    sizes.values().removeIf(weight -> weight == 0);
    long keys = resources.stream().mapToLong(Resource::keys).sum();
    lines.add("keys: {size: 60, count: %d, distribution: uniform}".formatted(keys));
    lines.add("values: {sizes: %s}".formatted(sizes.toString().replace("=", ": ")));
    lines.add("objects: {count: %d, stale-deletes: 90}".formatted(created()));
    lines.add("leases: {count: 10, ttl: 25h, granted-ttl: 15s}");
    String way = version.equals(STREAMING) ? "stream: true" : "page: 10_000";
    lines.add("range: {keys: all, %s}".formatted(way));
    lines.add("warm-up: 1_000"); // a few, as it creates objects, too
    return lines;
  }

  private String load(boolean start) {
    Map<Operation, Double> rates = rates(rows, start);
    double all = rates.values().stream().mapToDouble(each -> each).sum();
    return rates.entrySet().stream()
        .map(each -> each.getKey().id() + ": " + weight(each.getValue()))
        .collect(
            Collectors.joining(
                ", ",
                "mix: {",
                "}, load: {rate: %d/s, connections: %d}"
                    .formatted(Math.max(1, Math.round(all)), apiServers)));
  }

  private String watch() {
    int watchers = 0;
    double progress = 0;
    int restart = 1;
    for (KubernetesRequests row : rows) {
      if (row.request().equals(KubernetesRequests.WATCH)) {
        watchers += row.count() * apiServers;
        restart = row.seconds();
      }
      progress += row.request().equals(KubernetesRequests.PROGRESS) ? amount(row) : 0;
    }
    return "watch: {watchers: %d, streams: %d, prev-kv: true, progress-notify: true, progress: %ds, restart: %ds}"
        .formatted(watchers, watchers, Math.round(watchers / progress), restart);
  }
}
