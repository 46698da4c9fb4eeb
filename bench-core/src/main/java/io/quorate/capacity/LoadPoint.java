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
        show(Double.POSITIVE_INFINITY, 1, trial);
      }
      return;
    }
    anyMade = true;
    show(result.usedPart(), result.violatingPart(), trial);
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

  private void show(double usedPart, double violatingPart, Trial trial) {
    double late = violatingPart * load * trial.measureSeconds();
    shown.add(new Shown(load, Math.log(usedPart), late, trial.measureSeconds()));
  }

  boolean isUnmakeable() {
    return spoiled >= MAX_SPOILED && !anyMade;
  }

  boolean anyHeld() {
    return passed > 0;
  }

  int confirmed() {
    return passed + failed + undecided;
  }

  /** Returns whether its only deciding trial so far was within the limits, or beyond them. */
  boolean isOpen(boolean within) {
    return confirmed() == 1 && usedParts.get(0) <= 1 == within;
  }

  /**
   * Returns whether most trials of the final length were within the limits, most of those that
   * decided passed, and the likelihood over all trials agrees. One undecided trial is enough only
   * if the likelihood is sure.
   */
  boolean holds(CapacityLikelihood likely) {
    return isKnown(likely)
        && usedParts.get((usedParts.size() - 1) / 2) <= 1
        && passed >= failed
        && likely.isAtLeast(load);
  }

  /** Returns whether it fails, by the same rules; between these loads nothing is known. */
  boolean fails(CapacityLikelihood likely) {
    return isKnown(likely)
        && (usedParts.get(usedParts.size() / 2) > 1 || !likely.isAbove(load))
        && failed >= passed
        && !likely.isAtLeast(load);
  }

  private boolean isKnown(CapacityLikelihood likely) {
    boolean sure = !likely.isBelow(load) || !likely.isAbove(load);
    return passed + failed > 0 || undecided > 1 || undecided > 0 && sure;
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
