package io.quorate.report.figures;

import io.quorate.results.DatabaseRun;
import io.quorate.results.EtcdBenchmarkReport;
import io.quorate.results.ImportedRun;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import io.quorate.scenario.Step;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The result of the run of a database: a column of the result table.
 *
 * @param id of the database
 * @param tag heads the column
 * @param scale what part of the scenario's requests was made
 * @param totalSeconds as far as it is known, as all that follows
 * @param requests that were asked for, whether they succeeded or not
 * @param maxThroughput of a whole second of a step
 * @param requestsPerSecond over the whole run
 * @param minThroughput of a whole second of a step
 * @param latency empty if nothing succeeded
 * @param errors the most frequent first
 * @param errorsKnown whether all errors are known; not if there was no request
 * @param host without those that were not measured
 * @param rangeMissing why the throughput of single seconds is not known, though they were measured
 * @param watch what its watchers were told; empty if there were none
 * @param basis of throughput and latencies
 * @param isOfGivenRate whether requests were sent at a given rate
 */
public record DatabaseResult(
    String id,
    String tag,
    double scale,
    OptionalDouble totalSeconds,
    OptionalLong requests,
    OptionalLong maxThroughput,
    OptionalDouble requestsPerSecond,
    OptionalLong minThroughput,
    Optional<ClientResults.Latency> latency,
    List<ClientResults.ErrorCount> errors,
    boolean errorsKnown,
    Map<HostFigure, Double> host,
    Optional<String> rangeMissing,
    Optional<WatchTotals> watch,
    Basis basis,
    boolean isOfGivenRate) {
  public DatabaseResult {
    errors = List.copyOf(errors);
    EnumMap<HostFigure, Double> copy = new EnumMap<>(HostFigure.class);
    copy.putAll(host);
    host = Collections.unmodifiableMap(copy);
  }

  /** Makes the result of a run without a note about its seconds. */
  public DatabaseResult(
      String id,
      String tag,
      double scale,
      OptionalDouble totalSeconds,
      OptionalLong requests,
      OptionalLong maxThroughput,
      OptionalDouble requestsPerSecond,
      OptionalLong minThroughput,
      Optional<ClientResults.Latency> latency,
      List<ClientResults.ErrorCount> errors,
      boolean errorsKnown,
      Map<HostFigure, Double> host) {
    this(
        id,
        tag,
        scale,
        totalSeconds,
        requests,
        maxThroughput,
        requestsPerSecond,
        minThroughput,
        latency,
        errors,
        errorsKnown,
        host,
        Optional.empty(),
        Optional.empty(),
        Basis.UNKNOWN.failing(errors.stream().mapToLong(ClientResults.ErrorCount::count).sum()),
        false);
  }

  /** Makes the result of a run of which only time, requests and errors are known. */
  public DatabaseResult(
      String id,
      String tag,
      double scale,
      double totalSeconds,
      long requests,
      OptionalLong maxThroughput,
      OptionalDouble requestsPerSecond,
      OptionalLong minThroughput,
      Optional<ClientResults.Latency> latency,
      List<ClientResults.ErrorCount> errors,
      Map<HostFigure, Double> host) {
    this(
        id,
        tag,
        scale,
        OptionalDouble.of(totalSeconds),
        OptionalLong.of(requests),
        maxThroughput,
        requestsPerSecond,
        minThroughput,
        latency,
        errors,
        true,
        host);
  }

  /** Returns the result of a run of which only the text exists. */
  public static DatabaseResult of(ImportedRun run) {
    EtcdBenchmarkReport report = run.report();
    return new DatabaseResult(
            run.tag(),
            run.tag(),
            1,
            report.totalSeconds(),
            report.requests(),
            OptionalLong.empty(),
            report.requestsPerSecond(),
            OptionalLong.empty(),
            report.latency(),
            report.errors().orElse(List.of()),
            report.errors().isPresent(),
            Map.of())
        .imported();
  }

  private DatabaseResult imported() {
    return new DatabaseResult(
        id,
        tag,
        scale,
        totalSeconds,
        requests,
        maxThroughput,
        requestsPerSecond,
        minThroughput,
        latency,
        errors,
        errorsKnown,
        host,
        rangeMissing,
        watch,
        basis.with(Reservation.IMPORTED),
        isOfGivenRate);
  }

  /** Returns the result of a run with client results. */
  public static DatabaseResult of(
      DatabaseRun run, ClientResults results, Map<HostFigure, Double> host) {
    boolean requested = results.requestsPerSecond().isPresent();
    ThroughputRange range = new ThroughputRange(StepFigures.of(run), results);
    return new DatabaseResult(
        run.manifest().store().id(),
        run.manifest().store().tag(),
        run.manifest().scenario().scale(),
        requested ? OptionalDouble.of(results.totalSeconds()) : OptionalDouble.empty(),
        OptionalLong.of(run.requests()),
        range.max(),
        results.requestsPerSecond(),
        range.min(),
        results.latency(),
        results.errors(),
        requested,
        host,
        range.missing(),
        WatchTotals.of(run),
        Basis.of(run),
        run.manifest().load().steps().stream().anyMatch(Step::isOpen));
  }

  /** Returns the number of requests that were due and never sent; 0 in a closed loop. */
  public long dropped() {
    return basis.dropped();
  }

  public Optional<Double> percentileMs(Percentile percentile) {
    return latency.map(figures -> figures.percentilesMs().get(percentile));
  }

  public Optional<Double> host(HostFigure figure) {
    return Optional.ofNullable(host.get(figure));
  }

  public long errorCount() {
    return errors.stream().mapToLong(ClientResults.ErrorCount::count).sum();
  }
}
