// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.capacity;

import io.quorate.capacity.Bound;
import io.quorate.capacity.SearchPlan;
import io.quorate.capacity.SearchResult;
import io.quorate.capacity.Trial;
import io.quorate.capacity.Trial.Stage;
import io.quorate.load.RunningStep;
import io.quorate.results.capacity.OverloadRecovery;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialRow;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.LoadModel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Runs the trials below and above a found capacity, and an overload after them. */
final class CapacityCurve {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Last part of a second in which a load can still begin with the next second. */
  private static final double NEXT_SECOND = 0.5;

  /** Number of consecutive seconds within the limits after which the store has recovered. */
  private static final int SECONDS_IN_A_ROW = 3;

  private final CapacityGoal goal;
  private final TrialRunner runner;
  private final SearchLog log;
  private final Plan plan;
  private final Deque<TrialRow> known = new ArrayDeque<>();
  private int number;

  CapacityCurve(CapacityGoal goal, TrialRunner runner, SearchLog log) {
    this.goal = goal;
    this.runner = runner;
    this.log = log;
    this.plan = goal.search() == CapacityGoal.Search.QUICK ? Plan.QUICK : Plan.FULL;
  }

  /** Runs these trials, unless no load holds; returns false if the process is ending. */
  boolean make(SearchResult found, Optional<SearchRecord> earlier) {
    Optional<Bound> holds = found.holds();
    if (holds.isEmpty()) {
      return true;
    }
    known.addAll(earlier.map(SearchRecord::curve).orElse(List.of()));
    number = found.trials();
    for (long load : plan.loads(holds.get().load())) {
      Optional<TrialRow> row = trial(load);
      if (row.filter(TrialRow::isSpoiled).isPresent()) {
        row = trial(load);
      }
      if (row.isEmpty()) {
        return false;
      }
    }
    if (goal.load() == CapacityGoal.Load.RATE) {
      OverloadRecovery recovery =
          earlier.flatMap(SearchRecord::recovery).orElseGet(() -> recover(holds.get().load()));
      if (runner.isEnding()) {
        return false;
      }
      log.add(recovery);
    }
    return true;
  }

  private Optional<TrialRow> trial(long load) {
    Trial next = plan.trial(++number, load);
    Optional<TrialRow> row =
        known.isEmpty() ? runner.make(next) : Optional.of(known.remove().ofEarlierRun());
    row.ifPresent(log::add);
    return row;
  }

  private OverloadRecovery recover(long capacity) {
    long overload = Plan.part(capacity, Plan.OVERLOAD_PERCENT);
    long load = Plan.part(capacity, Plan.AFTERWARDS_PERCENT);
    RunningStep before = runner.start(open(overload), 0, plan.overloadSeconds());
    // the next load begins with a second of the clock
    while (TrialRunner.seconds(before) < plan.overloadSeconds() - NEXT_SECOND
        && !runner.isEnding()) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    RunningStep after = runner.start(open(load), 0, plan.watchedSeconds());
    OptionalInt recovered = watch(after);
    int watched = (int) TrialRunner.seconds(after);
    after.cancel();
    before.cancel();
    runner.awaitEnd(after);
    runner.awaitEnd(before);
    return new OverloadRecovery(overload, plan.overloadSeconds(), load, watched, recovered);
  }

  private LoadModel.Open open(long rate) {
    int all = Math.toIntExact(rate * plan.watchedSeconds());
    return new LoadModel.Open(rate, LoadModel.Arrivals.CONSTANT, all);
  }

  private OptionalInt watch(RunningStep step) {
    // a request of a past second may still become late
    double late =
        goal.limits().stream()
            .mapToDouble(limit -> Math.min(1, limit.latestNanos() / NANOS_PER_SECOND))
            .max()
            .orElseThrow();
    while (TrialRunner.seconds(step) < plan.watchedSeconds() && !runner.isEnding()) {
      LockSupport.parkNanos(LOOK_NANOS);
      int over = (int) (TrialRunner.seconds(step) - late);
      int within = 0;
      while (within < over && TrialRunner.slo(step).isWithinLimits(over - within - 1)) {
        within++;
      }
      if (within >= SECONDS_IN_A_ROW) {
        return OptionalInt.of(over - within);
      }
    }
    return OptionalInt.empty();
  }

  /**
   * The rules of the trials below and above a capacity, and of the overload after them.
   *
   * @param percents loads in percent of the capacity, ascending, without 100, which the deciding
   *     trials show
   * @param settleSeconds how long the load of a trial runs before it is measured
   * @param measureSeconds how long it is measured
   * @param mostSeconds how long it is measured at most, while it has too few requests for a p99
   * @param overloadSeconds how long the overload lasts
   * @param watchedSeconds how long the recovery after it is watched at most
   */
  record Plan(
      List<Integer> percents,
      int settleSeconds,
      int measureSeconds,
      int mostSeconds,
      int overloadSeconds,
      int watchedSeconds) {
    /** Load of the overload, and of the time after it, in percent of the capacity. */
    static final int OVERLOAD_PERCENT = 150;

    static final int AFTERWARDS_PERCENT = 80;

    /** Curve after {@link SearchPlan#FULL}: about two minutes, and more below 1,500 requests/s. */
    static final Plan FULL =
        new Plan(List.of(10, 20, 30, 40, 50, 60, 70, 80, 90, 105, 110), 2, 7, 42, 5, 30);

    /** Curve after {@link SearchPlan#QUICK}: about half a minute, and more for low rates. */
    static final Plan QUICK = new Plan(List.of(10, 30, 50, 70, 90, 110), 1, 3, 15, 3, 15);

    /** Returns the loads to try, ascending, without the capacity itself. */
    List<Long> loads(long capacity) {
      return percents.stream()
          .map(percent -> part(capacity, percent))
          .filter(load -> load != capacity)
          .distinct()
          .sorted()
          .toList();
    }

    Trial trial(int number, long load) {
      return new Trial(number, load, Stage.CURVE, settleSeconds, measureSeconds, mostSeconds);
    }

    /** Returns a part of a load, at least 1. */
    static long part(long load, int percent) {
      return Math.max(1, Math.round((double) load * percent / 100));
    }
  }
}
