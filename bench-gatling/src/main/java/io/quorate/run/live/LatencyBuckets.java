package io.quorate.run.live;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Counts times in the buckets of a Prometheus histogram, in seconds. A time within 0.01 % of the
 * bound of a bucket may be in the one beside it. Not for several threads.
 */
final class LatencyBuckets {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double[] BOUNDS_SECONDS = {
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
  };

  private final long[] counts = new long[BOUNDS_SECONDS.length + 1];
  private double sumSeconds;

  /** Adds times in nanoseconds. */
  void add(Histogram nanos) {
    for (HistogramIterationValue value : nanos.recordedValues()) {
      double seconds = nanos.lowestEquivalentValue(value.getValueIteratedTo()) / NANOS_PER_SECOND;
      int bucket = 0;
      while (bucket < BOUNDS_SECONDS.length && seconds > BOUNDS_SECONDS[bucket]) {
        bucket++;
      }
      counts[bucket] += value.getCountAtValueIteratedTo();
      sumSeconds += seconds * value.getCountAtValueIteratedTo();
    }
  }

  /** Adds the samples of a histogram to a text. */
  void write(PrometheusText text, String name, Map<String, String> labels) {
    long count = 0;
    Map<String, String> withBound = new LinkedHashMap<>(labels);
    for (int bucket = 0; bucket < counts.length; bucket++) {
      count += counts[bucket];
      withBound.put("le", bound(bucket));
      text.sample(name + "_bucket", withBound, count);
    }
    text.sample(name + "_sum", labels, sumSeconds);
    text.sample(name + "_count", labels, count);
  }

  private static String bound(int bucket) {
    return bucket == BOUNDS_SECONDS.length
        ? "+Inf"
        : BigDecimal.valueOf(BOUNDS_SECONDS[bucket]).stripTrailingZeros().toPlainString();
  }
}
