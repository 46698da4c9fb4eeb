// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A whole search, with results that follow from the trial. */
final class ScriptedSearch {
  /** The result of a trial that the load generator spoiled. */
  static final TrialResult SPOILED = new TrialResult(TrialVerdict.SPOILED, 0, 0);

  /** A result that tells nothing of how far the limit is. */
  static final TrialResult WITHIN = new TrialResult(TrialVerdict.PASS, 0.04, 0.0004);

  /** A result that tells nothing of how far the limit is. */
  static final TrialResult BEYOND = new TrialResult(TrialVerdict.FAIL, 40, 0.4);

  final List<Trial> trials = new ArrayList<>();
  final SearchResult conclusion;

  ScriptedSearch(SearchPlan plan, long start, Function<Trial, TrialResult> results) {
    this(plan, 1, 1_000_000, start, results);
  }

  ScriptedSearch(
      SearchPlan plan,
      long lowest,
      long highest,
      long start,
      Function<Trial, TrialResult> results) {
    CapacitySearch search = new CapacitySearch(plan, lowest, highest, start);
    while (search.next().isPresent()) {
      Trial trial = search.next().get();
      trials.add(trial);
      search.add(results.apply(trial), trial.settleSeconds() + trial.measureSeconds());
    }
    conclusion = search.conclusion();
  }

  /** Makes a full search. */
  static ScriptedSearch full(long start, Function<Trial, TrialResult> results) {
    return new ScriptedSearch(SearchPlan.FULL, start, results);
  }

  /**
   * Returns the result of a trial in which some part of what a limit of 1% allows was used, such as
   * 0.5 for 0.5%.
   */
  static TrialResult using(double part) {
    return new TrialResult(
        part <= 1 ? TrialVerdict.PASS : TrialVerdict.FAIL, part, Math.min(1, 0.01 * part));
  }

  List<Long> loads() {
    return trials.stream().map(Trial::load).toList();
  }
}
