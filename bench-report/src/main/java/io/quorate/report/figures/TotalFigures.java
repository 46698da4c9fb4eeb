// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.results.DatabaseRun;
import io.quorate.results.EtcdBenchmarkReport;
import io.quorate.results.ImportedRun;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.ClientResults.ErrorCount;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The values of all steps of a database together: a column of the result table. Values that are
 * unknown are empty.
 *
 * @param tag heading of the column
 * @param scale part of the scenario's requests that was sent
 * @param requests planned number of requests, whether they succeeded or not
 * @param maxThroughput highest throughput of a second of a step
 * @param requestsPerSecond successes per second over the whole run
 * @param minThroughput lowest throughput of a second of a step
 * @param latency latency of the successes; empty if nothing succeeded
 * @param errors errors, the most frequent first; empty if they are unknown, or if there was no
 *     request
 * @param rangeMissing why the throughput of single seconds is unknown, though they were measured
 * @param watch events of its watchers; empty if there were none
 * @param basis basis of throughput and latencies
 */
public record TotalFigures(
    String id,
    String tag,
    double scale,
    OptionalDouble totalSeconds,
    OptionalLong requests,
    OptionalLong maxThroughput,
    OptionalDouble requestsPerSecond,
    OptionalLong minThroughput,
    Optional<LatencySummary> latency,
    Optional<List<ErrorCount>> errors,
    Map<HostFigure, Double> host,
    Optional<String> rangeMissing,
    Optional<WatchFigures> watch,
    Basis basis) {
  static TotalFigures of(ImportedRun run) {
    EtcdBenchmarkReport report = run.report();
    return new TotalFigures(
        run.tag(),
        run.tag(),
        1,
        report.totalSeconds(),
        report.requests(),
        OptionalLong.empty(),
        report.requestsPerSecond(),
        OptionalLong.empty(),
        report.latency(),
        report.errors(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        Basis.failing(report.errors()).with(Reservation.IMPORTED));
  }

  static TotalFigures of(
      DatabaseRun run,
      ClientResults results,
      RequestFigures requests,
      ThroughputRange range,
      Map<HostFigure, Double> host) {
    boolean requested = results.requestsPerSecond().isPresent();
    return new TotalFigures(
        run.manifest().store().id(),
        run.manifest().store().tag(),
        run.manifest().scenario().scale(),
        requested ? OptionalDouble.of(results.totalSeconds()) : OptionalDouble.empty(),
        OptionalLong.of(run.requests()),
        range.max(),
        results.requestsPerSecond(),
        range.min(),
        requests.latency(),
        requested ? Optional.of(results.errors()) : Optional.empty(),
        host,
        range.missing(),
        WatchFigures.of(run),
        Basis.of(run, requests.basis()));
  }

  /** Returns the number of requests that were due but never sent; 0 in a closed loop. */
  public long dropped() {
    return basis.dropped();
  }

  public OptionalDouble percentileMs(Percentile percentile) {
    return latency.stream()
        .flatMapToDouble(known -> RequestFigures.known(known.percentilesMs(), percentile).stream())
        .findFirst();
  }

  public OptionalDouble host(HostFigure figure) {
    return RequestFigures.known(host, figure);
  }

  /** Returns the number of requests that were sent and succeeded. */
  public long succeeded() {
    return requests.orElse(0) - errorCount() - dropped();
  }

  public long errorCount() {
    return errors.stream().flatMap(List::stream).mapToLong(ErrorCount::count).sum();
  }
}
