// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import org.HdrHistogram.Histogram;

/**
 * The delay that the load generator adds to the requests of a step, in nanoseconds. Its percentiles
 * are sums of the percentiles of both parts. That is an upper estimate, since a request that is
 * sent late need not have a late answer.
 *
 * @param sending delays of sent requests after their scheduled send times
 * @param receiving delays of a probe by the threads that receive answers
 */
public record GeneratorDelay(Histogram sending, Histogram receiving) {
  /** Part of a latency above which the delay distorts it. */
  public static final double SIGNIFICANT_PART = 0.1;

  /** Part of a CPU above which the JVM's compiler distorts latencies. */
  private static final double MOST_COMPILING = 0.05;

  /** Part of all CPUs above which other processes distort latencies. */
  public static final double MOST_OTHERS = 0.25;

  /** Returns whether the JVM's compiler used enough of a CPU in a time to distort latencies. */
  public static boolean isCompiling(long compileNanos, long nanos) {
    return compileNanos > MOST_COMPILING * nanos;
  }

  /** Returns a percentile of the delay of receiving, from 0 to 100; 0 if it is not known. */
  public long receivingNanos(double percent) {
    return percentile(receiving, percent);
  }

  /** Returns a percentile of the delay, from 0 to 100 for the maximum. */
  public long nanos(double percent) {
    return percentile(sending, percent) + percentile(receiving, percent);
  }

  private static long percentile(Histogram times, double percent) {
    return times.getTotalCount() == 0 ? 0 : times.getValueAtPercentile(percent);
  }

  /** Returns the mean of the delay. */
  public double meanNanos() {
    return sending.getMean() + receiving.getMean(); // 0 if there are none
  }

  /** Returns whether the mean delay is more than a tenth of the mean latency. */
  public boolean distortsMean(double latencyNanos) {
    return meanNanos() > SIGNIFICANT_PART * latencyNanos;
  }

  /** Returns the part of a median latency that is this delay, 0 to 1 and more. */
  public double partOfMedian(long latencyNanos) {
    return nanos(50) / (double) latencyNanos;
  }

  /** Returns whether the delay is more than a tenth of a latency at this percentile, 0 to 100. */
  public boolean distorts(double percent, double latencyNanos) {
    return nanos(percent) > SIGNIFICANT_PART * latencyNanos;
  }
}
