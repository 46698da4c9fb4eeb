// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.judge;

import io.quorate.scenario.Metric;
import java.util.Arrays;

/**
 * The values that the runs of one database have of one metric.
 *
 * @param isBound whether some of them are lower bounds only: outages that did not end
 * @param values values of at least 0; made ascending
 */
public record Sample(Kind kind, boolean isBound, double... values) {
  /** Least number of runs of each side for which an interval can have 95% confidence. */
  public static final int MIN_RUNS = 4;

  /** What a value is. All but rates are better if they are lower. */
  public enum Kind {
    RATE,
    TIME,
    /** A number of requests: changes are differences, as it is often 0. */
    COUNT,
    /** CPU, memory and bytes. */
    RESOURCE;

    public static Kind of(Metric metric) {
      return metric == Metric.THROUGHPUT
          ? RATE
          : metric.isTime() ? TIME : metric.isCount() ? COUNT : RESOURCE;
    }

    public boolean isBetter(double before, double after) {
      return this == RATE ? after > before : after < before;
    }

    /** Returns a direction in words: {@code faster}, {@code slower}, {@code less}, {@code more}. */
    public String word(boolean better) {
      return this == RATE || this == TIME ? better ? "faster" : "slower" : better ? "less" : "more";
    }
  }

  public Sample {
    values = values.clone();
    Arrays.sort(values);
  }

  public Sample(Kind kind, double... values) {
    this(kind, false, values);
  }

  public int count() {
    return values.length;
  }

  public double least() {
    return values[0];
  }

  public double greatest() {
    return values[values.length - 1];
  }

  public double median() {
    return median(values);
  }

  /** Returns the median of values in any order; NaN if there are none. */
  public static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length == 0
        ? Double.NaN
        : sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
