// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.latency;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Summary of the latencies of one interval of {@code latency.hlog}: the successful requests of a
 * step, counted when they ended. It is small enough to be kept for every second of a run of hours.
 *
 * @param startMillis start, in milliseconds since 1970
 * @param endMillis end, in milliseconds since 1970
 * @param count number of requests, at least one
 * @param percentileNanos percentiles by nearest rank, in the order of {@link Percentile}
 * @param maxNanos the longest latency, the upper end of its bucket in the histogram
 * @param firstTenth the tenth of a decade of the shortest latency
 * @param counts numbers of requests in each tenth of a decade from there on
 */
public record LatencyInterval(
    LatencyTag tag,
    long startMillis,
    long endMillis,
    long count,
    long[] percentileNanos,
    long maxNanos,
    int firstTenth,
    int[] counts) {
  private static final int TENTHS = 10;

  /** Shortest latency of each tenth of a decade, over the whole range of a long. */
  private static final double[] FIRST_NANOS =
      IntStream.rangeClosed(0, 19 * TENTHS).mapToDouble(LatencyInterval::tenthFromNanos).toArray();

  /**
   * Summarizes an interval.
   *
   * @param buckets at least one
   */
  static LatencyInterval of(
      LatencyTag tag, long startMillis, long endMillis, RecordedBuckets buckets) {
    int last = buckets.size() - 1;
    int firstTenth = tenth(buckets.lowest(0));
    int[] counts = new int[tenth(buckets.lowest(last)) - firstTenth + 1];
    for (int i = 0; i <= last; i++) {
      int place = tenth(buckets.lowest(i)) - firstTenth;
      counts[place] = (int) Math.min(Integer.MAX_VALUE, counts[place] + buckets.count(i));
    }
    return new LatencyInterval(
        tag,
        startMillis,
        endMillis,
        buckets.total(),
        Percentile.all(buckets),
        buckets.highest(last),
        firstTenth,
        counts);
  }

  /** Returns the length of most intervals in whole seconds, at least 1. */
  public static int typicalSeconds(List<LatencyInterval> intervals) {
    long[] lengths =
        intervals.stream()
            .mapToLong(each -> Math.round((each.endMillis - each.startMillis) / 1000.0))
            .sorted()
            .toArray();
    return lengths.length == 0 ? 1 : (int) Math.max(1, lengths[lengths.length / 2]);
  }

  /** Returns a percentile by nearest rank, the upper end of its bucket in the histogram. */
  public long nanos(Percentile percentile) {
    return percentileNanos[percentile.ordinal()];
  }

  public int lastTenth() {
    return firstTenth + counts.length - 1;
  }

  /** Returns the number of requests in a tenth of a decade, see {@link #tenthFromNanos}. */
  public int countInTenth(int tenth) {
    int index = tenth - firstTenth;
    return index < 0 || index >= counts.length ? 0 : counts[index];
  }

  /** Returns the shortest latency, in nanoseconds, of this tenth of a decade: 10^(tenth / 10). */
  public static double tenthFromNanos(int tenth) {
    return Math.pow(10, tenth / (double) TENTHS);
  }

  private static int tenth(long nanos) {
    int found = Arrays.binarySearch(FIRST_NANOS, nanos);
    return Math.max(0, found < 0 ? -found - 2 : found);
  }
}
