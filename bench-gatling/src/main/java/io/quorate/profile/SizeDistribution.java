// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import io.quorate.scenario.ValueSizes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Counts sizes of values in bounded memory: exactly up to 1,000 different sizes; more sizes with an
 * error of at most 0.1% each. For one thread.
 */
final class SizeDistribution {
  /** Most sizes that are kept one by one. */
  private static final int MOST_SIZES = 20;

  /** Parts of the values that become one size, if there are more sizes. */
  private static final double[] PARTS = {
    0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975, 0.99, 0.999, 1
  };

  private static final int MOST_BYTES = 1_000_000;
  private static final int MAX_WEIGHT = 1_000_000;
  private static final int DIGITS = 3;

  private static final int MOST_EXACT = 1000;

  private final Map<Integer, Long> exact = new TreeMap<>();
  private final Histogram sizes = new Histogram(1L << 31, DIGITS);

  void add(int bytes) {
    sizes.recordValue(bytes);
    if (exact.size() <= MOST_EXACT) {
      exact.merge(Math.min(MOST_BYTES, bytes), 1L, Long::sum);
    }
  }

  long count() {
    return sizes.getTotalCount();
  }

  /** Returns whether {@link #sizes} keeps all sizes one by one. */
  boolean isExact() {
    return all().size() <= MOST_SIZES;
  }

  /**
   * Returns the distribution: all sizes if there are at most 20, otherwise the mean of each tenth
   * of the values, with finer parts for the largest ones. The mean of all values stays the same.
   */
  ValueSizes sizes() {
    Map<Integer, Long> all = all();
    return weighted(all.size() <= MOST_SIZES ? all : parts(all));
  }

  private Map<Integer, Long> all() {
    if (exact.size() <= MOST_EXACT) {
      return exact;
    }
    Map<Integer, Long> all = new LinkedHashMap<>();
    for (HistogramIterationValue each : sizes.recordedValues()) {
      long bytes = sizes.medianEquivalentValue(each.getValueIteratedTo());
      all.merge(
          (int) Math.min(MOST_BYTES, bytes), each.getCountAddedInThisIterationStep(), Long::sum);
    }
    return all;
  }

  private Map<Integer, Long> parts(Map<Integer, Long> all) {
    Map<Integer, Long> parts = new LinkedHashMap<>();
    long before = 0;
    int part = 0;
    double bytes = 0;
    long values = 0;
    for (Map.Entry<Integer, Long> each : all.entrySet()) {
      long left = each.getValue();
      while (left > 0) {
        long end = (long) Math.ceil(PARTS[part] * count());
        long taken = Math.min(left, Math.max(0, end - before));
        bytes += (double) taken * each.getKey();
        values += taken;
        before += taken;
        left -= taken;
        if (before >= end) {
          if (values > 0) {
            parts.merge((int) Math.round(bytes / values), values, Long::sum);
          }
          bytes = 0;
          values = 0;
          part++;
        }
      }
    }
    return parts;
  }

  private static ValueSizes weighted(Map<Integer, Long> counts) {
    long most = counts.values().stream().mapToLong(Long::longValue).max().orElse(1);
    double factor = Math.min(1, MAX_WEIGHT / (double) most);
    List<ValueSizes.Share> shares = new ArrayList<>();
    counts.forEach(
        (bytes, count) ->
            shares.add(new ValueSizes.Share(bytes, (int) Math.max(1, Math.round(count * factor)))));
    return new ValueSizes(shares);
  }
}
