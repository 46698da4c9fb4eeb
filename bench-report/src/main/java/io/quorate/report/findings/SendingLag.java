package io.quorate.report.findings;

import io.quorate.report.figures.OperationFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunEvent;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.latency.Percentile;
import java.util.Map;

/**
 * The lag of the load generator in a step of an open loop, beside response and service time, all at
 * p99. The lag is the difference of response and service time.
 *
 * @param dropped requests that were dropped after stalls of the load generator
 */
record SendingLag(double lagMs, double responseMs, double serviceMs, long dropped) {
  /** Lag above which the load generator was late. */
  private static final double LATE_MS = 10;

  /** Response times above so many service times are those of the load generator. */
  private static final double SERVICE_TIMES = 10;

  /** Returns the lag of the step with this number, from 1. */
  static SendingLag of(DatabaseRun run, int step) {
    return new SendingLag(
        p99(OperationFigures.lagMs(run, step)),
        p99(StepFigures.percentiles(run.latencies().ofStep(step))),
        p99(
            StepFigures.percentiles(
                run.latencies()
                    .together(tag -> tag.time() == LatencyTag.Time.SERVICE && tag.step() == step))),
        run.events().stream()
            .filter(event -> event.step() == step)
            .mapToLong(RunEvent::dropped)
            .sum());
  }

  /**
   * Returns whether the load generator was late. If it was, nobody can tell whether the store would
   * have taken a rate that was not reached.
   */
  boolean isLate() {
    return dropped > 0 || lagMs > LATE_MS || responseMs > SERVICE_TIMES * serviceMs;
  }

  private static double p99(Map<Percentile, Double> percentiles) {
    return percentiles.getOrDefault(Percentile.P99, 0.0);
  }
}
