// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.latency;

import io.quorate.measure.Latencies;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;

/**
 * Latencies of successes, in milliseconds. All but the percentiles are exact.
 *
 * @param percentilesMs percentiles; empty if there is no histogram
 */
public record LatencySummary(
    double slowestMs,
    double fastestMs,
    double averageMs,
    double standardDeviationMs,
    Map<Percentile, Double> percentilesMs) {
  private static final double NANOS_PER_MS = 1e6;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /**
   * Summarizes latencies.
   *
   * @param exact at least one
   * @param histogram histogram of the same latencies in nanoseconds, or an empty one
   */
  public static LatencySummary of(Latencies exact, Histogram histogram) {
    return new LatencySummary(
        1000 * inSeconds(exact.maxNanos()),
        1000 * inSeconds(exact.minNanos()),
        exact.meanNanos() / NANOS_PER_MS,
        exact.standardDeviationNanos() / NANOS_PER_MS,
        Percentile.ms(histogram, exact.minNanos(), exact.maxNanos()));
  }

  /** Converts nanoseconds to seconds as dbtester does, with the same last digit. */
  public static double inSeconds(long nanos) {
    return nanos / NANOS_PER_SECOND + nanos % NANOS_PER_SECOND / 1e9;
  }

  /** Returns a percentile, of which all are known if there was a histogram. */
  public double percentileMs(Percentile percentile) {
    return Objects.requireNonNull(percentilesMs.get(percentile));
  }
}
