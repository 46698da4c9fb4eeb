// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.judge;

import io.quorate.format.NumberFormats;
import io.quorate.report.judge.Sample.Kind;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.inference.DataDispersion;
import org.apache.commons.statistics.inference.TTest;

/**
 * The change of a value from the runs of a baseline to the runs of a candidate. The estimate is
 * that of Hodges and Lehmann: the median of all differences of a candidate's and a baseline's run.
 * Its interval is the exact one of Mann and Whitney's test (Hollander, Wolfe and Chicken,
 * Nonparametric Statistical Methods, 3rd edition, 4.2 and 4.3). Positive values are compared by
 * their logarithms, so that the results are ratios. Without runs of a side all results are NaN.
 *
 * @param isRatio whether the results are ratios minus 1, or otherwise differences
 * @param low lower end of the 95% interval; with too few runs for one, the least difference
 * @param high upper end of the 95% interval, or the greatest difference
 * @param atLeast lower end of the one-sided 95% interval, whose upper end is infinite
 * @param atMost upper end of the one-sided 95% interval, whose lower end is infinite
 * @param p probability of such a difference without a change, by Student's t test. Unlike the
 *     probability of Mann and Whitney's test, it can become small enough for a correction over many
 *     metrics even with five runs. 1 if there is no spread and no difference, or no interval
 */
public record Change(
    Sample baseline,
    Sample candidate,
    boolean isRatio,
    double estimate,
    double low,
    double high,
    double atLeast,
    double atMost,
    double p) {
  /** Number of runs of one version whose halves have enough runs for an A/A band. */
  public static final int RUNS_FOR_BAND = 2 * Sample.MIN_RUNS;

  private static final double ERROR = 0.05;

  /** Number of pairs above which the test's distribution is close to the normal distribution. */
  private static final int MAX_EXACT_PAIRS = 2_500;

  public static Change of(Sample baseline, Sample candidate) {
    return of(baseline, candidate, baseline.kind() == Kind.COUNT);
  }

  private static Change of(Sample baseline, Sample candidate, boolean difference) {
    int runs = Math.min(baseline.count(), candidate.count());
    if (runs == 0) {
      double none = Double.NaN;
      return new Change(baseline, candidate, !difference, none, none, none, none, none, none);
    }
    boolean ratio = !difference && baseline.least() > 0 && candidate.least() > 0;
    double[] before = scaled(baseline, ratio);
    double[] after = scaled(candidate, ratio);
    double[] differences =
        Arrays.stream(after)
            .flatMap(one -> Arrays.stream(before).map(other -> one - other))
            .sorted()
            .toArray();
    int last = differences.length - 1;
    int outside = outside(before.length, after.length, ERROR / 2);
    int beyond = outside(before.length, after.length, ERROR);
    return new Change(
        baseline,
        candidate,
        ratio,
        change(ratio, Sample.median(differences)),
        change(ratio, differences[outside]),
        change(ratio, differences[last - outside]),
        change(ratio, differences[beyond]),
        change(ratio, differences[last - beyond]),
        runs < Sample.MIN_RUNS ? 1 : p(before, after));
  }

  private static double[] scaled(Sample sample, boolean ratio) {
    return ratio ? Arrays.stream(sample.values()).map(Math::log).toArray() : sample.values();
  }

  private static double change(boolean ratio, double difference) {
    return ratio ? Math.expm1(difference) : difference;
  }

  /**
   * Returns how many of the sorted differences are outside of the interval on each side: the
   * largest k for which the statistic U is at most k with a probability of at most {@code error}.
   */
  static int outside(int baseline, int candidate, double error) {
    int pairs = baseline * candidate;
    if (pairs > MAX_EXACT_PAIRS) {
      double deviation = Math.sqrt(pairs * (baseline + candidate + 1) / 12.0);
      double z = NormalDistribution.of(0, 1).inverseSurvivalProbability(error);
      return (int) Math.floor(pairs / 2.0 - z * deviation);
    }
    double[] probabilities = probabilities(baseline, candidate);
    double sum = probabilities[0];
    int most = 0;
    while (sum + probabilities[most + 1] <= error) {
      most++;
      sum += probabilities[most];
    }
    return most;
  }

  /** Returns the probability of each value of U if all orders of the runs are equally probable. */
  private static double[] probabilities(int baseline, int candidate) {
    double[][] ofFewer = new double[candidate + 1][];
    for (int n = 0; n <= candidate; n++) {
      ofFewer[n] = new double[] {1};
    }
    for (int m = 1; m <= baseline; m++) {
      double[][] next = new double[candidate + 1][];
      next[0] = new double[] {1};
      for (int n = 1; n <= candidate; n++) {
        next[n] = new double[m * n + 1];
        double last = (double) m / (m + n); // the greatest of all is a run of the baseline
        for (int u = 0; u <= m * n; u++) {
          double withoutBaseline = u - n >= 0 ? ofFewer[n][u - n] : 0;
          double withoutCandidate = u < next[n - 1].length ? next[n - 1][u] : 0;
          next[n][u] = last * withoutBaseline + (1 - last) * withoutCandidate;
        }
      }
      ofFewer = next;
    }
    return ofFewer[candidate];
  }

  private static double p(double[] before, double[] after) {
    // not the variances: rounding gives equal values one above 0
    if (DoubleStream.concat(Arrays.stream(before), Arrays.stream(after)).distinct().count() == 1) {
      return 1;
    }
    return TTest.withDefaults().with(DataDispersion.HOMOSCEDASTIC).test(before, after).getPValue();
  }

  /** Returns an estimate, or an end of its interval, with its sign. */
  public String text(double change) {
    return text(isRatio, change);
  }

  /** Returns a change with its sign: {@code +8.3%}, {@code +2}. */
  public static String text(boolean ratio, double change) {
    double shown = ratio ? 100 * change : change;
    int decimals = ratio ? (Math.abs(shown) < 10 ? 1 : 0) : shown == Math.rint(shown) ? 0 : 1;
    String number = NumberFormats.fixed(Math.abs(shown), decimals);
    String sign = Double.parseDouble(number) == 0 ? "" : shown < 0 ? "-" : "+";
    return sign + number + (ratio ? "%" : "");
  }

  /** Returns whether another change is that of the same values. */
  public boolean hasSameRuns(Change other) {
    return kind() == other.kind()
        && Arrays.equals(baseline.values(), other.baseline.values())
        && Arrays.equals(candidate.values(), other.candidate.values());
  }

  /** Returns whether values of a side are lower bounds only, so that it may be another change. */
  public boolean isBound() {
    return baseline.isBound() || candidate.isBound();
  }

  public boolean hasInterval() {
    return runs() >= Sample.MIN_RUNS;
  }

  /** Returns the number of runs of the side with fewer runs. */
  int runs() {
    return Math.min(baseline.count(), candidate.count());
  }

  public Kind kind() {
    return baseline.kind();
  }

  /**
   * Returns what a change of 100% is in the unit of the estimate: 1 for ratios, the median of the
   * baseline for differences, and 0 for numbers of requests, of which every change counts.
   */
  public double unit() {
    return kind() == Kind.COUNT ? 0 : isRatio ? 1 : Math.abs(baseline.median());
  }

  /** Returns the standard deviation of the runs of a side, of logarithms for ratios. */
  public double deviation() {
    return Math.sqrt((variance(baseline) + variance(candidate)) / 2);
  }

  private double variance(Sample sample) {
    double[] values = scaled(sample, isRatio);
    double mean = Arrays.stream(values).average().orElseThrow();
    return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1);
  }

  /** Returns the estimate as it is computed: the logarithm of a ratio, or a difference. */
  double scaledEstimate() {
    return isRatio ? Math.log1p(estimate) : estimate;
  }

  double unscaled(double difference) {
    return change(isRatio, difference);
  }

  /** Returns the change without the outlier of each side; empty if there is none. */
  Optional<Change> withoutOutliers() {
    Change without = of(baseline.withoutOutlier(), candidate.withoutOutlier(), !isRatio);
    return without.hasSameRuns(this) ? Optional.empty() : Optional.of(without);
  }

  /** Returns the distance of the interval's end that is farther from no change. */
  double largest() {
    return largest(low, high);
  }

  static double largest(double low, double high) {
    return Math.max(Math.abs(low), Math.abs(high));
  }

  /** Returns the distance of the interval from no change; 0 if it contains it. */
  double nearest() {
    return nearest(low, high);
  }

  static double nearest(double low, double high) {
    return low > 0 ? low : high < 0 ? -high : 0;
  }

  /**
   * Returns the A/A band: the change from the odd to the even runs of one version, in the unit of
   * this change. Empty with too few runs, or if only one of the two is a ratio.
   *
   * @param runs values in the order of the runs' start
   */
  public OptionalDouble band(double... runs) {
    if (runs.length < RUNS_FOR_BAND || !hasInterval()) {
      return OptionalDouble.empty();
    }
    Change noise = of(everySecond(runs, 0), everySecond(runs, 1), !isRatio);
    return noise.isRatio == isRatio
        ? OptionalDouble.of(Math.abs(noise.estimate))
        : OptionalDouble.empty();
  }

  private Sample everySecond(double[] runs, int first) {
    return new Sample(
        kind(),
        IntStream.range(0, runs.length)
            .filter(i -> i % 2 == first)
            .mapToDouble(i -> runs[i])
            .toArray());
  }
}
