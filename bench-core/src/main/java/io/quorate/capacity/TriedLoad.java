package io.quorate.capacity;

import io.quorate.capacity.CapacityLikelihood.Shown;
import java.util.ArrayList;
import java.util.List;

/** The results of all trials of one load. */
final class TriedLoad {
  /** A load that was spoiled so often is one that the load generator cannot make. */
  static final int MOST_SPOILED = 3;

  /** From this part of the requests on a load is so far beyond that it tells nothing of others. */
  private static final double SATURATED = 0.3;

  /** The factor beyond or below a limit up to which a trial still tells where the limit is. */
  private static final double FAR = 20;

  /** Factor of the next load where the last one tells nothing of how far it may go. */
  private static final double FAR_STEP = 2;

  /** The same where a part of what the limits allow was used, or not many times of it. */
  private static final double NEAR_STEP = 1.4;

  /** Loads from this on are rounded to three digits. */
  private static final long ROUNDED_FROM = 1_000;

  private final long load;
  private final List<Shown> shown = new ArrayList<>();
  private int passed;
  private int failed;
  private int undecided;
  private int spoiled;
  private boolean anyPassed;
  private boolean anyFailed;
  private boolean firstWithin;
  private boolean firstKnown;
  private double mostUsedPart;
  private double leastViolatingPart = 1;
  private double weight;
  private double weightedLogs;

  TriedLoad(long load) {
    this.load = load;
  }

  /** Returns a load rounded to three digits, as people read it. */
  static long rounded(long load) {
    long unit = 1;
    while (load / unit >= ROUNDED_FROM) {
      unit *= 10;
    }
    return (load + unit / 2) / unit * unit;
  }

  long load() {
    return load;
  }

  void add(TrialResult result, Trial trial) {
    Trial.Stage stage = trial.stage();
    addLog(result, trial);
    if (result.verdict() == TrialVerdict.SPOILED) {
      spoiled++;
      return;
    }
    shown.add(new Shown(load, Math.log(result.usedPart()), trial.measureSeconds()));
    anyPassed |= result.verdict() == TrialVerdict.PASS;
    anyFailed |= result.verdict() == TrialVerdict.FAIL;
    if (stage != Trial.Stage.CONFIRM) {
      firstWithin = result.verdict() == TrialVerdict.PASS;
      firstKnown = true;
    } else {
      undecided += result.verdict() == TrialVerdict.UNDECIDED ? 1 : 0;
      passed += result.verdict() == TrialVerdict.PASS ? 1 : 0;
      failed += result.verdict() == TrialVerdict.FAIL ? 1 : 0;
      mostUsedPart = Math.max(mostUsedPart, result.usedPart());
      leastViolatingPart = Math.min(leastViolatingPart, result.violatingPart());
    }
  }

  private void addLog(TrialResult result, Trial trial) {
    boolean known = result.verdict() != TrialVerdict.SPOILED && result.violatingPart() < SATURATED;
    if (known && result.usedPart() >= 1 / FAR && result.usedPart() <= FAR) {
      double log = Math.log(result.usedPart());
      double near = trial.measureSeconds() / (1 + log * log);
      weight += near;
      weightedLogs += near * log;
    }
  }

  /** Returns what its trials showed, without those that the load generator spoiled. */
  List<Shown> shown() {
    return shown;
  }

  /** Returns whether its trials used some of what a limit allows, but not all of it many times. */
  boolean isTelling() {
    return weight > 0;
  }

  /** Returns how much it tells of where the limit is: longer trials and those near it tell more. */
  double weight() {
    return weight;
  }

  /** Returns the mean of the logarithms of what its trials used of what a limit allows. */
  double logUsed() {
    return weightedLogs / weight;
  }

  /** Returns whether the load generator spoiled it so often that it cannot make it. */
  boolean isUnmakeable() {
    return spoiled >= MOST_SPOILED;
  }

  /** Returns how many of the trials that decide were made. */
  int decided() {
    return passed + failed;
  }

  /** Returns whether one of the trials that decide failed. */
  boolean hasFailed() {
    return failed > 0;
  }

  boolean isWithin() {
    return passed == failed ? firstKnown && firstWithin : passed > failed;
  }

  /** Returns whether a trial of it passed, of any length. */
  boolean hasPassed() {
    return anyPassed;
  }

  /** Returns whether a trial of it failed, of any length. */
  boolean hasFailedAtAll() {
    return anyFailed;
  }

  /** Takes it for within the limits or beyond them until a trial of it decides. */
  void lean(boolean within) {
    firstWithin = within;
    firstKnown = true;
  }

  /**
   * Returns whether trials of the final length were made of it, and most that decided passed. Where
   * these do not tell, the likelihood over all trials does.
   */
  boolean holds(CapacityLikelihood likely) {
    return decided() + undecided > 0
        && (passed == failed ? likely.isAtLeast(load) : passed > failed);
  }

  /** Returns whether trials of the final length were made of it, and it does not hold. */
  boolean fails(CapacityLikelihood likely) {
    return decided() + undecided > 0 && !holds(likely);
  }

  boolean isBeyond() {
    return passed == failed ? firstKnown && !firstWithin : failed > passed;
  }

  /** Returns whether it is known not to hold, or is one that the load generator cannot make. */
  boolean isTooMuch() {
    return isBeyond() || isUnmakeable();
  }

  /** Returns whether most of the trials that decide passed, however the rest end. */
  boolean holdsFor(int repeats) {
    return passed + (firstWithin ? undecided : 0) > repeats / 2;
  }

  /** Returns whether most of them failed, however the rest end. */
  boolean failsFor(int repeats) {
    return failed + (firstWithin ? 0 : undecided) > repeats / 2;
  }

  /** Returns whether no more trials are needed to decide. */
  boolean isSettledFor(int repeats) {
    return holdsFor(repeats) || failsFor(repeats);
  }

  /** Returns the factor by which the next load should be higher or lower. */
  double step() {
    return isTelling() ? NEAR_STEP : FAR_STEP;
  }

  /** Returns whether every trial that decided used no more than this part of what is allowed. */
  boolean usesAtMost(double part) {
    return decided() > 0 && mostUsedPart <= part;
  }

  /** Returns whether in every trial that decided this part of the requests violated a limit. */
  boolean violatesAtLeast(double part) {
    return decided() > 0 && leastViolatingPart >= part;
  }

  /** Returns how often it held, of the trials of the final length that decided about it. */
  Bound bound() {
    return new Bound(load, passed, decided());
  }
}
