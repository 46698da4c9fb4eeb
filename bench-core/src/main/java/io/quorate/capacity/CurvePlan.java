package io.quorate.capacity;

import io.quorate.capacity.Trial.Stage;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The rules of the trials that show what lies below and above a capacity, and of the overload after
 * them.
 *
 * @param percents of the capacity, ascending
 * @param settleSeconds how long the load of a trial runs before it is measured
 * @param measureSeconds how long it is measured
 * @param overloadSeconds how long the overload lasts
 * @param watchedSeconds how long what comes after it is watched at most
 */
public record CurvePlan(
    List<Integer> percents,
    int settleSeconds,
    int measureSeconds,
    int overloadSeconds,
    int watchedSeconds) {
  /** Part of the capacity that is offered as an overload, and after it, in percent. */
  public static final int OVERLOAD_PERCENT = 150;

  public static final int AFTERWARDS_PERCENT = 80;

  /** Curve beside {@link SearchPlan#FULL}: about two minutes. */
  public static final CurvePlan FULL =
      new CurvePlan(List.of(10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 105, 110), 2, 7, 5, 30);

  /** Curve beside {@link SearchPlan#QUICK}: about half a minute. */
  public static final CurvePlan QUICK =
      new CurvePlan(List.of(10, 30, 50, 70, 90, 100, 110), 1, 3, 3, 15);

  private static final int PERCENT = 100;

  public CurvePlan {
    percents = List.copyOf(percents);
  }

  /**
   * Returns the trials, each load once.
   *
   * @param capacity requests per second, or clients
   * @param after number of the last trial before them
   */
  public List<Trial> trials(long capacity, int after) {
    List<Long> loads =
        percents.stream().map(percent -> part(capacity, percent)).distinct().sorted().toList();
    return IntStream.range(0, loads.size())
        .mapToObj(
            i ->
                new Trial(
                    after + i + 1,
                    loads.get(i),
                    Stage.CURVE,
                    settleSeconds,
                    measureSeconds,
                    measureSeconds))
        .toList();
  }

  /** Returns a part of a load, at least 1. */
  public static long part(long load, int percent) {
    return Math.max(1, Math.round((double) load * percent / PERCENT));
  }
}
