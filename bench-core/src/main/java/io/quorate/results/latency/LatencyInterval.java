package io.quorate.results.latency;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Summary of the latencies of one interval of {@code latency.hlog}, small enough to keep for every
 * second of a run of hours: the requests of a step that succeeded, counted when they ended.
 */
public final class LatencyInterval {
  private static final int TENTHS = 10;

  /** Shortest latency of each tenth of a decade, over the whole range of a long. */
  private static final double[] FIRST_NANOS =
      IntStream.rangeClosed(0, 19 * TENTHS).mapToDouble(LatencyInterval::tenthFromNanos).toArray();

  private final LatencyTag tag;
  private final long startMillis;
  private final long endMillis;
  private final long count;
  private final long[] percentileNanos;
  private final long maxNanos;
  private final int firstTenth;
  private final int[] counts;

  /** Creates a summary; the times of the interval are in milliseconds since 1970. */
  LatencyInterval(LatencyTag tag, long startMillis, long endMillis, Histogram histogram) {
    this.tag = tag;
    this.startMillis = startMillis;
    this.endMillis = endMillis;
    this.count = histogram.getTotalCount();
    this.maxNanos = histogram.getMaxValue();
    this.percentileNanos =
        Arrays.stream(Percentile.values()).mapToLong(each -> each.of(histogram)).toArray();
    this.firstTenth = tenth(histogram.getMinValue());
    this.counts = new int[tenth(maxNanos) - firstTenth + 1];
    int tenth = firstTenth;
    for (HistogramIterationValue each : histogram.recordedValues()) {
      while (histogram.lowestEquivalentValue(each.getValueIteratedTo()) >= FIRST_NANOS[tenth + 1]) {
        tenth++;
      }
      long sum = counts[tenth - firstTenth] + each.getCountAtValueIteratedTo();
      counts[tenth - firstTenth] = (int) Math.min(Integer.MAX_VALUE, sum);
    }
  }

  /** Returns the tag of the step and operation. */
  public LatencyTag tag() {
    return tag;
  }

  /** Returns the start in milliseconds since 1970. */
  public long startMillis() {
    return startMillis;
  }

  /** Returns the end in milliseconds since 1970. */
  public long endMillis() {
    return endMillis;
  }

  /** Returns the number of requests, at least one. */
  public long count() {
    return count;
  }

  /** Returns a percentile by nearest rank, the upper end of its bucket in the histogram. */
  public long nanos(Percentile percentile) {
    return percentileNanos[percentile.ordinal()];
  }

  /** Returns the longest latency, the upper end of its bucket in the histogram. */
  public long maxNanos() {
    return maxNanos;
  }

  /** Returns the tenth of a decade of the shortest latency. */
  public int firstTenth() {
    return firstTenth;
  }

  /** Returns the tenth of a decade of the longest latency. */
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
    int tenth = 0;
    while (nanos >= FIRST_NANOS[tenth + 1]) {
      tenth++;
    }
    return tenth;
  }
}
