package io.quorate.capacity;

import io.quorate.capacity.Trial.Stage;
import java.util.List;

/**
 * The rules of the trials that show what lies below and above a capacity, and of the overload after
 * them.
 *
 * @param percents of the capacity, ascending; not 100, which the trials that decided about it show
 * @param settleSeconds how long the load of a trial runs before it is measured
 * @param measureSeconds how long it is measured
 * @param mostSeconds how long it is measured at most, where too few requests for a p99 were made
 * @param overloadSeconds how long the overload lasts
 * @param watchedSeconds how long what comes after it is watched at most
 */
public record CurvePlan(
    List<Integer> percents,
    int settleSeconds,
    int measureSeconds,
    int mostSeconds,
    int overloadSeconds,
    int watchedSeconds) {
  /** Part of the capacity that is offered as an overload, and after it, in percent. */
  public static final int OVERLOAD_PERCENT = 150;

  public static final int AFTERWARDS_PERCENT = 80;

  /** Curve after {@link SearchPlan#FULL}: about two minutes, and more below 1,500 requests/s. */
  public static final CurvePlan FULL =
      new CurvePlan(List.of(10, 20, 30, 40, 50, 60, 70, 80, 90, 105, 110), 2, 7, 42, 5, 30);

  /** Curve after {@link SearchPlan#QUICK}: about half a minute, likewise. */
  public static final CurvePlan QUICK =
      new CurvePlan(List.of(10, 30, 50, 70, 90, 110), 1, 3, 15, 3, 15);

  private static final int PERCENT = 100;

  public CurvePlan {
    percents = List.copyOf(percents);
  }

  /**
   * Returns the loads that are tried, each once and ascending, without the capacity itself.
   *
   * @param capacity requests per second, or clients
   */
  public List<Long> loads(long capacity) {
    return percents.stream()
        .map(percent -> part(capacity, percent))
        .filter(load -> load != capacity)
        .distinct()
        .sorted()
        .toList();
  }

  /**
   * Returns the trial of a load.
   *
   * @param number of the trial
   */
  public Trial trial(int number, long load) {
    return new Trial(number, load, Stage.CURVE, settleSeconds, measureSeconds, mostSeconds);
  }

  /** Returns a part of a load, at least 1. */
  public static long part(long load, int percent) {
    return Math.max(1, Math.round((double) load * percent / PERCENT));
  }
}
