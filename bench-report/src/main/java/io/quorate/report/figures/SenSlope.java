// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * The slope of Theil and Sen: the median of the slopes of all pairs of points. Unlike least
 * squares, a few outliers do not change it.
 */
public final class SenSlope {
  private SenSlope() {}

  /** Returns the slope; empty if all points have the same x. Takes quadratic time. */
  public static OptionalDouble of(double[] x, double[] y) {
    double[] slopes = new double[x.length * (x.length - 1) / 2];
    int count = 0;
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < i; j++) {
        if (x[i] != x[j]) {
          slopes[count++] = (y[i] - y[j]) / (x[i] - x[j]);
        }
      }
    }
    return count == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(median(Arrays.copyOf(slopes, count)));
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
