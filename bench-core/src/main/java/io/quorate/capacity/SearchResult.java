// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import java.util.Optional;

/**
 * The outcome of a search.
 *
 * @param holds the highest load that was found to hold; empty if none was
 * @param fails the lowest load above it that was found not to hold, or that the load generator
 *     could not make; empty if none was
 * @param trials number of trials, including spoiled ones
 */
public record SearchResult(
    Outcome outcome, Optional<Bound> holds, Optional<Bound> fails, int trials) {
  /** Largest used part of the limits that counts as far within them. */
  private static final double FAR_WITHIN = 0.1;

  /** Smallest part of violating requests that counts as far beyond the limits. */
  private static final double FAR_BEYOND = 0.5;

  public boolean isKnown() {
    return holds.isPresent() && outcome != Outcome.UNSTABLE;
  }

  /** Returns whether a search is over: its bounds, if it found both, are as close as promised. */
  public boolean isPrecise(SearchPlan plan) {
    return outcome != Outcome.UNSTABLE
        && (holds.isEmpty()
            || fails.isEmpty()
            || isWithin(plan.promised(), holds.get().load(), fails.get().load()));
  }

  private static boolean isWithin(double ratio, long low, long high) {
    return high <= low * ratio || high - low <= 1;
  }

  /**
   * Returns the conclusion from all trials. Only trials of the final length decide about a load,
   * and the likelihood over all trials has to agree with them.
   */
  static SearchResult of(LoadPoints tried, SearchPlan plan, int trials) {
    CapacityLikelihood likely = tried.likelihood();
    Optional<LoadPoint> holds = tried.holding(likely, plan);
    Optional<LoadPoint> fails = tried.failing(likely, plan);
    return new SearchResult(
        outcome(tried, plan, holds, fails),
        holds.map(LoadPoint::bound),
        fails.map(LoadPoint::bound),
        trials);
  }

  private static Outcome outcome(
      LoadPoints tried, SearchPlan plan, Optional<LoadPoint> holds, Optional<LoadPoint> fails) {
    if (fails.filter(LoadPoint::isUnmakeable).isPresent()) {
      return Outcome.LIMITED_BY_LOAD_GENERATOR;
    }
    if (holds.isEmpty()) {
      return fails.isPresent() && !tried.anyWithin() ? Outcome.NONE_PASSES : Outcome.UNSTABLE;
    }
    if (fails.isEmpty()) {
      long highest = holds.get().load;
      boolean within =
          tried.anyPassed() && !tried.anyFailedFrom(highest) && tried.allPassedAbove(highest);
      return within ? Outcome.NONE_FAILS : Outcome.UNSTABLE;
    }
    double contradicted = fails.get().load * plan.promised() * plan.promised();
    if (!isWithin(plan.widest(), holds.get().load, fails.get().load)
        || tried.anyHeldAbove(contradicted)) {
      return Outcome.UNSTABLE;
    }
    boolean cliff =
        holds.get().maxUtilizationBelow(FAR_WITHIN) && fails.get().violatesAtLeast(FAR_BEYOND);
    return cliff ? Outcome.CLIFF : Outcome.FOUND;
  }
}
