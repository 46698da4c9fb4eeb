// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.latency;

import io.quorate.measure.GeneratorDelay;
import io.quorate.results.capacity.PercentileInterval;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The published percentiles, in their order. */
public enum Percentile {
  P10("p10", 10),
  P25("p25", 25),
  P50("p50", 50),
  P75("p75", 75),
  P90("p90", 90),
  P95("p95", 95),
  P99("p99", 99),
  P99_9("p99.9", 99.9);

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double PERCENT = 100;

  /** Least number of latencies beyond a percentile; with fewer it depends too much on chance. */
  private static final int ENOUGH = 10;

  private static final List<Percentile> ALL = List.of(values());

  private final String label;
  private final double percent;

  Percentile(String label, double percent) {
    this.label = label;
    this.percent = percent;
  }

  /** Returns the label in files and tables: {@code p99.9}. */
  public String label() {
    return label;
  }

  /** Returns the percentage exactly as named. */
  public BigDecimal percent() {
    return new BigDecimal(label.substring(1));
  }

  /** Returns whether the load generator's delay distorts this percentile of the latency. */
  public boolean isDistorted(GeneratorDelay delay, double latencyMs) {
    return delay.distorts(percent, latencyMs * NANOS_PER_MILLI);
  }

  /**
   * Returns whether this percentile has ten or more of the given number of latencies beyond it: p99
   * needs 1,000 latencies, and p99.9 needs 10,000.
   */
  public boolean isCarriedBy(long count) {
    return Math.round(count * (PERCENT - percent) / PERCENT) >= ENOUGH;
  }

  /**
   * Returns the interval in which this percentile lies.
   *
   * @param latencies histogram with at least one value
   */
  public PercentileInterval interval(Histogram latencies) {
    return PercentileInterval.of(latencies, percent / PERCENT);
  }

  /** Returns the percentage as in prose: {@code 99.9%}. */
  public String percentText() {
    return label.substring(1) + "%";
  }

  /**
   * Returns the smallest latency that is not below this part of all latencies (nearest rank): the
   * upper end of its bucket.
   *
   * @param histogram histogram with at least one value
   */
  public long of(Histogram histogram) {
    return histogram.getValueAtPercentile(percent);
  }

  /** Returns all percentiles of at least one value as {@link #of}, in their order. */
  static long[] all(RecordedBuckets buckets) {
    long[] ranks = ALL.stream().mapToLong(percentile -> percentile.rank(buckets.total())).toArray();
    long[] nanos = new long[ranks.length];
    long seen = 0;
    int next = 0;
    for (int i = 0; i < buckets.size(); i++) {
      seen += buckets.count(i);
      while (next < ranks.length && seen >= ranks[next]) {
        nanos[next++] = buckets.highest(i);
      }
    }
    return nanos;
  }

  /** Returns which value is the percentile of this many in ascending order, from 1. */
  private long rank(long count) {
    return Math.max(1, (long) Math.ceil(Math.nextDown(percent) * count / PERCENT));
  }

  /**
   * Returns all percentiles in milliseconds, limited to the measured minimum and maximum; empty
   * without latencies.
   */
  public static Map<Percentile, Double> ms(Histogram nanos, long minNanos, long maxNanos) {
    Map<Percentile, Double> percentiles = new EnumMap<>(Percentile.class);
    if (nanos.getTotalCount() > 0) {
      long[] all = all(RecordedBuckets.of(nanos));
      for (Percentile each : values()) {
        long value = Math.max(minNanos, Math.min(maxNanos, all[each.ordinal()]));
        percentiles.put(each, value / NANOS_PER_MILLI);
      }
    }
    return percentiles;
  }
}
