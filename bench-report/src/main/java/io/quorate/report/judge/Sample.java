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

  private static final int OUTLYING = 3;

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

  /** Returns by which part of the least value the greatest one is larger; 0 if it is not known. */
  public double spread() {
    return values.length > 0 && least() > 0 ? greatest() / least() - 1 : 0;
  }

  public double median() {
    return median(values);
  }

  /**
   * Returns this sample without its least or greatest value, if that is more than three times as
   * far from the median of the others as any of them, and they are at least five; otherwise itself.
   */
  Sample withoutOutlier() {
    double[] upper = Arrays.copyOf(values, Math.max(0, values.length - 1));
    double[] lower = Arrays.copyOfRange(values, Math.min(1, values.length), values.length);
    return isOutlier(values.length - 1, upper)
        ? new Sample(kind, isBound, upper)
        : isOutlier(0, lower) ? new Sample(kind, isBound, lower) : this;
  }

  private boolean isOutlier(int index, double... others) {
    double middle = median(others);
    double farthest =
        Arrays.stream(others).map(each -> Math.abs(each - middle)).max().orElse(Double.NaN);
    return others.length > MIN_RUNS && Math.abs(values[index] - middle) > OUTLYING * farthest;
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
