// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * A search on a simulated store, within p99 <= 20 ms.
 *
 * @param trials in their order
 * @param simulatedSeconds of all of them
 */
record SimulatedSearch(SearchResult conclusion, List<Trial> trials, double simulatedSeconds) {
  static final double LATE_AFTER_SECONDS = 0.020;
  static final double ALLOWED = 0.01;

  static SimulatedSearch of(SimulatedStore store, SearchPlan plan, long start, long seed) {
    return of(store, plan, start, seed, load -> false);
  }

  /**
   * @param spoiled tells which loads the load generator cannot make
   */
  static SimulatedSearch of(
      SimulatedStore store, SearchPlan plan, long start, long seed, LongPredicate spoiled) {
    SimulatedStore.Run run = store.new Run(seed, LATE_AFTER_SECONDS);
    CapacitySearch search = new CapacitySearch(plan, 1, 1_000_000, start);
    List<Trial> trials = new ArrayList<>();
    while (search.next().isPresent()) {
      Trial trial = search.next().get();
      trials.add(trial);
      double before = run.simulatedSeconds();
      TrialResult result =
          spoiled.test(trial.load()) ? ScriptedSearch.SPOILED : result(run, trial, seed);
      search.add(result, run.simulatedSeconds() - before);
    }
    return new SimulatedSearch(search.conclusion(), trials, run.simulatedSeconds());
  }

  private static TrialResult result(SimulatedStore.Run run, Trial trial, long seed) {
    List<ViolationCount> seconds =
        new ArrayList<>(run.seconds(trial.load(), trial.settleSeconds(), trial.measureSeconds()));
    TrialResult.ViolationBounds bounds = TrialResult.ViolationBounds.of(seconds, seed);
    while (bounds.verdict(ALLOWED) == TrialVerdict.UNDECIDED
        && seconds.size() < trial.mostSeconds()) {
      seconds.addAll(run.seconds(trial.load(), 0, trial.measureSeconds()));
      bounds = TrialResult.ViolationBounds.of(seconds, seed);
    }
    return new TrialResult(bounds.verdict(ALLOWED), bounds.part() / ALLOWED, bounds.part());
  }

  long capacity() {
    return conclusion.holds().orElseThrow().load();
  }

  /** Returns whether the capacity is in the range that was found, or as close to it as promised. */
  boolean isRight(double truth, SearchPlan plan) {
    return capacity() <= truth * plan.promised() && fails() >= truth / plan.promised();
  }

  /** Returns the relative width of the range that was found. */
  double width() {
    return fails() / capacity() - 1;
  }

  private double fails() {
    return conclusion.fails().map(Bound::load).orElse(Long.MAX_VALUE);
  }

  double error(double truth) {
    return capacity() / truth - 1;
  }
}
