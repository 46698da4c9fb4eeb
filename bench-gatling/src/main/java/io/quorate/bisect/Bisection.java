// SPDX-License-Identifier: Apache-2.0
package io.quorate.bisect;

import io.quorate.report.judge.Gate.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the first of some versions that is worse than a good one. If the last one is worse, it
 * halves the range; otherwise it tries the versions between in their order, as one may be worse
 * that a later one repaired. A comparison that decides nothing is repeated once.
 */
final class Bisection {
  private final List<String> versions;
  private final Comparer comparer;
  private final List<Step> steps = new ArrayList<>();

  /** The first version that is known to be worse. */
  private Optional<Step> worst = Optional.empty();

  /** The last version that is known to be good. */
  private String lastGood;

  /**
   * Creates a bisection.
   *
   * @param versions the good version, and those after it in their order
   */
  Bisection(List<String> versions, Comparer comparer) {
    this.versions = List.copyOf(versions);
    this.lastGood = versions.get(0);
    this.comparer = comparer;
  }

  /** Compares two versions until a gate is decided, or not. */
  interface Comparer {
    Outcome compare(String good, String other, int step);
  }

  /** A comparison of a version with the good one; steps count from 1. */
  record Step(int number, String version, Outcome outcome) {}

  /**
   * The end of a bisection.
   *
   * @param guilty first version that is worse; empty if there is none, or it is not known
   * @param lastGood the last version before it that is known to be good
   * @param isDecided whether the comparisons decided it
   */
  record Result(Optional<Step> guilty, String lastGood, boolean isDecided, List<Step> steps) {}

  /** Says that a signal ended a comparison, and so the bisection. */
  static final class EndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final int exitCode;

    EndedException(int exitCode) {
      super("ended with exit code " + exitCode);
      this.exitCode = exitCode;
    }
  }

  Result find() {
    try {
      int last = versions.size() - 1;
      return switch (decide(last).outcome) {
        case FAILED -> halve(last);
        case PASSED -> search(last);
        case INCONCLUSIVE -> result(false);
      };
    } catch (EndedException ended) {
      return result(false);
    }
  }

  private Result result(boolean isDecided) {
    return new Result(worst, lastGood, isDecided, steps);
  }

  private Result halve(int last) {
    int good = 0;
    int bad = last;
    while (bad - good > 1) {
      int middle = (good + bad) / 2;
      switch (decide(middle).outcome) {
        case FAILED -> bad = middle;
        case PASSED -> good = middle;
        case INCONCLUSIVE -> {
          return result(false);
        }
      }
    }
    return result(true);
  }

  private Result search(int last) {
    lastGood = versions.get(0);
    boolean decided = true;
    for (int i = 1; i < last; i++) {
      Outcome outcome = decide(i).outcome;
      if (outcome == Outcome.FAILED) {
        return result(decided);
      }
      decided &= outcome == Outcome.PASSED;
    }
    lastGood = versions.get(last);
    return result(decided);
  }

  private Step decide(int index) {
    Step step = compare(index);
    return step.outcome == Outcome.INCONCLUSIVE ? compare(index) : step;
  }

  private Step compare(int index) {
    int number = steps.size() + 1;
    String version = versions.get(index);
    Step step = new Step(number, version, comparer.compare(versions.get(0), version, number));
    steps.add(step);
    if (step.outcome == Outcome.FAILED) {
      worst = Optional.of(step);
    } else if (step.outcome == Outcome.PASSED) {
      lastGood = version;
    }
    return step;
  }
}
