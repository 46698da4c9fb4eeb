package io.quorate.capacity;

/**
 * The outcome of a trial, as a search needs it.
 *
 * @param verdict of all limits together, at the end of the trial
 * @param usedPart the largest part of what a limit allows that violated it: 0.5 if half as many
 *     requests were late as may be; 0 if none were, infinite if some were and none may be
 * @param violatingPart the largest part of the intended requests that violated a limit
 */
public record TrialResult(TrialVerdict verdict, double usedPart, double violatingPart) {
  /** Returns the result of a trial that the load generator spoiled. */
  public static TrialResult spoiled() {
    return new TrialResult(TrialVerdict.SPOILED, 0, 0);
  }
}
