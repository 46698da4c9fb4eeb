// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Computes from all trials how likely each load is the capacity (Bayes, with a uniform prior). One
 * trial in which a disk or a machine stalled for a moment has little effect.
 *
 * <p>The model: the logarithm of the used part of a limit grows with the load as {@code slope (load
 * / capacity - 1)}, as near the capacity of a queue; the slope is unknown. A trial shows this value
 * with a logistic error, or a larger value because of a stall, or, rarely, any value. The error is
 * larger if few requests were late; whether these come in clusters is unknown.
 */
final class CapacityLikelihood {
  private static final double[] SLOPES = {1.5, 3, 6, 12, 25, 50, 100, 200};

  /** For late requests that are independent, that come in clusters, and for a rough store. */
  private static final List<Scatter> SCATTERS =
      List.of(new Scatter(0.3, 0.05), new Scatter(3, 0.1), new Scatter(30, 0.3));

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

  /** Probability that a trial shows a stall. */
  private static final double STALL = 0.2;

  private static final double STALL_OF_LONG = 0.07;
  private static final int LONG_SECONDS = 60;

  /** Logarithm of a used part of a limit that a stall alone rarely causes. */
  private static final double STALL_FAR = 1.5;

  /** Logarithm of a used part that noise alone rarely causes within the capacity. */
  private static final double FAR_BEYOND = 1;

  private static final double STALL_IS_SHORT = 0.9;

  /** Probability that a trial shows an arbitrary value. */
  private static final double ODD = 0.02;

  /** Probability up to which a capacity is unlikely. */
  private static final double UNLIKELY = 0.15;

  private static final double HALF = 0.5;

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
   * An error of the logarithm that has other causes than the speed of a store.
   *
   * @param late square of the part that comes from chance, for a trial with one late request: 0.3
   *     if late requests are independent
   * @param least what remains however many requests are late
   */
  private record Scatter(double late, double least) {}

  /**
   * The result of one trial.
   *
   * @param logUsed logarithm of the used part of a limit; infinite if that allows nothing
   * @param late about how many requests violated it
   * @param seconds seconds that were measured at first
   */
  record Shown(long load, double logUsed, double late, int seconds) {
    /** Returns how many seconds would use as much if they used all that the limit allows. */
    double used() {
      return Math.exp(logUsed) * seconds;
    }

    boolean isFarBeyond() {
      return logUsed > FAR_BEYOND;
    }

    private double error(double slope, Scatter other) {
      return Math.sqrt(
          other.late / (1 + late) + other.least * other.least + NOISE * NOISE * slope * slope);
    }

    private double likelihood(double capacity, double slope, double error) {
      double expected = slope * (load / capacity - 1);
      double stall = seconds < LONG_SECONDS ? STALL : STALL_OF_LONG;
      double known = Math.max(-FAR, Math.min(FAR, logUsed));
      return (1 - stall - ODD) * usual(known, (known - expected) / error, error)
          + stall * stalled(known, expected)
          + ODD / (2 * FAR);
    }

    private static double usual(double known, double deviation, double error) {
      double below = 1 / (1 + Math.exp(-deviation));
      if (known <= -FAR) {
        return below;
      }
      return known >= FAR ? 1 - below : below * (1 - below) / error;
    }

    private static double stalled(double known, double expected) {
      double least = Math.max(-FAR, Math.min(1, expected));
      if (known < least) {
        return 0;
      }
      return known <= STALL_FAR
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
      for (Scatter other : SCATTERS) {
        double[] product = new double[count];
        Arrays.fill(product, 1);
        for (Shown each : shown) {
          double error = each.error(slope, other);
          Arrays.setAll(product, i -> product[i] * each.likelihood(loads[i], slope, error));
        }
        Arrays.setAll(likelihoods, i -> likelihoods[i] + product[i]);
      }
    }
    return new CapacityLikelihood(loads, likelihoods);
  }

  boolean isAtLeast(long load) {
    return quantile(HALF) >= load;
  }

  /** Returns whether the capacity may be higher than a load. */
  boolean isAbove(double load) {
    return quantile(1 - UNLIKELY) > load;
  }

  /** Returns whether the capacity may be lower than a load. */
  boolean isBelow(double load) {
    return quantile(UNLIKELY) < load;
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
