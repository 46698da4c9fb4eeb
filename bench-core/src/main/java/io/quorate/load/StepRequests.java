package io.quorate.load;

import io.quorate.load.workload.NumberedRequests;
import io.quorate.load.workload.WatchedRequests;
import io.quorate.load.workload.Workload;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepRecorder;
import io.quorate.measure.WatchRecorder;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import java.util.Optional;

/**
 * The requests of a step: which ones they are, what paces them, and what records them.
 *
 * @param number of the step, from 1
 * @param firstIndex number of the first request
 * @param dueTimes of the requests of an open loop, for one loop
 * @param coalesces whether watchers may be told the latest state only
 */
record StepRequests(
    Step step,
    int number,
    long firstIndex,
    Workload workload,
    Optional<DueTimes> dueTimes,
    RunClock clock,
    boolean coalesces) {
  /** Returns a new budget of the requests. */
  Budget budget() {
    return new Budget(firstIndex, step.requests());
  }

  /** Returns a new recorder of the requests, and of the events that watchers receive. */
  StepRecorder recorder() {
    StepRecorder recorder =
        new StepRecorder(step.clients(), clock, workload.operations(), step.isOpen());
    step.watch().map(this::watchRecorder).ifPresent(recorder::watchedBy);
    if (step.isOneShot()) {
      recorder.recordConnects();
    }
    return recorder;
  }

  /** Returns a loop that makes the requests. */
  Loop loop(Budget budget, StepRecorder recorder, LoadStep.Opener connector) {
    NumberedRequests requests = requests(recorder);
    if (step.model() instanceof LoadModel.Closed closed) {
      RequestSpacing limit = new RequestSpacing(closed.limitPerSecond());
      return closed.oneShot()
          ? new OneShotLoop(budget, requests, recorder, limit, connector::openOne)
          : new ClosedLoop(budget, requests, recorder, limit);
    }
    LoadModel.Open open = (LoadModel.Open) step.model();
    return new OpenLoop(
        budget,
        new Pacer(dueTimes.orElseThrow(), open.ratePerSecond(), step.requests()),
        requests,
        recorder,
        open.maxOutstanding(),
        step.connections());
  }

  private NumberedRequests requests(StepRecorder recorder) {
    NumberedRequests measured = workload.measured();
    return recorder
        .watch()
        .filter(watch -> !watchHistory())
        .<NumberedRequests>map(watch -> new WatchedRequests(measured, watch))
        .orElse(measured);
  }

  /** Returns whether the step's watchers receive what was written before. */
  boolean watchHistory() {
    return step.watch().filter(WatchLoad::isOfHistory).isPresent();
  }

  private WatchRecorder watchRecorder(WatchLoad load) {
    if (load.isOfHistory()) {
      return new WatchRecorder(0, load.history(), load.watchers(), load.streams(), false);
    }
    return new WatchRecorder(
        firstIndex, Math.toIntExact(step.requests()), load.watchers(), load.streams(), coalesces);
  }
}
