package io.quorate.report.figures;

import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.OperationCounts;
import io.quorate.results.requests.StepRow;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The result of one operation of a step.
 *
 * @param requestsPerSecond successes by the duration of the step; empty if that is 0
 * @param percentilesMs of the response times; empty if nothing succeeded
 * @param serviceMs percentiles of the service times; empty in a closed loop, where they are the
 *     response times
 */
public record OperationFigures(
    OperationCounts counts,
    OptionalDouble requestsPerSecond,
    Map<Percentile, Double> percentilesMs,
    Map<Percentile, Double> serviceMs) {
  private static final double NANOS_PER_SECOND = 1e9;

  public OperationFigures {
    percentilesMs = copy(percentilesMs);
    serviceMs = copy(serviceMs);
  }

  private static Map<Percentile, Double> copy(Map<Percentile, Double> percentiles) {
    EnumMap<Percentile, Double> copy = new EnumMap<>(Percentile.class);
    copy.putAll(percentiles);
    return Collections.unmodifiableMap(copy);
  }

  /**
   * Returns the operations of a step in the order of the manifest; none if the step did not begin
   * or the files do not tell.
   *
   * @param step its number, from 1
   */
  public static List<OperationFigures> of(DatabaseRun run, int step) {
    return run.clients().stream()
        .flatMap(results -> results.steps().stream())
        .filter(row -> row.number() == step)
        .flatMap(row -> row.operations().stream().map(counts -> of(run, row, counts)))
        .toList();
  }

  private static OperationFigures of(DatabaseRun run, StepRow row, OperationCounts counts) {
    double seconds = row.durationNanos() / NANOS_PER_SECOND;
    return new OperationFigures(
        counts,
        seconds > 0 ? OptionalDouble.of(counts.succeeded() / seconds) : OptionalDouble.empty(),
        percentiles(run, LatencyTag.response(row.number(), counts.operation())),
        percentiles(run, LatencyTag.service(row.number(), counts.operation())));
  }

  /** Returns how late requests of a step were sent; empty if that was not recorded. */
  public static Map<Percentile, Double> lagMs(DatabaseRun run, int step) {
    return percentiles(run, LatencyTag.lag(step));
  }

  /** Returns how long threads of the load generator kept answers waiting; empty if unknown. */
  public static Map<Percentile, Double> receiveDelayMs(DatabaseRun run, int step) {
    return percentiles(run, LatencyTag.receive(step));
  }

  /** Returns how long a step took to connect for each request; empty if connections stay open. */
  public static Map<Percentile, Double> connectMs(DatabaseRun run, int step) {
    return percentiles(run, LatencyTag.connect(step));
  }

  private static Map<Percentile, Double> percentiles(DatabaseRun run, LatencyTag tag) {
    return StepFigures.percentiles(run.latencies().byTag().get(tag));
  }
}
