package io.quorate.capacity;

import java.util.Collection;
import java.util.OptionalDouble;

/**
 * Estimates at which load exactly as much violates a limit as may: where a straight line through
 * the logarithms of what was used of it, over the loads, crosses that of 1. Near the capacity of a
 * queue these logarithms grow about linearly with its load.
 */
final class LoadEstimate {
  /** Loads less apart than this say nothing of a slope. */
  private static final double APART = 1.01;

  /** A trial of a load so near where the limit should be is enough to try bounds around it. */
  private static final double NEAR = 1.06;

  private LoadEstimate() {}

  /** Returns whether a trial that tells something was of a load near where the limit should be. */
  static boolean isFromNear(Collection<TriedLoad> tried, double limit) {
    return tried.stream()
        .anyMatch(
            each -> each.isTelling() && each.load() >= limit / NEAR && each.load() <= limit * NEAR);
  }

  /**
   * Returns the estimate.
   *
   * @param tried loads, of which those count whose trials used some of the limit, but not all of it
   *     many times
   * @return empty if these are not enough, or do not use more with more load
   */
  static OptionalDouble of(Collection<TriedLoad> tried) {
    double weights = 0;
    double loads = 0;
    double logs = 0;
    long least = Long.MAX_VALUE;
    long most = 0;
    for (TriedLoad each : tried) {
      if (each.isTelling()) {
        weights += each.weight();
        loads += each.weight() * each.load();
        logs += each.weight() * each.logUsed();
        least = Math.min(least, each.load());
        most = Math.max(most, each.load());
      }
    }
    if (weights == 0 || most < least * APART) {
      return OptionalDouble.empty();
    }
    double meanLoad = loads / weights;
    double meanLog = logs / weights;
    double squares = 0;
    double products = 0;
    for (TriedLoad each : tried) {
      if (each.isTelling()) {
        double apart = each.load() - meanLoad;
        squares += each.weight() * apart * apart;
        products += each.weight() * apart * (each.logUsed() - meanLog);
      }
    }
    double slope = products / squares;
    return slope > 0 ? OptionalDouble.of(meanLoad - meanLog / slope) : OptionalDouble.empty();
  }
}
