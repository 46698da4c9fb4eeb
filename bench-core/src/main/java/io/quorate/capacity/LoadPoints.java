// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import io.quorate.capacity.CapacityLikelihood.Shown;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The loads that a search has tried, ascending. For one thread. */
final class LoadPoints {
  private final NavigableMap<Long, LoadPoint> loads = new TreeMap<>();
  private Optional<CapacityLikelihood> likelihood = Optional.empty();

  void add(TrialResult result, Trial trial) {
    loads.computeIfAbsent(trial.load(), LoadPoint::new).add(result, trial);
    likelihood = Optional.of(CapacityLikelihood.of(loads.values()));
  }

  /** Returns the trials of a load; empty ones for a load that was not tried. */
  LoadPoint at(long load) {
    return loads.getOrDefault(load, new LoadPoint(load));
  }

  boolean contains(long load) {
    return loads.containsKey(load);
  }

  long lowest() {
    return loads.firstKey();
  }

  long highest() {
    return loads.lastKey();
  }

  CapacityLikelihood likelihood() {
    return likelihood.orElseThrow();
  }

  /**
   * Returns the loads of an interval that have trials of the final length or cannot be generated.
   */
  Stream<LoadPoint> confirmed(double low, double high) {
    return loads.values().stream()
        .filter(load -> load.confirmed() > 0 || load.isUnmakeable())
        .filter(load -> load.load >= low && load.load <= high);
  }

  /**
   * Returns the highest load that holds, if the capacity is hardly lower, not enough trials of a
   * lower load failed, and the store does not pause.
   */
  Optional<LoadPoint> holding(CapacityLikelihood likely, SearchPlan plan) {
    return loads.values().stream()
        .takeWhile(load -> !(load.fails(likely) && load.isSettled(likely, plan.repeats())))
        .filter(load -> load.holds(likely) && !likely.isBelow(load.load / plan.promised()))
        .filter(load -> isWithinUpTo(load.load) && !hasPauses(plan))
        .max(Comparator.comparing(load -> load.load));
  }

  /**
   * Returns the lowest load above the holding one that fails, if the capacity is hardly higher, or
   * that cannot be generated; empty if there is none.
   */
  Optional<LoadPoint> failing(CapacityLikelihood likely, SearchPlan plan) {
    long least = holding(likely, plan).map(load -> load.load + 1).orElse(0L);
    return loads.tailMap(least).values().stream()
        .filter(
            load ->
                load.isUnmakeable()
                    || load.fails(likely) && !likely.isAbove(load.load * plan.promised()))
        .findFirst();
  }

  /** Returns whether all trials of a load and of lower ones together used at most the limit. */
  private boolean isWithinUpTo(long load) {
    List<Shown> shown = shownUpTo(load);
    return shown.stream().mapToDouble(Shown::used).sum() <= seconds(shown);
  }

  /**
   * Returns whether the pauses of the store, and one more like the longest, use more than all
   * trials may. A trial far beyond a limit shows a pause if one of a clearly higher load passed.
   */
  private boolean hasPauses(SearchPlan plan) {
    long highest =
        loads.values().stream()
            .filter(load -> load.anyPassed)
            .mapToLong(load -> load.load)
            .max()
            .orElse(0);
    List<Shown> shown = shownUpTo(highest);
    DoubleSummaryStatistics pauses =
        shown.stream()
            .filter(each -> each.isFarBeyond() && each.load() * plan.promised() <= highest)
            .mapToDouble(Shown::used)
            .summaryStatistics();
    return pauses.getCount() > 0 && pauses.getSum() + pauses.getMax() > seconds(shown);
  }

  private static int seconds(List<Shown> shown) {
    return shown.stream().mapToInt(Shown::seconds).sum();
  }

  /** Returns the trials of a load and of lower ones, without those whose limit allows nothing. */
  private List<Shown> shownUpTo(long load) {
    return loads.headMap(load, true).values().stream()
        .flatMap(each -> each.shown.stream())
        .filter(each -> each.logUsed() < Double.POSITIVE_INFINITY)
        .toList();
  }

  boolean anyHeldAbove(double load) {
    return loads.values().stream().anyMatch(each -> each.load > load && each.anyHeld());
  }

  boolean anyFailedFrom(long load) {
    return loads.tailMap(load).values().stream().anyMatch(each -> each.anyFailed);
  }

  boolean allPassedAbove(long load) {
    return loads.tailMap(load, false).values().stream().allMatch(each -> each.anyPassed);
  }

  boolean anyTooMuch() {
    return loads.values().stream().anyMatch(load -> load.anyFailed || load.isUnmakeable());
  }

  /** Returns whether any trial used no more than the limit, although it may be undecided. */
  boolean anyWithin() {
    return loads.values().stream()
        .flatMap(load -> load.shown.stream())
        .anyMatch(each -> each.logUsed() <= 0);
  }

  boolean anyPassed() {
    return loads.values().stream().anyMatch(load -> load.anyPassed);
  }

  /** Returns the lowest load that the load generator cannot generate; infinite if there is none. */
  double lowestUnmakeable() {
    return loads.values().stream()
        .filter(LoadPoint::isUnmakeable)
        .mapToDouble(load -> load.load)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  long unmakeable() {
    return loads.values().stream().filter(LoadPoint::isUnmakeable).count();
  }
}
