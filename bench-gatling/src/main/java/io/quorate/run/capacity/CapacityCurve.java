package io.quorate.run.capacity;

import io.quorate.capacity.Bound;
import io.quorate.capacity.CurvePlan;
import io.quorate.capacity.SearchResult;
import io.quorate.capacity.Trial;
import io.quorate.capacity.ViolationCount;
import io.quorate.load.RunningStep;
import io.quorate.results.capacity.OverloadRecovery;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialRow;
import io.quorate.results.capacity.TrialsJournal;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.ServiceLevel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Makes the trials below and above a capacity that was found, and an overload after them. */
final class CapacityCurve {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Part of a second before its end within which a load still begins with the next one. */
  private static final double NEXT_SECOND = 0.5;

  /** So many seconds in a row are within the limits when the store has recovered. */
  private static final int SECONDS_IN_A_ROW = 3;

  /** Longest time that a spoiled trial waits for other processes before it is repeated. */
  private static final Duration QUIET_LIMIT = Duration.ofSeconds(10);

  private final CapacityGoal goal;
  private final TrialRunner runner;
  private final TrialsJournal journal;
  private final CapacityText text;
  private final CurvePlan plan;
  private final Deque<TrialRow> known = new ArrayDeque<>();
  private int number;

  CapacityCurve(CapacityGoal goal, TrialRunner runner, TrialsJournal journal, CapacityText text) {
    this.goal = goal;
    this.runner = runner;
    this.journal = journal;
    this.text = text;
    this.plan = goal.quick() ? CurvePlan.QUICK : CurvePlan.FULL;
  }

  /**
   * Makes them, unless no load is known to hold; trials of an earlier run are not made again.
   *
   * @return whether it came to its end; not if the process is being ended
   */
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
        row = again(load);
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
      journal.add(recovery);
      text.recovered(recovery);
    }
    return true;
  }

  /** Makes the next trial, or takes it from an earlier run. */
  private Optional<TrialRow> trial(long load) {
    Trial next = plan.trial(++number, load);
    Optional<TrialRow> row =
        known.isEmpty()
            ? runner.make(next)
            : Optional.of(CapacityMeasurement.checked(known.remove(), next));
    row.ifPresent(journal::add);
    row.ifPresent(text::ended);
    return row;
  }

  /** Makes a trial again that the load generator spoiled. */
  private Optional<TrialRow> again(long load) {
    if (known.isEmpty()) {
      runner.awaitQuiet(QUIET_LIMIT);
    }
    return trial(load);
  }

  private OverloadRecovery recover(long capacity) {
    long overload = CurvePlan.part(capacity, CurvePlan.OVERLOAD_PERCENT);
    long load = CurvePlan.part(capacity, CurvePlan.AFTERWARDS_PERCENT);
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
    return new LoadModel.Open(rate, LoadModel.Arrivals.UNIFORM, all);
  }

  /** Returns the first second from which on some in a row are within the limits. */
  private OptionalInt watch(RunningStep step) {
    // a request of a second that is over may still become late
    double late =
        goal.limits().stream()
            .mapToDouble(limit -> Math.min(1, limit.latestNanos() / NANOS_PER_SECOND))
            .max()
            .orElseThrow();
    while (TrialRunner.seconds(step) < plan.watchedSeconds() && !runner.isEnding()) {
      LockSupport.parkNanos(LOOK_NANOS);
      int over = (int) (TrialRunner.seconds(step) - late);
      int row =
          over < 1
              ? 0
              : consecutiveWithinLimit(TrialRunner.slo(step).violations(0, over, false), over);
      if (row >= SECONDS_IN_A_ROW) {
        return OptionalInt.of(over - row);
      }
    }
    return OptionalInt.empty();
  }

  /** Returns how many of the last seconds are within the limits. */
  private int consecutiveWithinLimit(List<List<ViolationCount>> counts, int seconds) {
    int within = 0;
    while (within < seconds && isWithin(counts, seconds - within - 1)) {
      within++;
    }
    return within;
  }

  private boolean isWithin(List<List<ViolationCount>> counts, int second) {
    List<ServiceLevel> limits = goal.limits();
    for (int i = 0; i < limits.size(); i++) {
      if (!counts.get(i).get(second).isWithin(limits.get(i).allowedPart())) {
        return false;
      }
    }
    return true;
  }
}
