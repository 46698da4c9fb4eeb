package io.quorate.capacity;

import io.quorate.scenario.ServiceLevel;
import java.util.List;

/**
 * The outcome of a trial, as a search needs it.
 *
 * @param verdict of all limits together, at the end of the trial
 * @param usedPart the largest part of what a limit allows that violated it: 0.5 if half as many
 *     requests were late as may be; 0 if none were, infinite if some were and none may be
 * @param violatingPart the largest part of the intended requests that violated a limit
 */
public record TrialResult(TrialVerdict verdict, double usedPart, double violatingPart) {
  /**
   * Judges a trial: each limit has to pass, and one is enough to fail.
   *
   * @param limits at least one
   * @param counts of each limit, second by second
   * @param seed of the bounds
   */
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

  /** Returns the result of a trial that the load generator spoiled. */
  public static TrialResult spoiled() {
    return new TrialResult(TrialVerdict.SPOILED, 0, 0);
  }
}
