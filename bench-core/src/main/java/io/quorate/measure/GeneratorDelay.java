package io.quorate.measure;

import org.HdrHistogram.Histogram;

/**
 * The delay that the load generator adds to the requests of a step, in nanoseconds. A percentile of
 * it is the sum of the same percentiles of both parts, which is an upper estimate, since a request
 * that is sent late need not be one whose answer is taken late.
 *
 * @param sending how much later than due requests were sent
 * @param receiving how long the threads that take answers kept a probe waiting
 */
public record GeneratorDelay(Histogram sending, Histogram receiving) {
  /** Part of a latency from which on the delay decides too much of it. */
  public static final double SIGNIFICANT_PART = 0.1;

  /** Returns a percentile of the delay, from 0 to 100 for the maximum. */
  public long nanos(double percent) {
    return percentile(sending, percent) + percentile(receiving, percent);
  }

  private static long percentile(Histogram times, double percent) {
    return times.getTotalCount() == 0 ? 0 : times.getValueAtPercentile(percent);
  }

  /** Returns whether the mean delay is more than a tenth of the mean latency. */
  public boolean distortsMean(double latencyNanos) {
    return mean(sending) + mean(receiving) > SIGNIFICANT_PART * latencyNanos;
  }

  private static double mean(Histogram times) {
    return times.getTotalCount() == 0 ? 0 : times.getMean();
  }

  /** Returns whether the delay is more than a tenth of a latency at this percentile, 0 to 100. */
  public boolean distorts(double percent, double latencyNanos) {
    return nanos(percent) > SIGNIFICANT_PART * latencyNanos;
  }
}
