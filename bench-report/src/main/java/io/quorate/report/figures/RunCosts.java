// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.results.DatabaseRun;
import io.quorate.results.ZoneTraffic;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.RunZones;
import io.quorate.results.requests.OperationCounts;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.Metric;
import io.quorate.store.Operation;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * Computes what the requests of a run, or of one of its steps, cost: time and bytes of all servers
 * together. {@code src/site/markdown/reference/costs.md} defines the values.
 */
final class RunCosts {
  private static final double MICROS_PER_SECOND = 1e6;
  private static final double SECONDS_PER_HOUR = 3600;
  private static final double MILLION = 1e6;

  private RunCosts() {}

  /** Returns the known costs of all steps together, in the units of their metrics. */
  static Map<Metric, Double> of(
      DatabaseRun run, RequestFigures all, List<StepFigures> steps, HostAnalysis host) {
    Map<Metric, Double> costs = costs(run, all, steps, host);
    Manifest manifest = run.manifest();
    OptionalDouble memory = host.serverMemoryBytes();
    long keys = keys(manifest);
    if (memory.isPresent() && keys > 0) {
      costs.put(Metric.MEMORY_PER_KEY, memory.getAsDouble() / keys);
    }
    return costs;
  }

  /** Returns the known costs of each step, by its number, without memory per key. */
  static Map<Integer, Map<Metric, Double>> ofSteps(
      DatabaseRun run, List<StepFigures> steps, HostAnalysis host) {
    Map<Integer, Map<Metric, Double>> costs = new TreeMap<>();
    steps.forEach(
        step -> costs.put(step.number(), costs(run, step.requests(), List.of(step), host)));
    return costs;
  }

  private static Map<Metric, Double> costs(
      DatabaseRun run, RequestFigures requests, List<StepFigures> steps, HostAnalysis host) {
    Manifest manifest = run.manifest();
    Map<Metric, Double> costs = new EnumMap<>(Metric.class);
    long successes = requests.succeeded();
    if (successes == 0) {
      return costs;
    }
    IntPredicate chosen = number -> steps.stream().anyMatch(step -> step.number() == number);
    host.serverCpuSeconds(chosen)
        .ifPresent(it -> costs.put(Metric.SERVER_CPU, it * MICROS_PER_SECOND / successes));
    boolean whole =
        manifest.status() == RunStatus.COMPLETE && steps.size() == manifest.load().steps().size();
    // the mean of growing sizes is that of all requests
    boolean known = whole || !manifest.load().values().growing();
    double valueBytes = known ? valueBytes(manifest.load(), steps) : 0;
    if (valueBytes > 0) {
      host.serverBytesWritten(chosen)
          .ifPresent(bytes -> costs.put(Metric.WRITE_AMPLIFICATION, bytes / valueBytes));
    }
    double traffic =
        steps.stream()
            .mapToDouble(
                step ->
                    host.memberTraffic(step.number()).orElse(Double.NaN)
                        * step.requests().succeeded())
            .sum();
    if (!Double.isNaN(traffic)) {
      costs.put(Metric.MEMBER_TRAFFIC, traffic / successes);
    }
    Set<String> across = run.zones().map(RunZones::across).orElse(Set.of());
    run.journals().traffic().stream()
        .filter(each -> chosen.test(each.step()) && across.contains(each.zones()))
        .mapToDouble(ZoneTraffic::bytes)
        .reduce(Double::sum)
        .ifPresent(bytes -> costs.put(Metric.ZONE_TRAFFIC, bytes / successes));
    manifest
        .scenario()
        .pricePerHour()
        .ifPresent(
            price ->
                requests.requestsPerSecond().stream()
                    .filter(rate -> rate > 0)
                    .forEach(
                        rate ->
                            costs.put(
                                Metric.PRICE,
                                price.doubleValue() * MILLION / SECONDS_PER_HOUR / rate)));
    return costs;
  }

  /** Returns the expected bytes of the acknowledged values, without keys. */
  private static double valueBytes(LoadInfo load, List<StepFigures> steps) {
    return steps.stream()
            .flatMap(step -> step.operations().stream())
            .flatMap(each -> each.counts().stream())
            .mapToDouble(counts -> counts.succeeded() * values(load, counts))
            .sum()
        * load.values().meanBytes();
  }

  /** Returns the number of values in a request, on average. */
  private static double values(LoadInfo load, OperationCounts counts) {
    Optional<Operation> operation = Operation.named(counts.operation());
    boolean writes = operation.filter(Operation::storesValues).isPresent();
    return !writes ? 0 : operation.get() == Operation.TXN ? load.mix().valuesPerTxn() : 1;
  }

  /** Returns how many keys the store has after the load; 0 if that is not known. */
  private static long keys(Manifest manifest) {
    KeySpace keys = manifest.load().keys();
    return Stream.concat(
            manifest.verification().stream()
                .map(found -> found.keyCount().orElse(found.leastKeyCount())),
            Stream.of(keys.prepared() && keys.ttl().isEmpty() ? keys.count() : 0))
        .filter(count -> count > 0)
        .findFirst()
        .orElse(0L);
  }
}
