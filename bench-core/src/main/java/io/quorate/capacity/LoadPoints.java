// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import java.util.Collection;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The loads that a search has tried, ascending. For one thread. */
final class LoadPoints {
  private final NavigableMap<Long, LoadPoint> loads = new TreeMap<>();

  void add(TrialResult result, Trial trial) {
    loads.computeIfAbsent(trial.load(), LoadPoint::new).add(result, trial);
  }

  /** Returns the trials of a load; empty ones for a load that was not tried. */
  LoadPoint at(long load) {
    return loads.getOrDefault(load, new LoadPoint(load));
  }

  Collection<LoadPoint> all() {
    return loads.values();
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
    return CapacityLikelihood.of(loads.values());
  }

  /**
   * Returns the loads of an interval that have trials of the final length or cannot be generated.
   */
  Stream<LoadPoint> confirmed(double low, double high) {
    return loads.values().stream()
        .filter(load -> load.confirmed() > 0 || load.isUnmakeable())
        .filter(load -> load.load >= low && load.load <= high);
  }

  /** Returns the highest load that holds, if not enough trials of a lower one failed. */
  Optional<LoadPoint> holding(CapacityLikelihood likely, int repeats) {
    return loads.values().stream()
        .takeWhile(load -> !(load.fails(likely) && load.isSettled(likely, repeats)))
        .filter(load -> load.holds(likely))
        .max(Comparator.comparing(load -> load.load));
  }

  /**
   * Returns the lowest load above the holding one that fails or cannot be generated; empty if there
   * is none.
   */
  Optional<LoadPoint> failing(CapacityLikelihood likely, int repeats) {
    long least = holding(likely, repeats).map(load -> load.load + 1).orElse(0L);
    return loads.tailMap(least).values().stream()
        .filter(load -> load.fails(likely) || load.isUnmakeable())
        .findFirst();
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
