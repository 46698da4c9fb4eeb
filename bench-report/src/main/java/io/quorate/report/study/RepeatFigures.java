// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.quorate.report.compare.RunValues;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.outage.FaultFigures;
import io.quorate.report.figures.outage.Outage;
import io.quorate.report.figures.outage.OutageMetric;
import io.quorate.report.figures.outage.OutageSpread;
import io.quorate.report.figures.outage.OutageTime;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import io.quorate.scenario.FaultPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values of a complete run of a cell.
 *
 * @param repeat number of the repeat, from 1
 * @param meanMs mean latency of its successes, like the other values
 * @param p50ErrorMs standard error of the median, from the distance of the quartiles
 * @param values its values by step and operation
 * @param outages outages of each kind of fault or maintenance
 * @param least the least time that its requests can take; empty if that is not known
 */
public record RepeatFigures(
    int repeat,
    long requests,
    long errors,
    double requestsPerSecond,
    double meanMs,
    double fastestMs,
    double p50Ms,
    @JsonIgnore double p50ErrorMs,
    double p99Ms,
    Optional<RoundTripBound> least,
    @JsonIgnore Basis basis,
    @JsonIgnore Map<Row, Double> values,
    @JsonIgnore Map<Row, Basis> bases,
    @JsonIgnore List<Outages> outages,
    @JsonIgnore Optional<String> disturbance) {
  /**
   * The outages of a kind of fault or maintenance, in milliseconds: medians of its injections.
   * There are none if most of the outages did not end while they were observed.
   *
   * @param anyClientMs longest time without an acknowledged write of any client
   * @param worstClientMs the same of the client with the longest one
   */
  record Outages(String kind, double anyClientMs, double worstClientMs) {
    private static Optional<Outages> of(FaultPlan.Kind kind, List<Outage> outages) {
      Optional<Double> any = median(outages, OutageMetric.WRITES_STOPPED);
      Optional<Double> worst = median(outages, OutageMetric.WORST_CLIENT);
      return any.isEmpty() || worst.isEmpty()
          ? Optional.empty()
          : Optional.of(new Outages(kind.toString(), any.get(), worst.get()));
    }

    private static Optional<Double> median(List<Outage> outages, OutageMetric metric) {
      return OutageSpread.of(outages.stream().flatMap(each -> metric.of(each).stream()).toList())
          .map(OutageSpread::median)
          .filter(OutageTime::ended)
          .map(OutageTime::ms);
    }

    static List<Outages> all(FaultFigures faults) {
      return faults.byKind().entrySet().stream()
          .flatMap(kind -> of(kind.getKey(), kind.getValue()).stream())
          .toList();
    }
  }

  /**
   * Factor for the standard error of a median, as for the notches of box plots. The error is this
   * times the distance of the quartiles, divided by the root of the number of values.
   */
  private static final double ERROR_OF_QUARTILES = 0.93;

  /**
   * Returns the values of a run; empty if it is not complete, nothing succeeded, or one of its
   * files is unreadable.
   */
  static Optional<RepeatFigures> of(int repeat, DatabaseFigures figures) {
    DatabaseRun run = figures.run();
    if (!run.manifest().status().isMeasured()
        || run.clients().isEmpty()
        || !run.unreadable().isEmpty()) {
      return Optional.empty();
    }
    ClientResults clients = run.clients().get();
    if (figures.requests().latency().isEmpty() || clients.requestsPerSecond().isEmpty()) {
      return Optional.empty();
    }
    LatencySummary latency = figures.requests().latency().get();
    double quartiles = latency.percentileMs(Percentile.P75) - latency.percentileMs(Percentile.P25);
    long successes = run.requests() - clients.errorCount();
    RunValues values = RunValues.of(figures);
    return Optional.of(
        new RepeatFigures(
            repeat,
            run.requests(),
            clients.errorCount(),
            clients.requestsPerSecond().getAsDouble(),
            latency.averageMs(),
            latency.fastestMs(),
            latency.percentileMs(Percentile.P50),
            ERROR_OF_QUARTILES * quartiles / Math.sqrt(Math.max(1, successes)),
            latency.percentileMs(Percentile.P99),
            RoundTripBound.of(run, CellInfo.asked(run)),
            figures.total().orElseThrow().basis(),
            values.values(),
            values.bases(),
            figures.faults().map(Outages::all).orElse(List.of()),
            figures.disturbance()));
  }
}
