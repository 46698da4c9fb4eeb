// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.capacity;

import org.HdrHistogram.Histogram;

/**
 * The 95% confidence interval of a percentile, in nanoseconds.
 *
 * <p>Among {@code n} independent latencies, the number below the percentile {@code p} has a
 * binomial distribution, with the mean {@code np} and the standard deviation {@code s = sqrt(np(1 -
 * p))}. So the percentile lies between the latencies with the ranks {@code floor(np - 1.96 s)} and
 * {@code ceil(np + 1.96 s) + 1} in ascending order (David and Nagaraja, Order Statistics, 7.1). The
 * normal approximation holds from ten latencies beyond the percentile on. Late requests come in
 * clusters, so that two trials may differ by more than the interval.
 */
public record PercentileInterval(long lowNanos, long highNanos) {
  /** The 97.5th percentile of the standard normal distribution. */
  private static final double Z = 1.959963984540054;

  private static final double PERCENT = 100;

  /**
   * Returns the interval.
   *
   * @param latencies histogram with at least one value
   * @param part part of the latencies below the percentile, 0 to 1
   */
  public static PercentileInterval of(Histogram latencies, double part) {
    long count = latencies.getTotalCount();
    double margin = Z * Math.sqrt(count * part * (1 - part));
    return new PercentileInterval(
        atRank(latencies, (long) Math.floor(count * part - margin)),
        atRank(latencies, (long) Math.ceil(count * part + margin) + 1));
  }

  private static long atRank(Histogram latencies, long rank) {
    long count = latencies.getTotalCount();
    double within =
        Math.max(1, Math.min(count, rank)) - 0.5; // otherwise rounding may miss the rank
    return latencies.getValueAtPercentile(PERCENT * within / count);
  }
}
