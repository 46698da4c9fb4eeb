// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.capacity;

import io.quorate.capacity.SearchPlan;
import io.quorate.capacity.SearchResult;
import io.quorate.capacity.Trial;
import io.quorate.capacity.TrialVerdict;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.SloLimit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A search for a capacity, as recorded in {@code trials.jsonl}.
 *
 * @param conclusion result of the search; empty if it was interrupted
 * @param curve trials below and above the capacity, in their order; empty if there were none. A
 *     load whose first trial was spoiled has a second one
 */
public record SearchRecord(
    Header header,
    List<TrialRow> trials,
    Optional<SearchResult> conclusion,
    List<TrialRow> curve,
    Optional<OverloadRecovery> recovery) {
  /**
   * The task of a search.
   *
   * @param start the first load that is tried
   * @param preloadBytes bytes of keys and values that were preloaded, in addition to the scenario's
   * @param unit what sends the requests, in whose number the capacity is also stated; empty for
   *     none
   * @param plan everything else that trials depend on, by name, such as the text of the scenario
   */
  public record Header(
      String scenario,
      List<SloLimit> limits,
      CapacityGoal.Search search,
      long start,
      CapacityGoal.Load load,
      long preloadBytes,
      Optional<CapacityGoal.Unit> unit,
      Map<String, String> plan) {
    /** Returns whether the load is a number of clients, not a rate. */
    public boolean ofClients() {
      return load == CapacityGoal.Load.CLIENTS;
    }

    public boolean isQuick() {
      return search == CapacityGoal.Search.QUICK;
    }
  }

  /** Returns how many trials the search makes at most, without its curve. */
  public int mostTrials() {
    return plan().mostTrials();
  }

  /** Returns the rules of the search. */
  public SearchPlan plan() {
    return header.isQuick() ? SearchPlan.QUICK : SearchPlan.FULL;
  }

  /** Returns the trials of the curve: the last one of each load. */
  public List<TrialRow> curvePoints() {
    Map<Long, TrialRow> points = new TreeMap<>();
    curve.forEach(row -> points.put(row.load(), row));
    return List.copyOf(points.values());
  }

  /**
   * Returns the trials of the final length of a load that passed or failed; the undecided ones if
   * there are no others.
   */
  public List<TrialRow> deciding(long load) {
    List<TrialRow> made =
        trials.stream()
            .filter(
                row -> row.stage() == Trial.Stage.CONFIRM && row.load() == load && !row.isSpoiled())
            .toList();
    List<TrialRow> decided =
        made.stream().filter(row -> row.verdict() != TrialVerdict.UNDECIDED).toList();
    return decided.isEmpty() ? made : decided;
  }

  /** Returns how long the search took, without its curve. */
  public double searchSeconds() {
    return trials.stream().mapToDouble(TrialRow::wholeSeconds).sum();
  }

  /** Returns how long all trials took, including the trials of the curve. */
  public double seconds() {
    return searchSeconds() + curve.stream().mapToDouble(TrialRow::wholeSeconds).sum();
  }
}
