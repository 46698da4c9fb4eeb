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

  /**
   * Returns the conclusion from all trials. Only trials of the final length decide about a load,
   * and the likelihood over all trials has to agree with them.
   */
  static SearchResult of(LoadPoints tried, SearchPlan plan, int trials) {
    CapacityLikelihood likely = tried.likelihood();
    Optional<LoadPoint> holds = tried.holding(likely, plan.repeats());
    Optional<LoadPoint> fails = tried.failing(likely, plan.repeats());
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
      return fails.isPresent() && !tried.anyPassed() ? Outcome.NONE_PASSES : Outcome.UNSTABLE;
    }
    if (tried.likelihood().isBelow(holds.get().load)) {
      return Outcome.UNSTABLE;
    }
    if (fails.isEmpty()) {
      long highest = holds.get().load;
      boolean within =
          tried.anyPassed() && !tried.anyFailedFrom(highest) && tried.allPassedAbove(highest);
      return within ? Outcome.NONE_FAILS : Outcome.UNSTABLE;
    }
    long low = holds.get().load;
    long high = fails.get().load;
    boolean wide = high > low * plan.promised() && high - low > 1;
    boolean decided = tried.anyPassed() && tried.anyFailedFrom(low);
    if (!decided || wide || isContradicted(tried, plan, high)) {
      return Outcome.UNSTABLE;
    }
    boolean cliff =
        holds.get().maxUtilizationBelow(FAR_WITHIN) && fails.get().violatesAtLeast(FAR_BEYOND);
    return cliff ? Outcome.CLIFF : Outcome.FOUND;
  }

  /** Returns whether a load clearly higher than the failing one passed. */
  private static boolean isContradicted(LoadPoints tried, SearchPlan plan, long fails) {
    return tried.likelihood().isAbove(fails)
        || tried.all().stream()
            .anyMatch(load -> load.anyPassed && load.load > fails * plan.promised());
  }
}
