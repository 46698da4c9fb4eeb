// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.judge;

import io.quorate.report.judge.Gate.Outcome;
import io.quorate.report.judge.Sample.Kind;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Runs of a baseline and a candidate in pairs, which a gate may decide after each pair. The error
 * is at most 5% on each side at any stopping time.
 *
 * <p>The test bets that the change is greater (or less) than the limit: a pair multiplies the
 * capital by 1 plus a part of it if the pair is on that side, and by 1 minus this part if it is on
 * the other. If the differences of the pairs are symmetric about the limit, no bet has an
 * advantage, whatever part it takes of the distances so far and this one, so that the capital
 * exceeds 20 times its start with a probability of at most 1/20, ever (Ville's inequality). See
 * Ramdas, Ruf, Larsson and Koolen, Admissible anytime-valid sequential inference must rely on
 * nonnegative martingales (2020), section 6.2, and Waudby-Smith and Ramdas, Estimating means of
 * bounded random variables by betting (Journal of the Royal Statistical Society B, 2024). The part
 * is bounded, so one outlier costs a few pairs.
 *
 * @param isRatio whether differences are those of logarithms
 * @param unit change of 100%, in the unit of differences without logarithms
 * @param differences candidate minus baseline of each pair, in the order of the runs
 */
public record Pairs(Kind kind, boolean isRatio, double unit, double... differences) {
  /** Least number of pairs that can decide. */
  public static final int MIN = 6;

  private static final double CAPITAL = 20;

  /** Parts of the capital with which separate bettors bet. */
  private static final double[] PARTS = {0.25, 0.5, 0.75, 0.95};

  /** Distance that is only rounding. */
  private static final double ROUNDING = 1e-9;

  /** Distance, in mean distances so far, from which on a bettor bets all of its part. */
  private static final double FULL = 1 / 1.5;

  private static final int SIMULATIONS = 200;
  private static final double SURE = 0.8;

  /** Returns the pairs of values in the order of the runs. */
  public static Pairs of(Kind kind, double[] baseline, double[] candidate) {
    boolean ratio =
        kind != Kind.COUNT
            && IntStream.of(0, 1)
                .allMatch(i -> Arrays.stream(i == 0 ? baseline : candidate).allMatch(v -> v > 0));
    double[] differences = new double[Math.min(baseline.length, candidate.length)];
    Arrays.setAll(
        differences,
        i -> ratio ? Math.log(candidate[i] / baseline[i]) : candidate[i] - baseline[i]);
    double whole = kind == Kind.COUNT ? 1 : Math.abs(Sample.median(baseline));
    return new Pairs(kind, ratio, ratio ? 1 : whole, differences);
  }

  /** Bets on one side of a limit. */
  private static final class Bets {
    private final int side;
    private final double[] capital = new double[PARTS.length];
    private double distances;
    private int count;

    Bets(int side) {
      this.side = side;
      Arrays.fill(capital, 1.0 / PARTS.length);
    }

    /** Adds a pair at a signed distance from the limit; returns whether the bets are won. */
    boolean add(double distance) {
      distances += Math.abs(distance);
      count++;
      double mean = distances / count;
      double part =
          Math.abs(distance) < ROUNDING ? 0 : Math.min(1, Math.abs(distance) / mean / FULL);
      for (int i = 0; i < PARTS.length; i++) {
        capital[i] *= 1 + PARTS[i] * part * side * Math.signum(distance);
      }
      return Arrays.stream(capital).sum() >= CAPITAL;
    }
  }

  /** Bets on both sides of a limit, until one of them is won. */
  private final class Race {
    private final double limit;
    private final Bets more = new Bets(1);
    private final Bets less = new Bets(-1);
    private Optional<Boolean> isMore = Optional.empty();

    Race(double limit) {
      this.limit = limit;
    }

    Race add(double... further) {
      for (double each : further) {
        boolean above = more.add(each - limit);
        boolean below = less.add(each - limit);
        if (isMore.isEmpty() && (above || below)) {
          isMore = Optional.of(above);
        }
      }
      return this;
    }
  }

  /** Decides by a gate, as after each of the pairs. */
  public Outcome outcome(Gate gate) {
    boolean moreIsBetter = kind.isBetter(0, 1);
    return new Race(scaled(gate))
        .add(differences)
        .isMore
        .map(more -> more == moreIsBetter ? Outcome.PASSED : Outcome.FAILED)
        .orElse(Outcome.INCONCLUSIVE);
  }

  /** Returns a limit in the unit of the differences; numbers of requests are beyond it by 1. */
  private double scaled(Gate gate) {
    return kind == Kind.COUNT
        ? gate.limit() + 0.5
        : isRatio ? Math.log1p(gate.limit()) : gate.limit();
  }

  /**
   * Returns how many further pairs decide in four of five simulated cases, over all true changes
   * and spreads that the pairs so far allow; at most {@value FurtherRuns#MANY}.
   */
  public int furtherPairs(Gate gate) {
    Random random = new Random(SIMULATIONS);
    int pairs = differences.length;
    double mean = Arrays.stream(differences).average().orElse(0);
    double squares = Arrays.stream(differences).map(d -> (d - mean) * (d - mean)).sum();
    int[] decided = new int[FurtherRuns.MANY + 1];
    for (int i = 0; i < SIMULATIONS; i++) {
      double freedom = 0;
      for (int k = 1; k < pairs; k++) {
        double one = random.nextGaussian();
        freedom += one * one;
      }
      double deviation = freedom == 0 ? 0 : Math.sqrt(squares / freedom);
      double change = mean + deviation / Math.sqrt(Math.max(1, pairs)) * random.nextGaussian();
      Race race = new Race(scaled(gate)).add(differences);
      int more = 0;
      while (race.isMore.isEmpty() && more < FurtherRuns.MANY) {
        more++;
        race.add(change + deviation * random.nextGaussian());
      }
      decided[more]++;
    }
    int more = 0;
    int all = decided[0];
    while (all < SURE * SIMULATIONS && more < FurtherRuns.MANY) {
      more++;
      all += decided[more];
    }
    return more;
  }

  /**
   * Returns the lower or the upper end of the one-sided 95% intervals, which hold for all numbers
   * of pairs together; infinite with few pairs.
   */
  public double end(boolean lower) {
    double middle = Sample.median(differences);
    double far =
        Arrays.stream(differences).map(d -> Math.abs(d - middle)).max().orElse(0) * 2 + 1e-9;
    double out = lower ? middle - far : middle + far;
    if (!isRejected(out, lower)) {
      return lower ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    double in = middle;
    for (int i = 0; i < 60; i++) {
      double half = (in + out) / 2;
      if (isRejected(half, lower)) {
        out = half;
      } else {
        in = half;
      }
    }
    return isRatio ? Math.expm1(out) : out;
  }

  private boolean isRejected(double limit, boolean lower) {
    return new Race(limit).add(differences).isMore.filter(more -> more == lower).isPresent();
  }
}
