// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.measure.GeneratorDelay;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.HostFigure;
import io.quorate.report.figures.OwnDelay;
import io.quorate.report.figures.RequestFigures;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.figures.outage.FaultFigures;
import io.quorate.report.figures.outage.OutageMetric;
import io.quorate.report.figures.outage.OutageStatement;
import io.quorate.results.Canary;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.Percentile;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunZones;
import io.quorate.results.manifest.StepUsage;
import io.quorate.scenario.Metric;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The values of a database in one run, by the rows of a comparison. The run is the unit of all
 * statistics: seconds of one run depend on each other.
 *
 * @param directory directory of the run
 * @param values values in the units of their metrics; without unknown ones
 * @param bounds rows whose value is only a lower bound: outages that did not end
 * @param punctual values of requests without the load generator's delay
 * @param bases what may restrict the comparison of throughputs and latencies
 * @param othersCores CPUs that other processes of the load generator's machine used on average;
 *     empty if unknown
 * @param zones zones of the members and the links between them; empty for none
 * @param pair number of the pair that a sequential comparison decided after; 0 for none
 * @param canaries what the machine could do before and after the series of runs; may be empty
 */
public record RunValues(
    Path directory,
    Manifest manifest,
    Map<Row, Double> values,
    Set<Row> bounds,
    Map<Row, Double> punctual,
    Map<Row, Basis> bases,
    OptionalDouble othersCores,
    String zones,
    int pair,
    List<Canary> canaries) {
  private static final Map<Metric, Percentile> PERCENTILES =
      new EnumMap<>(
          Map.of(
              Metric.P50,
              Percentile.P50,
              Metric.P90,
              Percentile.P90,
              Metric.P99,
              Percentile.P99,
              Metric.P99_9,
              Percentile.P99_9));

  private static final double BYTES_PER_MB = 1e6;
  private static final double NANOS_PER_MS = 1e6;

  /**
   * A row of a comparison. The rows of a group are one family of the correction over metrics.
   *
   * @param step number of the step; empty for values of the whole run
   * @param operation id of the operation; empty for all operations together
   */
  public record Row(String group, OptionalInt step, Optional<String> operation, Metric metric) {}

  /** Returns the values of a complete run. */
  public static RunValues of(DatabaseFigures database) {
    DatabaseRun run = database.run();
    Map<Row, Double> values = new LinkedHashMap<>();
    Map<Row, Double> punctual = new LinkedHashMap<>();
    Set<Row> bounds = new HashSet<>();
    Map<Row, Basis> bases = new LinkedHashMap<>();
    for (StepFigures step : database.steps()) {
      String where = where(database, step);
      boolean mixed = step.operations().size() > 1;
      List<RequestFigures> operations = mixed ? step.operations() : List.of();
      Stream.concat(Stream.of(step.requests()), operations.stream())
          .forEach(
              each -> {
                boolean all = mixed && each == step.requests();
                Map<Row, Double> added = values(step, where, each, all, bases);
                values.putAll(added);
                OwnDelay delay = OwnDelay.of(List.of(step), each);
                added.forEach((row, value) -> punctual.put(row, punctual(row, value, delay)));
              });
    }
    database.faults().ifPresent(faults -> addOutages(values, bounds, faults));
    addMachines(values, database);
    List<Canary> canaries = Canary.of(run.directory());
    addCanaries(values, canaries);
    return new RunValues(
        run.directory().path(),
        run.manifest(),
        values,
        bounds,
        punctual,
        bases,
        database.others().part(any -> true).stream()
            .map(part -> part * run.manifest().host().cores())
            .findFirst(),
        run.zones().map(RunValues::text).orElse(""),
        0,
        canaries);
  }

  RunValues inPair(int number) {
    return new RunValues(
        directory, manifest, values, bounds, punctual, bases, othersCores, zones, number, canaries);
  }

  private static String where(DatabaseFigures database, StepFigures step) {
    return (database.steps().size() > 1 ? "step " + step.number() + ": " : "")
        + step.asked().load();
  }

  /** Returns a value of requests without the load generator's delay; a latency is above 0. */
  private static double punctual(Row row, double value, OwnDelay delay) {
    boolean longest = row.metric() == Metric.MAX;
    Optional<Percentile> at = Optional.ofNullable(PERCENTILES.get(row.metric()));
    if (longest || at.isPresent()) {
      double percent = longest ? 100 : at.get().percent().doubleValue();
      return Math.max(1, value * NANOS_PER_MS - delay.nanos(percent)) / NANOS_PER_MS;
    }
    return switch (row.metric()) {
      case THROUGHPUT -> value * delay.throughputFactor();
      case DROPPED -> Math.max(0, value - delay.dropped());
      default -> value;
    };
  }

  private static Map<Row, Double> values(
      StepFigures step, String where, RequestFigures of, boolean all, Map<Row, Basis> bases) {
    Map<Row, Double> values = new LinkedHashMap<>();
    Optional<String> operation =
        all ? Optional.empty() : of.operation().or(() -> step.operations().get(0).operation());
    String group = where + ", " + (all ? "all operations" : operation.orElse(""));
    Function<Metric, Row> row =
        metric -> new Row(group, OptionalInt.of(step.number()), operation, metric);
    Basis rate = of.basis().atRate();
    bases.put(row.apply(Metric.THROUGHPUT), step.isLate() ? rate.with(Reservation.LATE) : rate);
    bases.put(row.apply(Metric.MAX), of.basis());
    put(values, row.apply(Metric.THROUGHPUT), of.requestsPerSecond());
    PERCENTILES.forEach(
        (metric, at) -> {
          bases.put(row.apply(metric), of.basis().at(at, of.succeeded()));
          if (at != Percentile.P99_9 || at.isCarriedBy(of.succeeded())) {
            put(values, row.apply(metric), of.percentileMs(at));
          }
        });
    if (of.response().getTotalCount() > 0) {
      values.put(row.apply(Metric.MAX), of.response().getMaxValue() / NANOS_PER_MS);
    }
    put(values, row.apply(Metric.ERRORS), RequestFigures.number(of.failed()));
    if (step.asked().isOpen()) {
      put(values, row.apply(Metric.DROPPED), RequestFigures.number(of.dropped()));
    }
    return values;
  }

  /** Adds the outage of each kind of fault; at least the observed time if it did not end. */
  private static void addOutages(Map<Row, Double> values, Set<Row> bounds, FaultFigures faults) {
    faults
        .byKind()
        .forEach(
            (kind, outages) ->
                OutageStatement.spread(outages, OutageMetric.WRITES_STOPPED)
                    .ifPresent(
                        spread -> {
                          Row row =
                              new Row(
                                  "fault " + kind,
                                  OptionalInt.empty(),
                                  Optional.empty(),
                                  Metric.OUTAGE);
                          values.put(row, spread.median().ms());
                          if (!spread.median().ended()) {
                            bounds.add(row);
                          }
                        }));
  }

  /** Adds the values of machines over the whole run, and over each of several steps. */
  private static void addMachines(Map<Row, Double> values, DatabaseFigures database) {
    Map<HostFigure, Double> host = database.host().map(each -> each.figures()).orElse(Map.of());
    Map<Metric, Double> whole = new EnumMap<>(Metric.class);
    RequestFigures.known(host, HostFigure.SERVER_MAX_MEMORY_BYTES)
        .ifPresent(bytes -> whole.put(Metric.SERVER_MEMORY, bytes / BYTES_PER_MB));
    RequestFigures.known(host, HostFigure.SERVER_DISK_BYTES)
        .ifPresent(bytes -> whole.put(Metric.DATA_ON_DISK, bytes / BYTES_PER_MB));
    whole.putAll(machines(database, database.requests(), any -> true, database.costs()));
    whole.forEach(
        (metric, value) ->
            values.put(new Row("machines", OptionalInt.empty(), Optional.empty(), metric), value));
    for (StepFigures step :
        database.steps().size() > 1 ? database.steps() : List.<StepFigures>of()) {
      String group = where(database, step) + ", machines";
      OptionalInt number = OptionalInt.of(step.number());
      machines(
              database,
              step.requests(),
              each -> each == step.number(),
              database.costsOfSteps().getOrDefault(step.number(), Map.of()))
          .forEach(
              (metric, value) ->
                  values.put(new Row(group, number, Optional.empty(), metric), value));
    }
  }

  private static Map<Metric, Double> machines(
      DatabaseFigures database,
      RequestFigures requests,
      IntPredicate steps,
      Map<Metric, Double> costs) {
    Map<Metric, Double> values = new EnumMap<>(Metric.class);
    if (requests.succeeded() == 0) {
      return values;
    }
    values.putAll(costs);
    database.host().stream()
        .flatMapToDouble(host -> host.serverBytesWritten(steps).stream())
        .forEach(bytes -> values.put(Metric.DISK_WRITTEN, bytes / BYTES_PER_MB));
    database.run().manifest().costs().stream()
        .filter(each -> steps.test(each.step()))
        .mapToDouble(StepUsage::cpuNanos)
        .reduce(Double::sum)
        .ifPresent(nanos -> values.put(Metric.GENERATOR_CPU, nanos / 1e3 / requests.succeeded()));
    return values;
  }

  /** Adds the means of the canaries, for the history. */
  private static void addCanaries(Map<Row, Double> values, List<Canary> canaries) {
    for (Canary each : canaries) {
      each.values()
          .forEach(
              (metric, value) ->
                  values.merge(
                      new Row("canary", OptionalInt.empty(), Optional.empty(), metric),
                      value / canaries.size(),
                      Double::sum));
    }
  }

  private static void put(Map<Row, Double> values, Row row, OptionalDouble value) {
    value.ifPresent(known -> values.put(row, known));
  }

  /** Returns why any value says nothing about the database; empty if they may. */
  public Optional<String> disqualification() {
    return disqualifications().map(Reservation.Stated::text).findFirst();
  }

  private Stream<Reservation.Stated> disqualifications() {
    return bases.values().stream().flatMap(each -> Reservation.disqualifications(each).stream());
  }

  /**
   * Returns why the whole run says nothing, by a cause that does not depend on its latencies; empty
   * if there is none.
   */
  Optional<String> spoiled() {
    return othersCores.orElse(0) > GeneratorDelay.MOST_OTHERS * manifest.host().cores()
        ? Optional.of("other processes used more than a quarter of the CPUs")
        : disqualifications()
            .filter(each -> each.reservation() != Reservation.DISTURBED)
            .map(Reservation.Stated::text)
            .findFirst();
  }

  /** Returns whether a run succeeded too rarely for a percentile. */
  boolean isOfFew(Row row) {
    return bases.containsKey(row) && bases.get(row).own().contains(Reservation.TOO_FEW);
  }

  /**
   * Returns why a value must not be compared; empty if it may be. Errors, outages and resources
   * must not if some value of the run says nothing.
   */
  List<Reservation.Stated> obstacles(Row row) {
    return bases.containsKey(row)
        ? Reservation.obstacles(Reservation.about(Map.of("", bases.get(row))))
        : disqualifications().toList();
  }

  /** Returns whether both are the same run, perhaps copied to another directory. */
  boolean isSameRun(RunValues other) {
    return start().equals(other.start())
        && manifest.store().id().equals(other.manifest.store().id())
        && values.equals(other.values);
  }

  public Instant start() {
    return manifest.start();
  }

  /** Returns the conditions that have to be the same for a comparison, by their ids. */
  public Map<String, String> conditions() {
    return Condition.of(manifest);
  }

  private static String text(RunZones zones) {
    return zones.links().stream()
        .map(link -> link.zones() + " " + link.asked())
        .collect(Collectors.joining(", ", zones.topology() + " (", ")"));
  }
}
