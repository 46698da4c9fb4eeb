// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.report.judge.Family.Limits;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.results.ExperimentRun;
import io.quorate.results.latency.Percentile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The values of a run, computed once for tables, page, plots, findings and exports.
 *
 * @param databases databases in the order of the columns
 * @param imports columns of imported runs of other tools
 * @param repeats this run and those of the same scenario that were published with it, without those
 *     that decide nothing; empty if there are none
 */
public record RunFigures(
    ExperimentRun run,
    List<DatabaseFigures> databases,
    List<TotalFigures> imports,
    List<RunFigures> repeats) {
  public static RunFigures of(ExperimentRun run) {
    return new RunFigures(
        run,
        run.databases().stream().map(DatabaseFigures::of).toList(),
        run.imports().stream().map(TotalFigures::of).toList(),
        List.of());
  }

  public RunFigures withRepeats(List<RunFigures> all) {
    return new RunFigures(run, databases, imports, all);
  }

  /**
   * Returns how far the values of this run have to differ. Between its repeats, those of one
   * database with the same load differ by chance, so that values within that are a tie.
   */
  public Limits limits(Kind kind) {
    Stream<Function<RequestFigures, OptionalDouble>> values =
        switch (kind) {
          case RATE -> Stream.of(RequestFigures::requestsPerSecond);
          case TIME -> Stream.of(Percentile.P50, Percentile.P99).map(p -> of -> of.percentileMs(p));
          case COUNT, RESOURCE -> Stream.of();
        };
    Limits usual = Limits.USUAL;
    double tie = values.mapToDouble(of -> spread(kind, of)).reduce(usual.tie(), Math::max);
    return new Limits(usual.threshold(), usual.margin(), tie);
  }

  /** Returns the percentage up to which values are a tie. */
  public int tiePercent(Kind kind) {
    return (int) Math.round(100 * limits(kind).tie());
  }

  /** Returns the percentages up to which throughputs and latencies are ties, in words. */
  public String ties() {
    int rate = tiePercent(Kind.RATE);
    int time = tiePercent(Kind.TIME);
    return rate == time ? rate + "%" : "%d%% (latencies: %d%%)".formatted(rate, time);
  }

  /** Returns the largest difference of a value of one database and load, as part of the least. */
  private double spread(Kind kind, Function<RequestFigures, OptionalDouble> value) {
    return repeats.stream()
        .flatMap(each -> each.compared().stream())
        .flatMap(
            each ->
                each.byLoad().entrySet().stream()
                    .map(of -> Map.entry(List.of(each.name(), of.getKey()), of.getValue())))
        .collect(
            Collectors.groupingBy(
                Map.Entry::getKey,
                Collectors.flatMapping(
                    each -> value.apply(each.getValue()).stream().boxed(), Collectors.toList())))
        .values()
        .stream()
        .mapToDouble(
            of -> new Sample(kind, of.stream().mapToDouble(each -> each).toArray()).spread())
        .max()
        .orElse(0);
  }

  /** Returns the databases in the table. */
  public List<DatabaseFigures> compared() {
    return databases.stream().filter(each -> each.total().isPresent()).toList();
  }

  /** Returns the databases that had faults. */
  public List<DatabaseFigures> withFaults() {
    return databases.stream().filter(each -> each.faults().isPresent()).toList();
  }

  public List<TotalFigures> columns() {
    return Stream.concat(
            databases.stream().flatMap(each -> each.total().stream()), imports.stream())
        .toList();
  }

  /**
   * Returns why the run decides nothing, as a sentence; empty if it may be used. One disturbed
   * database is enough, as the others are compared with it.
   */
  public Optional<String> doNotUse() {
    List<String> reasons = databases.stream().flatMap(each -> each.disturbance().stream()).toList();
    return reasons.isEmpty()
        ? Optional.empty()
        : Optional.of("Do not use this run: " + String.join("; ", reasons) + ".");
  }

  public boolean hasLimits() {
    return databases.stream().anyMatch(each -> !each.limits().isEmpty());
  }
}
