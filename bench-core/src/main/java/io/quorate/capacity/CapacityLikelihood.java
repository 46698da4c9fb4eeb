// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Computes from all trials how likely each load is the capacity (Bayes, with a uniform prior). One
 * trial in which a disk or a machine stalled for a moment has little effect.
 *
 * <p>The model: the logarithm of the used part of a limit grows with the load as {@code slope (load
 * / capacity - 1)}, as near the capacity of a queue; the slope is unknown. A trial shows this value
 * with a logistic error, or a larger value because of a stall, or, rarely, any value.
 */
final class CapacityLikelihood {
  private static final double[] SLOPES = {3, 6, 12, 25, 50, 100, 200};

  /** Ratio of one candidate load to the previous one. */
  private static final double STEP = 1.004;

  /** Factor by which the candidate loads extend below and above the tried ones. */
  private static final double BEYOND = 4;

  /**
   * Logarithm of the largest used part of a limit that is distinguished; its inverse is the
   * smallest one.
   */
  private static final double FAR = Math.log(20);

  /** Relative difference of the speed of a store from trial to trial. */
  private static final double NOISE = 0.02;

  /** Error of the logarithm that has other causes than the speed. */
  private static final double ERROR = 0.3;

  /** Probability that a trial shows a stall. */
  private static final double STALL = 0.2;

  private static final double STALL_OF_LONG = 0.07;
  private static final int LONG_SECONDS = 60;

  /** Logarithm of a used part of a limit that a stall alone rarely causes. */
  private static final double STALL_FAR = 1.5;

  private static final double STALL_IS_SHORT = 0.9;

  /** Probability that a trial shows an arbitrary value. */
  private static final double ODD = 0.02;

  /** A load is unlikely if the capacity is far from it with a probability above this one. */
  private static final double UNLIKELY = 0.3;

  private static final double HALF = 0.5;
  private static final double NEAR = 1.05;

  private final double[] loads;
  private final double[] cumulated;

  private CapacityLikelihood(double[] loads, double[] likelihoods) {
    this.loads = loads;
    this.cumulated = likelihoods;
    for (int i = 1; i < cumulated.length; i++) {
      cumulated[i] += cumulated[i - 1];
    }
  }

  /**
   * The result of one trial.
   *
   * @param logUsed logarithm of the used part of a limit
   * @param seconds seconds that were measured at first
   */
  record Shown(long load, double logUsed, int seconds) {
    Shown {
      logUsed = Math.max(-FAR, Math.min(FAR, logUsed));
    }

    private double likelihood(double capacity, double slope, double error) {
      double expected = slope * (load / capacity - 1);
      double stall = seconds < LONG_SECONDS ? STALL : STALL_OF_LONG;
      return (1 - stall - ODD) * usual((logUsed - expected) / error, error)
          + stall * stalled(expected)
          + ODD / (2 * FAR);
    }

    private double usual(double deviation, double error) {
      double below = 1 / (1 + Math.exp(-deviation));
      if (logUsed <= -FAR) {
        return below;
      }
      return logUsed >= FAR ? 1 - below : below * (1 - below) / error;
    }

    private double stalled(double expected) {
      double least = Math.max(-FAR, Math.min(1, expected));
      if (logUsed < least) {
        return 0;
      }
      return logUsed <= STALL_FAR
          ? STALL_IS_SHORT / (STALL_FAR - least)
          : (1 - STALL_IS_SHORT) / (1 + FAR - STALL_FAR);
    }
  }

  static CapacityLikelihood of(Collection<LoadPoint> tried) {
    List<Shown> shown = tried.stream().flatMap(load -> load.shown.stream()).toList();
    double low = tried.stream().mapToLong(load -> load.load).min().orElseThrow() / BEYOND;
    double high = tried.stream().mapToLong(load -> load.load).max().orElseThrow() * BEYOND;
    int count = 1 + (int) (Math.log(high / low) / Math.log(STEP));
    double[] loads = IntStream.range(0, count).mapToDouble(i -> low * Math.pow(STEP, i)).toArray();
    double[] likelihoods = new double[count];
    for (double slope : SLOPES) {
      double error = Math.hypot(ERROR, NOISE * slope);
      for (int i = 0; i < count; i++) {
        double product = 1;
        for (Shown each : shown) {
          product *= each.likelihood(loads[i], slope, error);
        }
        likelihoods[i] += product;
      }
    }
    return new CapacityLikelihood(loads, likelihoods);
  }

  boolean isAtLeast(long load) {
    return quantile(HALF) >= load;
  }

  boolean isAbove(long load) {
    return quantile(UNLIKELY) > load * NEAR;
  }

  boolean isBelow(long load) {
    return quantile(1 - UNLIKELY) * NEAR < load;
  }

  double quantile(double probability) {
    double sought = probability * cumulated[cumulated.length - 1];
    int i = 0;
    while (i < loads.length - 1 && cumulated[i] < sought) {
      i++;
    }
    return loads[i];
  }
}
