package io.quorate.run;

import java.math.BigDecimal;
import org.HdrHistogram.Histogram;

/** The percentiles that are published, in their order. */
public enum Percentile {
  P10("p10", 10),
  P25("p25", 25),
  P50("p50", 50),
  P75("p75", 75),
  P90("p90", 90),
  P95("p95", 95),
  P99("p99", 99),
  P99_9("p99.9", 99.9);

  private final String label;
  private final double percent;

  Percentile(String label, double percent) {
    this.label = label;
    this.percent = percent;
  }

  /** As files and tables name it: {@code p99.9}. */
  public String label() {
    return label;
  }

  /** Exactly as it is named. */
  BigDecimal percent() {
    return new BigDecimal(label.substring(1));
  }

  /** How many of so many latencies are expected to be longer. */
  public double beyond(long count) {
    return count * (100 - percent) / 100;
  }

  /** The position of this percentile among so many values in ascending order, from 1. */
  long rank(long count) {
    return Math.max(1, Math.min(count, (long) Math.ceil(percent * count / 100)));
  }

  /** As prose names it: {@code 99.9%}. */
  public String percentText() {
    return label.substring(1) + "%";
  }

  /**
   * The smallest latency that is not below this part of all latencies (nearest rank), as exact as
   * the histogram: the upper end of its bucket, but never outside what was measured.
   *
   * @param histogram with at least one value
   */
  public long of(Histogram histogram, long minNanos, long maxNanos) {
    long value = histogram.getValueAtPercentile(percent);
    return Math.max(minNanos, Math.min(maxNanos, value));
  }
}
