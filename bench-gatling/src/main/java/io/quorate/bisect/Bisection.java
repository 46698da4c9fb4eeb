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

  /**
   * Creates a bisection.
   *
   * @param versions the good version, and those after it in their order
   */
  Bisection(List<String> versions, Comparer comparer) {
    this.versions = List.copyOf(versions);
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
   * @param lastGood version before it, or the last one that is known to be good
   * @param isDecided whether the comparisons decided it
   */
  record Result(Optional<Step> guilty, String lastGood, boolean isDecided, List<Step> steps) {}

  Result find() {
    int last = versions.size() - 1;
    Step end = decide(last);
    return switch (end.outcome) {
      case FAILED -> halve(end);
      case PASSED -> search(last);
      case INCONCLUSIVE -> new Result(Optional.empty(), versions.get(0), false, steps);
    };
  }

  private Result halve(Step end) {
    int good = 0;
    int bad = versions.size() - 1;
    Step worst = end;
    while (bad - good > 1) {
      int middle = (good + bad) / 2;
      Step step = decide(middle);
      switch (step.outcome) {
        case FAILED -> {
          bad = middle;
          worst = step;
        }
        case PASSED -> good = middle;
        case INCONCLUSIVE -> {
          return new Result(Optional.of(worst), versions.get(good), false, steps);
        }
      }
    }
    return new Result(Optional.of(worst), versions.get(good), true, steps);
  }

  private Result search(int last) {
    boolean decided = true;
    for (int i = 1; i < last; i++) {
      Step step = decide(i);
      if (step.outcome == Outcome.FAILED) {
        return new Result(Optional.of(step), versions.get(i - 1), decided, steps);
      }
      decided &= step.outcome == Outcome.PASSED;
    }
    return new Result(Optional.empty(), versions.get(last), decided, steps);
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
    return step;
  }
}
