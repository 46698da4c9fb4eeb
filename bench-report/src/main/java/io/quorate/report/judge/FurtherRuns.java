// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.judge;

import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Estimates how many further runs of each side decide a change. The result is the least number
 * after which four of five cases are decided, over all true changes and spreads that the runs so
 * far allow: the predictive distribution of the final interval (Spiegelhalter, Abrams and Myles,
 * Bayesian Approaches to Clinical Trials, 2004, 6.6), with flat priors.
 *
 * @param quantile half the width of the interval in standard errors, with many runs
 * @param decision whether an interval decides
 */
record FurtherRuns(double quantile, Decision decision) {
  /** Number that stands for itself and all greater ones. */
  static final int MANY = 100;

  private static final double SURE = 0.8;
  private static final double[] NORMAL =
      quantiles(40, NormalDistribution.of(0, 1)::inverseCumulativeProbability);

  /** Whether the interval from {@code low} to {@code high}, in the unit of a change, decides. */
  interface Decision {
    boolean isDecidedBy(double low, double high);
  }

  /** A function of a probability. */
  private interface Quantile {
    double at(double probability);
  }

  private static double[] quantiles(int count, Quantile quantile) {
    return IntStream.range(0, count).mapToDouble(i -> quantile.at((i + 0.5) / count)).toArray();
  }

  /** Returns at least 1, and at most {@value #MANY}. */
  int of(Change change) {
    int freedom = change.baseline().count() + change.candidate().count() - 2;
    double[] spreads =
        quantiles(16, ChiSquaredDistribution.of(freedom)::inverseCumulativeProbability);
    int least = 1;
    int most = MANY;
    while (least < most) {
      int middle = (least + most) / 2;
      if (part(change, middle, spreads) >= SURE) {
        most = middle;
      } else {
        least = middle + 1;
      }
    }
    return least;
  }

  /** Returns the part of cases that are decided after further runs. */
  private double part(Change change, int more, double... spreads) {
    int before = change.baseline().count();
    int after = change.candidate().count();
    int freedom = before + after - 2;
    double now = 1.0 / before + 1.0 / after;
    double then = 1.0 / (before + more) + 1.0 / (after + more);
    double width = quantile * (1 + 1.0 / (freedom + 2 * more)) * Math.sqrt(then);
    int decided = 0;
    for (double spread : spreads) {
      double deviation = change.deviation() * Math.sqrt(freedom / spread);
      for (double z : NORMAL) {
        double estimate = change.scaledEstimate() + z * deviation * Math.sqrt(now - then);
        if (decision.isDecidedBy(
            change.unscaled(estimate - width * deviation),
            change.unscaled(estimate + width * deviation))) {
          decided++;
        }
      }
    }
    return (double) decided / (spreads.length * NORMAL.length);
  }
}
