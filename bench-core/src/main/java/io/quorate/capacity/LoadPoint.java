// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import io.quorate.capacity.CapacityLikelihood.Shown;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Counts how the trials of one load ended. For one thread. */
final class LoadPoint {
  /** Number of spoiled trials after which the load generator cannot generate a load. */
  static final int MAX_SPOILED = 3;

  final long load;

  /** The results of its trials; a load that cannot be generated counts as beyond the limits. */
  final List<Shown> shown = new ArrayList<>();

  private int passed;
  private int failed;
  private int undecided;
  private int spoiled;
  private boolean anyMade;

  /** The used parts of the limits in its trials of the final length, ascending. */
  private final List<Double> usedParts = new ArrayList<>();

  private double leastViolatingPart = 1;
  boolean anyPassed;

  /** Whether a trial of it failed, of any length. */
  boolean anyFailed;

  LoadPoint(long load) {
    this.load = load;
  }

  void add(TrialResult result, Trial trial) {
    if (result.verdict() == TrialVerdict.SPOILED) {
      spoiled++;
      if (isUnmakeable()) {
        shown.add(new Shown(load, Double.POSITIVE_INFINITY, trial.measureSeconds()));
      }
      return;
    }
    anyMade = true;
    shown.add(new Shown(load, Math.log(result.usedPart()), trial.measureSeconds()));
    anyPassed |= result.verdict() == TrialVerdict.PASS;
    anyFailed |= result.verdict() == TrialVerdict.FAIL;
    if (trial.stage() == Trial.Stage.CONFIRM) {
      undecided += result.verdict() == TrialVerdict.UNDECIDED ? 1 : 0;
      passed += result.verdict() == TrialVerdict.PASS ? 1 : 0;
      failed += result.verdict() == TrialVerdict.FAIL ? 1 : 0;
      usedParts.add(result.usedPart());
      Collections.sort(usedParts);
      leastViolatingPart = Math.min(leastViolatingPart, result.violatingPart());
    }
  }

  boolean isUnmakeable() {
    return spoiled >= MAX_SPOILED && !anyMade;
  }

  int confirmed() {
    return passed + failed + undecided;
  }

  /**
   * Returns whether most trials of the final length were within the limits, and most of those that
   * decided passed. If these do not decide, the likelihood over all trials does; but one undecided
   * trial is not enough.
   */
  boolean holds(CapacityLikelihood likely) {
    return isKnown()
        && usedParts.get((usedParts.size() - 1) / 2) <= 1
        && (passed == failed ? likely.isAtLeast(load) : passed > failed);
  }

  /** Returns whether it fails, by the same rules. */
  boolean fails(CapacityLikelihood likely) {
    return isKnown() && !holds(likely);
  }

  private boolean isKnown() {
    return !isUnmakeable() && (passed + failed > 0 || undecided > 1);
  }

  /**
   * Returns whether enough trials agree, counting undecided ones with the rest, or the load cannot
   * be generated.
   */
  boolean isSettled(CapacityLikelihood likely, int repeats) {
    return isUnmakeable() || undecided + (holds(likely) ? passed : failed) > repeats / 2;
  }

  /** Returns whether every deciding trial used no more than this part of the limits. */
  boolean maxUtilizationBelow(double part) {
    return passed + failed > 0 && usedParts.get(usedParts.size() - 1) <= part;
  }

  /**
   * Returns whether at least this part of the requests violated a limit in every deciding trial.
   */
  boolean violatesAtLeast(double part) {
    return passed + failed > 0 && leastViolatingPart >= part;
  }

  Bound bound() {
    return new Bound(load, passed, passed + failed);
  }
}
