package io.quorate.capacity;

import java.util.Collection;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The loads that a search has tried or will try next, ascending. For one thread. */
final class TriedLoads {
  /** Factor by which a load that is likely to hold is below one that failed. */
  private static final double BELOW_FAILED = 1.02;

  private final NavigableMap<Long, TriedLoad> loads = new TreeMap<>();

  /** Returns what is known of a load. */
  TriedLoad at(long load) {
    return loads.computeIfAbsent(load, TriedLoad::new);
  }

  Collection<TriedLoad> all() {
    return loads.values();
  }

  /** Returns how many of them the load generator cannot make. */
  long unmakeable() {
    return loads.values().stream().filter(TriedLoad::isUnmakeable).count();
  }

  /** Returns the next lower load that held. */
  Optional<TriedLoad> passedBelow(TriedLoad load) {
    return withinUpTo(load.load() - 1);
  }

  /** Returns the next higher load that did not hold, or that the load generator cannot make. */
  Optional<TriedLoad> failedAbove(TriedLoad load) {
    return tooMuchFrom(load.load() + 1);
  }

  /** Returns the highest load up to another that held. */
  Optional<TriedLoad> withinUpTo(double load) {
    return loads.values().stream()
        .filter(each -> each.load() <= load && each.isWithin() && !each.isUnmakeable())
        .max(Comparator.comparing(TriedLoad::load));
  }

  /** Returns the lowest load from another on that did not hold. */
  Optional<TriedLoad> tooMuchFrom(double load) {
    return loads.values().stream()
        .filter(each -> each.load() >= load && each.isTooMuch())
        .findFirst();
  }

  /** Returns how likely each load is the capacity, after all trials. */
  CapacityLikelihood likelihood() {
    return CapacityLikelihood.of(loads.values());
  }

  /**
   * Returns a load that the capacity is below with a probability, and that is below all that failed
   * in most of the trials that decide; the lowest load if none is.
   */
  TriedLoad likelyToHold(double probability, long lowest) {
    double likely = likelihood().quantile(probability);
    double failed =
        loads.values().stream()
            .filter(each -> each.decided() > 0 && !each.isWithin())
            .findFirst()
            .map(each -> each.load() / BELOW_FAILED)
            .orElse(likely);
    return at(Math.max(lowest, TriedLoad.rounded((long) Math.min(likely, failed))));
  }

  /** Returns whether a trial of this load or a higher one failed, of any length. */
  boolean anyFailedFrom(long load) {
    return loads.tailMap(load, true).values().stream().anyMatch(TriedLoad::hasFailedAtAll);
  }

  /** Returns whether a trial of any load passed. */
  boolean anyPassed() {
    return loads.values().stream().anyMatch(TriedLoad::hasPassed);
  }

  /** Returns the lowest load that did not hold, or that the load generator cannot make. */
  Optional<TriedLoad> lowestTooMuch() {
    return loads.values().stream().filter(TriedLoad::isTooMuch).findFirst();
  }
}
