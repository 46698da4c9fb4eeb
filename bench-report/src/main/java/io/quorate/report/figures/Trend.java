// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.report.judge.Sample;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * How a value changes during a long run: the least-squares line through the values of consecutive
 * windows, with a 95% interval of its slope. Neighboring windows are alike, so they count as fewer
 * independent ones, by the correlation of neighbors (Santer et al., 2000, Journal of Geophysical
 * Research 105). A value grows only if the whole interval is above 0, and if it grew by {@value
 * #LEAST_PERCENT}% of its median or more.
 *
 * @param perHour change of the value in an hour
 * @param from lower end of the interval
 * @param to upper end of the interval
 * @param median median of all windows
 * @param hours time from the first to the last window
 */
public record Trend(double perHour, double from, double to, double median, double hours) {
  /** Whether a value grows. */
  public enum Direction {
    GROWS,
    SHRINKS,
    NONE
  }

  static final int LEAST_WINDOWS = 20;

  /** Least change in percent of the median; a smaller one does not count. */
  private static final int LEAST_PERCENT = 2;

  private static final double TAIL = 0.025;
  private static final double PERCENT = 100;

  /** Greatest correlation of neighbors that is taken into account. */
  private static final double MOST_ALIKE = 0.95;

  /**
   * Returns the trend of values; empty if there are fewer than {@value #LEAST_WINDOWS} known ones.
   *
   * @param hours time of each window, ascending
   * @param values value of each window; NaN if it is not known
   */
  static Optional<Trend> of(double[] hours, double[] values) {
    int[] known = IntStream.range(0, values.length).filter(i -> !Double.isNaN(values[i])).toArray();
    if (known.length < LEAST_WINDOWS) {
      return Optional.empty();
    }
    double[] x = IntStream.of(known).mapToDouble(i -> hours[i]).toArray();
    double[] y = IntStream.of(known).mapToDouble(i -> values[i]).toArray();
    double middleX = DoubleStream.of(x).average().orElseThrow();
    double middleY = DoubleStream.of(y).average().orElseThrow();
    double spread = DoubleStream.of(x).map(each -> (each - middleX) * (each - middleX)).sum();
    double perHour =
        IntStream.range(0, x.length).mapToDouble(i -> (x[i] - middleX) * (y[i] - middleY)).sum()
            / spread;
    double[] distances =
        IntStream.range(0, x.length)
            .mapToDouble(i -> y[i] - middleY - perHour * (x[i] - middleX))
            .toArray();
    double alike = alike(distances);
    double independent = x.length * (1 - alike) / (1 + alike);
    double freedom = Math.max(1, independent - 2);
    double squares = DoubleStream.of(distances).map(each -> each * each).sum();
    double half =
        TDistribution.of(freedom).inverseSurvivalProbability(TAIL)
            * Math.sqrt(squares / freedom / spread);
    return Optional.of(
        new Trend(
            perHour, perHour - half, perHour + half, Sample.median(y), x[x.length - 1] - x[0]));
  }

  /** Returns the correlation of each value with the next one, corrected for its bias. */
  private static double alike(double[] distances) {
    double products = 0;
    double squares = 0;
    for (int i = 0; i < distances.length; i++) {
      squares += distances[i] * distances[i];
      products += i == 0 ? 0 : distances[i - 1] * distances[i];
    }
    double alike = squares == 0 ? 0 : products / squares;
    double unbiased = alike + (1 + 4 * alike) / distances.length;
    return Math.max(0, Math.min(MOST_ALIKE, unbiased));
  }

  public Direction direction() {
    boolean matters = Math.abs(perHour) * hours * PERCENT >= LEAST_PERCENT * Math.abs(median);
    if (!matters || from <= 0 && to >= 0) {
      return Direction.NONE;
    }
    return perHour > 0 ? Direction.GROWS : Direction.SHRINKS;
  }

  /**
   * Returns the means of as many windows of equal length; NaN for a window without a known value.
   */
  static double[] means(double[] values, int windows) {
    double[] means = new double[windows];
    for (int window = 0; window < windows; window++) {
      int from = (int) ((long) values.length * window / windows);
      int to = (int) ((long) values.length * (window + 1) / windows);
      means[window] =
          DoubleStream.of(values)
              .skip(from)
              .limit(to - from)
              .filter(value -> !Double.isNaN(value))
              .average()
              .orElse(Double.NaN);
    }
    return means;
  }
}
