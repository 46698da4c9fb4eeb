// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

/**
 * The exact statistics of a number of latencies, in nanoseconds.
 *
 * @param count their number; if it is 0, the other values are meaningless
 * @param sumOfSquares sum of their squares, for the standard deviation
 */
public record Latencies(
    long count, long sumNanos, long minNanos, long maxNanos, double sumOfSquares) {
  public static final Latencies NONE = new Latencies(0, 0, Long.MAX_VALUE, 0, 0);

  /** Returns the arithmetic mean in nanoseconds; NaN when the count is 0. */
  public double meanNanos() {
    return count == 0 ? Double.NaN : (double) sumNanos / count;
  }

  /** Returns the population standard deviation (divided by n); NaN when the count is 0. */
  public double standardDeviationNanos() {
    double mean = meanNanos();
    return Math.sqrt(Math.max(0, sumOfSquares / count - mean * mean));
  }

  public Latencies plus(Latencies other) {
    return new Latencies(
        count + other.count,
        sumNanos + other.sumNanos,
        Math.min(minNanos, other.minNanos),
        Math.max(maxNanos, other.maxNanos),
        sumOfSquares + other.sumOfSquares);
  }

  /**
   * Returns the statistics of the latencies after an earlier state. Minimum and maximum cover all
   * latencies, unless there are no new ones.
   */
  Latencies since(Latencies before) {
    return equals(before)
        ? NONE
        : new Latencies(
            count - before.count,
            sumNanos - before.sumNanos,
            minNanos,
            maxNanos,
            Math.max(0, sumOfSquares - before.sumOfSquares));
  }
}
