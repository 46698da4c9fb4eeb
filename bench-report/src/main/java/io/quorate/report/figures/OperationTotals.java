package io.quorate.report.figures;

import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.OperationCounts;
import io.quorate.scenario.OperationMix;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The figures of one of several operations, over all steps.
 *
 * @param requestsPerSecond successes by the measured time; empty if that is not known
 * @param p50Ms of the response times; empty if nothing succeeded
 * @param p99Ms of the response times; empty if nothing succeeded
 * @param errors empty if the files do not tell
 * @param basis of its latencies
 */
public record OperationTotals(
    String operation,
    long successes,
    OptionalDouble requestsPerSecond,
    OptionalDouble p50Ms,
    OptionalDouble p99Ms,
    OptionalLong errors,
    Basis basis) {
  private static final double NANOS_PER_MS = 1e6;

  /**
   * Returns the number of requests that were due and never sent; empty if the files do not tell.
   */
  public OptionalLong dropped() {
    return errors.isEmpty() ? OptionalLong.empty() : OptionalLong.of(basis.dropped());
  }

  /** Returns the figures of all operations in the order of the scenario; none if it has but one. */
  public static List<OperationTotals> of(DatabaseRun run) {
    OperationMix mix = run.manifest().load().mix();
    return mix.isSingle()
        ? List.of()
        : mix.operations().stream().map(each -> of(run, each.id())).toList();
  }

  private static OperationTotals of(DatabaseRun run, String operation) {
    Histogram nanos = responseTimes(run, operation);
    double seconds = run.clients().map(ClientResults::totalSeconds).orElse(0.0);
    long successes = sum(run, operation, OperationCounts::succeeded).orElse(nanos.getTotalCount());
    return new OperationTotals(
        operation,
        successes,
        seconds > 0 ? OptionalDouble.of(successes / seconds) : OptionalDouble.empty(),
        percentileMs(nanos, Percentile.P50),
        percentileMs(nanos, Percentile.P99),
        sum(run, operation, OperationCounts::failed),
        Basis.of(run, operation));
  }

  /**
   * Returns percentiles in milliseconds of the response times of an operation, over all steps; none
   * if nothing succeeded.
   */
  public static Map<Percentile, Double> percentilesMs(DatabaseRun run, String operation) {
    return StepFigures.percentiles(responseTimes(run, operation));
  }

  /** Returns the sum over all steps; empty if the files do not tell. */
  private static OptionalLong sum(
      DatabaseRun run, String operation, ToLongFunction<OperationCounts> count) {
    List<OperationCounts> counts =
        run.clients().stream()
            .flatMap(results -> results.steps().stream())
            .flatMap(step -> step.operations().stream())
            .filter(each -> each.operation().equals(operation))
            .toList();
    return counts.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(counts.stream().mapToLong(count).sum());
  }

  private static Histogram responseTimes(DatabaseRun run, String operation) {
    return run.latencies()
        .together(
            tag ->
                tag.time() == LatencyTag.Time.RESPONSE
                    && tag.operation().equals(Optional.of(operation)));
  }

  private static OptionalDouble percentileMs(Histogram nanos, Percentile percentile) {
    return nanos.getTotalCount() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            percentile.of(nanos, nanos.getMinValue(), nanos.getMaxValue()) / NANOS_PER_MS);
  }
}
