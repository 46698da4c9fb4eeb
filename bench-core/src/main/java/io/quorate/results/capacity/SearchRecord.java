package io.quorate.results.capacity;

import io.quorate.capacity.SearchPlan;
import io.quorate.capacity.SearchResult;
import io.quorate.capacity.Trial;
import io.quorate.capacity.TrialVerdict;
import java.util.Collections;
import java.util.LinkedHashMap;
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
  /** Name of a search for the most requests per second. */
  public static final String RATE = "rate";

  /** Name of a search for the most clients of a closed loop. */
  public static final String CLIENTS = "clients";

  /** Name of a search that takes a few minutes. */
  public static final String QUICK = "quick";

  /**
   * The task of a search.
   *
   * @param search {@code full} or {@code quick}
   * @param start the first load that is tried
   * @param load {@value #RATE} or {@value #CLIENTS}
   * @param preloadBytes bytes of keys and values that were preloaded, in addition to the scenario's
   * @param plan everything else that trials depend on, by name, such as the text of the scenario
   */
  public record Header(
      String scenario,
      List<String> limits,
      String search,
      long start,
      String load,
      long preloadBytes,
      Map<String, String> plan) {
    public Header {
      limits = List.copyOf(limits);
      plan = Collections.unmodifiableMap(new LinkedHashMap<>(plan));
    }
  }

  /** Returns how many trials the search makes at most, without its curve. */
  public int mostTrials() {
    SearchPlan plan = header.search().equals(QUICK) ? SearchPlan.QUICK : SearchPlan.FULL;
    return plan.mostTrials();
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
