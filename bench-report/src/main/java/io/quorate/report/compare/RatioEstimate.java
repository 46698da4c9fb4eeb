// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.inference.DataDispersion;
import org.apache.commons.statistics.inference.TTest;

/**
 * The change of a value from the runs of a baseline to the runs of a candidate. The estimate is
 * that of Hodges and Lehmann: the median of all differences of a candidate's and a baseline's run.
 * Its interval is the exact one of Mann and Whitney's test (Hollander, Wolfe and Chicken,
 * Nonparametric Statistical Methods, 3rd edition, 4.2 and 4.3). Positive values are compared by
 * their logarithms, so that the results are ratios.
 *
 * @param isRatio whether the results are ratios minus 1, or otherwise differences
 * @param change estimated change
 * @param low lower end of the 95% interval of the change
 * @param high upper end of that interval
 * @param p probability of such a difference without a change, by Student's t test. Unlike the
 *     probability of Mann and Whitney's test, it can become small enough for a correction over many
 *     metrics even with five runs. 1 if there is no spread and no difference
 * @param deviation standard deviation of the runs of a side, of logarithms for ratios
 */
record RatioEstimate(
    boolean isRatio, double change, double low, double high, double p, double deviation) {
  /** Least number of runs of a side for which the interval can have 95% confidence. */
  static final int MIN_RUNS = 4;

  private static final double ERROR = 0.05;

  /** Number of pairs above which the test's distribution is close to the normal distribution. */
  private static final int MAX_EXACT_PAIRS = 2_500;

  /**
   * Computes the change.
   *
   * @param baseline values of {@link #MIN_RUNS} runs or more
   * @param candidate values of {@link #MIN_RUNS} runs or more
   * @param isCount whether the results are differences, as values are often 0
   */
  static RatioEstimate of(double[] baseline, double[] candidate, boolean isCount) {
    boolean ratio =
        !isCount
            && Arrays.stream(baseline).allMatch(v -> v > 0)
            && Arrays.stream(candidate).allMatch(v -> v > 0);
    double[] before = ratio ? Arrays.stream(baseline).map(Math::log).toArray() : baseline;
    double[] after = ratio ? Arrays.stream(candidate).map(Math::log).toArray() : candidate;
    double[] differences =
        Arrays.stream(after)
            .flatMap(one -> Arrays.stream(before).map(other -> one - other))
            .sorted()
            .toArray();
    int outside = outside(before.length, after.length);
    return new RatioEstimate(
        ratio,
        change(ratio, RunValues.median(differences)),
        change(ratio, differences[outside]),
        change(ratio, differences[differences.length - 1 - outside]),
        p(before, after),
        Math.sqrt((variance(before) + variance(after)) / 2));
  }

  private static double change(boolean ratio, double difference) {
    return ratio ? Math.expm1(difference) : difference;
  }

  /**
   * Returns how many of the sorted differences are outside of the interval on each side: the
   * largest k for which the statistic U is at most k with a probability of at most 2.5%.
   */
  static int outside(int baseline, int candidate) {
    int pairs = baseline * candidate;
    if (pairs > MAX_EXACT_PAIRS) {
      double deviation = Math.sqrt(pairs * (baseline + candidate + 1) / 12.0);
      double z = NormalDistribution.of(0, 1).inverseSurvivalProbability(ERROR / 2);
      return (int) Math.floor(pairs / 2.0 - z * deviation);
    }
    double[] probabilities = probabilities(baseline, candidate);
    double sum = 0;
    int most = 0;
    for (int u = 0; u <= pairs; u++) {
      sum += probabilities[u];
      if (sum > ERROR / 2) {
        break;
      }
      most = u;
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

  private static double variance(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1);
  }

  /** Returns the distance of the interval's end that is farther from no change. */
  double largest() {
    return Math.max(Math.abs(low), Math.abs(high));
  }
}
