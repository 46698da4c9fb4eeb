// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import io.quorate.scenario.ServiceLevel;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The outcome of a trial, as a search needs it.
 *
 * @param verdict verdict of all limits together, at the end of the trial
 * @param usedPart the largest ratio of violating to allowed requests of a limit, such as 0.5 if
 *     half of the allowed requests were late. Infinite if the limit allows none and some were late
 * @param violatingPart the largest part of the intended requests that violated a limit
 */
public record TrialResult(TrialVerdict verdict, double usedPart, double violatingPart) {
  public static TrialResult of(
      List<ServiceLevel> limits, List<List<ViolationCount>> counts, long seed) {
    TrialVerdict verdict = TrialVerdict.PASS;
    double usedPart = 0;
    double violatingPart = 0;
    for (int i = 0; i < limits.size(); i++) {
      double allowed = limits.get(i).allowedPart();
      ViolationBounds bounds = ViolationBounds.of(counts.get(i), seed);
      verdict = worse(verdict, bounds.verdict(allowed));
      usedPart = Math.max(usedPart, bounds.part() == 0 ? 0 : bounds.part() / allowed);
      violatingPart = Math.max(violatingPart, bounds.part());
    }
    return new TrialResult(verdict, usedPart, violatingPart);
  }

  private static TrialVerdict worse(TrialVerdict first, TrialVerdict second) {
    boolean fails = first == TrialVerdict.FAIL || second == TrialVerdict.PASS;
    return fails ? first : second;
  }

  /**
   * Bounds of the part of requests that violate a limit, from the counts of each second. Each of
   * them holds with a confidence of 95%.
   *
   * <p>Late requests come in clusters: a stall of a server delays all requests that are due
   * meanwhile. So the bounds come from a circular block bootstrap over seconds (Politis and Romano,
   * 1992). It draws blocks of consecutive seconds with replacement, as many seconds as were
   * measured. The bounds are the 5th and the 95th percentile of the violating part in such samples.
   * If hardly any request violates the limit, all samples are alike. So the bounds are never closer
   * than Wilson's score interval (1927), which assumes independent requests.
   *
   * @param part violating part of all intended requests, 0 to 1
   * @param lower lower bound of the part in long trials
   * @param upper upper bound of the part in long trials
   */
  record ViolationBounds(double part, double lower, double upper) {
    private static final int SAMPLES = 1_000;
    private static final int BLOCK_SECONDS = 2;
    private static final double CONFIDENCE = 0.95;

    /** The 95th percentile of the standard normal distribution. */
    private static final double Z = 1.6448536269514722;

    /** Computes the bounds from consecutive seconds; the same seed gives the same bounds. */
    public static ViolationBounds of(List<ViolationCount> seconds, long seed) {
      ViolationCount all = ViolationCount.sum(seconds);
      if (all.intended() == 0) {
        return new ViolationBounds(0, 0, 1);
      }
      double[] samples = samples(seconds, new SplittableRandom(seed));
      double drawnLower = samples[(int) Math.floor((1 - CONFIDENCE) * (SAMPLES - 1))];
      double drawnUpper = samples[(int) Math.ceil(CONFIDENCE * (SAMPLES - 1))];
      return new ViolationBounds(
          all.part(), Math.min(drawnLower, wilson(all, -1)), Math.max(drawnUpper, wilson(all, +1)));
    }

    private static double[] samples(List<ViolationCount> seconds, SplittableRandom random) {
      double[] parts = new double[SAMPLES];
      for (int sample = 0; sample < SAMPLES; sample++) {
        long intended = 0;
        long violating = 0;
        int start = 0;
        for (int i = 0; i < seconds.size(); i++) {
          if (i % BLOCK_SECONDS == 0) {
            start = random.nextInt(seconds.size());
          }
          ViolationCount drawn = seconds.get((start + i % BLOCK_SECONDS) % seconds.size());
          intended += drawn.intended();
          violating += drawn.violating();
        }
        parts[sample] = intended == 0 ? 0 : (double) violating / intended;
      }
      Arrays.sort(parts);
      return parts;
    }

    /** Returns a bound of Wilson's score interval: the lower one for -1, the upper one for +1. */
    private static double wilson(ViolationCount all, int side) {
      double n = all.intended();
      double p = all.part();
      double centre = p + Z * Z / (2 * n);
      double margin = Z * Math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n));
      double bound = (centre + side * margin) / (1 + Z * Z / n);
      return Math.min(1, Math.max(0, bound));
    }

    /**
     * Compares the bounds with the part that a limit allows.
     *
     * @param allowedPart allowed part of all intended requests, from 0 to below 1. With 0, one
     *     violating request fails the trial, and no trial is undecided
     */
    public TrialVerdict verdict(double allowedPart) {
      if (allowedPart == 0) {
        return part == 0 ? TrialVerdict.PASS : TrialVerdict.FAIL;
      }
      if (upper <= allowedPart) {
        return TrialVerdict.PASS;
      }
      return lower > allowedPart ? TrialVerdict.FAIL : TrialVerdict.UNDECIDED;
    }
  }
}
