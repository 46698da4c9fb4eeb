// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Finds the places in a series of runs where the level of a value changes. The algorithm is that of
 * Hunter (Fleming et al., ICPE 2023, doi 10.1145/3578244.3583719): E-divisive (Matteson and James,
 * 2014) in overlapping windows finds weak change points, and t tests over the whole series remove
 * those that are not significant or too small. It agrees with Apache Otava, down to the standard
 * deviation without Bessel's correction, and to which neighbors of a removed point are tested
 * again.
 */
final class ChangePoints {
  private static final int WINDOW = 50;
  private static final double MAX_P = 0.001;
  private static final double MIN_MAGNITUDE = 0.05;

  /** Largest probability that a series without a change has one. */
  private static final double MAX_ERROR = 0.01;

  /** Greatest correlation of neighbors that is taken into account. */
  private static final double MOST_ALIKE = 0.99;

  /** Factor by which the test of weak change points is less strict. */
  private static final double WEAK = 10;

  private final double[] series;
  private final double maxP;
  private final double minMagnitude;

  private ChangePoints(double[] series, double maxP, double minMagnitude) {
    this.series = series;
    this.maxP = maxP;
    this.minMagnitude = minMagnitude;
  }

  /**
   * A change point.
   *
   * @param index index of the first run with the new level
   * @param before mean of the runs since the previous change point
   * @param after mean of the runs until the next change point
   * @param p probability of such a difference without a change, by Student's t test
   */
  record ChangePoint(int index, double before, double after, double p) {
    /** Returns the greater of the relative changes forward and backward. */
    double magnitude() {
      return Math.max(
          before == 0 ? 0 : Math.abs(after / before - 1),
          after == 0 ? 0 : Math.abs(before / after - 1));
    }

    /** Returns the change relative to the level before; 0 if that is 0. */
    double change() {
      return before == 0 ? 0 : after / before - 1;
    }
  }

  /**
   * Finds changes of 5% or more. Of series of independent runs without a change, at most 1% have
   * one. With a correlation of 0.5 between neighboring runs, 4% of series of 12 runs and 3% of 30
   * runs have one; with 0.9, 12% and 8% (simulated).
   *
   * <p>Hunter's probability of error is that of one test of independent runs. So the probability of
   * each of its points is multiplied by the number of places where it could be (Bonferroni), and
   * its test takes the correlation of neighboring runs into account. The weakest point is removed
   * until all are significant. Each removal can increase that correlation, as false levels hide it.
   */
  static List<ChangePoint> of(double[] series) {
    List<Integer> indexes =
        new ArrayList<>(
            of(series, WINDOW, MAX_P, MIN_MAGNITUDE).stream().map(ChangePoint::index).toList());
    while (!indexes.isEmpty()) {
      double alike = alike(series, indexes);
      List<ChangePoint> points =
          IntStream.range(0, indexes.size())
              .mapToObj(i -> tested(series, indexes, i, alike))
              .toList();
      int weakest = weakest(points, p -> p * (series.length - 1) <= MAX_ERROR, MIN_MAGNITUDE);
      if (weakest < 0) {
        return points;
      }
      indexes.remove(weakest);
    }
    return List.of();
  }

  /**
   * Returns how alike neighboring runs are: the correlation of their distances from their levels,
   * corrected for its bias by each level, and a standard error more.
   */
  private static double alike(double[] series, List<Integer> points) {
    double products = 0;
    double squares = 0;
    double before = 0;
    int from = 0;
    for (int number = 0; number <= points.size(); number++) {
      int to = number == points.size() ? series.length : points.get(number);
      double mean = Arrays.stream(series, from, to).average().orElseThrow();
      for (int i = from; i < to; i++) {
        double distance = series[i] - mean;
        products += before * distance;
        squares += distance * distance;
        before = distance;
      }
      from = to;
    }
    double alike = squares == 0 ? 0 : products / squares;
    double bias = (1 + 4 * alike) * (points.size() + 1) / series.length;
    double error = Math.sqrt((1 - alike * alike) / series.length);
    return Math.max(0, Math.min(MOST_ALIKE, alike + bias + error));
  }

  /**
   * Tests a point by generalized least squares: each run less its predecessor times their
   * correlation is independent of the others.
   */
  private static ChangePoint tested(
      double[] series, List<Integer> points, int number, double alike) {
    int from = number == 0 ? 0 : points.get(number - 1);
    int index = points.get(number);
    int to = number + 1 == points.size() ? series.length : points.get(number + 1);
    double first = Math.sqrt(1 - alike * alike);
    double[] value = new double[to - from];
    double[] step = new double[to - from];
    double[] level = new double[to - from];
    for (int i = from; i < to; i++) {
      boolean isFirst = i == from;
      value[i - from] = isFirst ? first * series[i] : series[i] - alike * series[i - 1];
      level[i - from] = isFirst ? first : 1 - alike;
      step[i - from] = i < index ? 0 : i == index ? 1 : 1 - alike;
    }
    double determinant = sum(level, level) * sum(step, step) - Math.pow(sum(level, step), 2);
    double size =
        (sum(level, level) * sum(step, value) - sum(level, step) * sum(level, value)) / determinant;
    double before =
        (sum(step, step) * sum(level, value) - sum(level, step) * sum(step, value)) / determinant;
    double squares = 0;
    for (int i = 0; i < value.length; i++) {
      squares += Math.pow(value[i] - before * level[i] - size * step[i], 2);
    }
    int freedom = value.length - 2;
    double error = Math.sqrt(squares / freedom * sum(level, level) / determinant);
    double p =
        freedom < 1
            ? 1
            : error == 0
                ? 0
                : 2 * TDistribution.of(freedom).survivalProbability(Math.abs(size / error));
    return new ChangePoint(
        index,
        Arrays.stream(series, from, index).average().orElseThrow(),
        Arrays.stream(series, index, to).average().orElseThrow(),
        p);
  }

  private static double sum(double[] one, double[] other) {
    return IntStream.range(0, one.length).mapToDouble(i -> one[i] * other[i]).sum();
  }

  /**
   * Finds change points.
   *
   * @param window number of runs in which E-divisive looks at once, at least 2
   * @param maxP largest probability of error
   * @param minMagnitude smallest relative change
   */
  static List<ChangePoint> of(double[] series, int window, double maxP, double minMagnitude) {
    return new ChangePoints(series, maxP, minMagnitude).find(window);
  }

  private List<ChangePoint> find(int window) {
    double weak = maxP < 0.05 ? WEAK * maxP : maxP < 0.5 ? 2 * maxP : maxP;
    TreeMap<Integer, Boolean> found = new TreeMap<>();
    int start = 0;
    while (start < series.length) {
      int end = Math.min(start + window, series.length);
      List<Integer> inWindow = divided(Arrays.copyOfRange(series, start, end), weak);
      int last = 0;
      for (int index : inWindow) {
        found.put(start + index, true);
        last = Math.max(last, start + index);
      }
      start = Math.max(last, start + window / 2);
    }
    List<Integer> indexes = new ArrayList<>(found.keySet());
    List<ChangePoint> points = new ArrayList<>();
    for (int i = 0; i < indexes.size(); i++) {
      points.add(tested(series, indexes, i));
    }
    return merged(points);
  }

  /** Removes the weakest change points until all are significant and large enough. */
  private List<ChangePoint> merged(List<ChangePoint> points) {
    while (!points.isEmpty()) {
      int removed = weakest(points, p -> p < maxP, minMagnitude);
      if (removed < 0) {
        return points;
      }
      points.remove(removed);
      List<Integer> indexes = new ArrayList<>(points.stream().map(ChangePoint::index).toList());
      for (int i = removed; i <= removed + 1 && i < points.size(); i++) {
        points.set(i, tested(series, indexes, i));
      }
    }
    return points;
  }

  /** Returns the place of the point to remove; -1 if all are significant and large enough. */
  private static int weakest(List<ChangePoint> points, DoublePredicate isSmall, double magnitude) {
    Comparator<ChangePoint> order = Comparator.comparingDouble(it -> -it.p);
    ChangePoint weakest = points.stream().min(order).orElseThrow();
    if (isSmall.test(weakest.p)) {
      order = Comparator.comparingDouble(ChangePoint::magnitude);
      weakest = points.stream().min(order).orElseThrow();
      if (weakest.magnitude() > magnitude) {
        return -1;
      }
    }
    return points.indexOf(weakest);
  }

  /** Splits values at significant points, the most probable first, and returns these points. */
  private static List<Integer> divided(double[] values, double maxP) {
    double[][] sums = distanceSums(values);
    List<Integer> points = new ArrayList<>();
    while (true) {
      int candidate = -1;
      double best = Double.NEGATIVE_INFINITY;
      for (int i = 0; i <= points.size(); i++) {
        int from = i == 0 ? 0 : points.get(i - 1);
        int to = i == points.size() ? values.length : points.get(i);
        Split split = to - from > 1 ? Split.best(sums, from, to) : new Split(-1, Double.NaN);
        if (split.q > best) {
          candidate = split.index;
          best = split.q;
        }
      }
      if (candidate < 0) {
        return points;
      }
      List<Integer> next = new ArrayList<>(points);
      next.add(candidate);
      next.sort(null);
      if (!(tested(values, next, next.indexOf(candidate)).p <= maxP)) {
        return points;
      }
      points = next;
    }
  }

  /**
   * A place where values are divided in two.
   *
   * @param q weighted distance of the distributions before and after it
   */
  private record Split(int index, double q) {
    /** Returns the best place from one index to another, compared with the values up to any end. */
    static Split best(double[][] sums, int from, int to) {
      Split best = new Split(-1, Double.NEGATIVE_INFINITY);
      for (int index = from + 1; index < to; index++) {
        for (int end = index + 1; end <= to; end++) {
          double before = index - from;
          double after = end - index;
          double all = before + after;
          double q =
              2 / all * sum(sums, from, index, index, end)
                  - (before > 1
                      ? 2 * after / all / (before - 1) * sum(sums, from, index, from, index) / 2
                      : 0)
                  - (after > 1
                      ? 2 * before / all / (after - 1) * sum(sums, index, end, index, end) / 2
                      : 0);
          if (q > best.q) {
            best = new Split(index, q);
          }
        }
      }
      return best;
    }

    private static double sum(double[][] sums, int top, int bottom, int left, int right) {
      return sums[bottom][right] - sums[top][right] - sums[bottom][left] + sums[top][left];
    }
  }

  /** Returns the sums of the distances of all pairs of values up to two indexes. */
  private static double[][] distanceSums(double[] values) {
    double[][] sums = new double[values.length + 1][values.length + 1];
    for (int i = 0; i < values.length; i++) {
      for (int j = 0; j < values.length; j++) {
        sums[i + 1][j + 1] =
            Math.abs(values[i] - values[j]) + sums[i][j + 1] + sums[i + 1][j] - sums[i][j];
      }
    }
    return sums;
  }

  /** Tests the values between two neighbors of a point for a difference of their means. */
  private static ChangePoint tested(double[] values, List<Integer> points, int number) {
    int index = points.get(number);
    double[] before = Arrays.copyOfRange(values, number == 0 ? 0 : points.get(number - 1), index);
    double[] after =
        Arrays.copyOfRange(
            values, index, number + 1 == points.size() ? values.length : points.get(number + 1));
    double meanBefore = Arrays.stream(before).average().orElseThrow();
    double meanAfter = Arrays.stream(after).average().orElseThrow();
    int freedom = before.length + after.length - 2;
    double variance =
        freedom == 0
            ? Double.NaN
            : ((before.length - 1) * variance(before, meanBefore)
                    + (after.length - 1) * variance(after, meanAfter))
                / freedom;
    double t =
        (meanBefore - meanAfter) / Math.sqrt(variance * (1.0 / before.length + 1.0 / after.length));
    double p =
        freedom == 0
            ? 1
            : Double.isNaN(t)
                ? Double.NaN
                : 2 * TDistribution.of(freedom).survivalProbability(Math.abs(t));
    return new ChangePoint(index, meanBefore, meanAfter, p);
  }

  /** Returns the variance of all values, without Bessel's correction. */
  private static double variance(double[] values, double mean) {
    return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / values.length;
  }
}
