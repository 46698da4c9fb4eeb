// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.capacity;

import io.quorate.QuorateException;
import io.quorate.capacity.Trial;
import io.quorate.capacity.TrialResult;
import io.quorate.capacity.TrialVerdict;
import io.quorate.host.HostRecording;
import io.quorate.load.Load;
import io.quorate.load.RealTime;
import io.quorate.load.RunningStep;
import io.quorate.load.StepObserver;
import io.quorate.load.Watchers;
import io.quorate.measure.GeneratorDelay;
import io.quorate.measure.SloRecorder;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.capacity.TrialLatencies;
import io.quorate.results.capacity.TrialRow;
import io.quorate.results.hosts.StepBoundary;
import io.quorate.results.latency.Percentile;
import io.quorate.run.RunContext;
import io.quorate.run.live.Monitor;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.ServiceLevel;
import io.quorate.scenario.Step;
import io.quorate.store.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Runs the trials of a search as steps of the load, one after the other on connections that stay
 * open, and judges them. A monitor and a recording of the machines write the files of these steps
 * to a separate directory. For one thread.
 */
final class TrialRunner implements AutoCloseable {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * Multiple of the requests that a limit allows, above which requests in flight show that a load
   * is too high.
   */
  private static final int DROWNING = 5;

  /** Least time of a trial with too high a load, so that a stall does not end it early. */
  private static final double MIN_DROWNING_SECONDS = 2;

  /** Utilization of the CPUs from which on the load generator is too busy for a valid trial. */
  private static final double BUSY = 0.8;

  /** Least part of the due requests that the load generator has to send for a valid trial. */
  private static final double MADE = 0.98;

  private static final int MIN_OUTSTANDING = 1_000;

  /** Least number of requests for a closed loop whose number of requests is not known. */
  private static final long MIN_LEFT = 50_000_000;

  private static final double LATE_PERCENTILE = 99;

  private final RunContext run;
  private final Load load;
  private final List<Connection> connections;
  private final Optional<Watchers> watchers;
  private final Monitor monitor;
  private final HostRecording recording;
  private final ClusterMonitor members;
  private final List<ServiceLevel> limits;
  private final boolean isOpen;
  private final long tightestNanos;
  private final double drowningSeconds;

  TrialRunner(RunContext run, CapacityGoal goal) {
    this.run = run;
    this.load = run.load();
    this.isOpen = goal.load() == CapacityGoal.Load.RATE;
    this.members = new ClusterMonitor(run.cluster());
    this.limits = goal.limits();
    this.tightestNanos = limits.stream().mapToLong(ServiceLevel::latestNanos).min().orElseThrow();
    double tightest = tightestNanos / NANOS_PER_SECOND;
    double timeout = run.scenario().requests().timeout().toNanos() / NANOS_PER_SECOND;
    this.drowningSeconds = Math.min(timeout, Math.max(MIN_DROWNING_SECONDS, DROWNING * tightest));
    DatabaseDirectory directory = run.directory().createTrials();
    this.recording = run.recordHosts(directory);
    this.monitor = run.monitor(directory, Optional.empty(), Optional.empty());
    this.connections =
        load.connector()
            .open(
                load.steps().stream()
                    .map(RunningStep::step)
                    .mapToInt(Step::connections)
                    .max()
                    .orElseThrow(),
                load::isCancelled);
    this.watchers = goal.watch().map(load::watch);
  }

  /** Enlarges the store, between trials, as {@link Load#preload} does. */
  void preload(long from, long to) {
    load.preload(from, to, connections);
  }

  /** Runs a trial until no requests are in flight; empty if the process is ending. */
  Optional<TrialRow> make(Trial trial) {
    int seconds = trial.settleSeconds() + trial.mostSeconds();
    if (load.requestsLeft() < (isOpen ? trial.load() * seconds : MIN_LEFT)) {
      throw new QuorateException("the search has used up all requests that a run may have");
    }
    long beginNanos = System.nanoTime();
    forgetHistory();
    RunningStep step = start(model(trial), trial.settleSeconds(), seconds);
    int measured = 0;
    members.begin();
    boolean drowned = !awaitUntil(step, trial, trial.settleSeconds());
    if (!drowned) {
      members.begin();
      slo(step).settled();
    }
    while (!drowned && measured < trial.mostSeconds() && !isEnding()) {
      int next = Math.min(trial.mostSeconds(), measured + trial.measureSeconds());
      drowned = !awaitUntil(step, trial, trial.settleSeconds() + next);
      measured = Math.min(next, (int) seconds(step) - trial.settleSeconds());
      if (!drowned && tellsEnough(step, measured, trial)) {
        break;
      }
    }
    double sendingSeconds = Math.min(seconds, seconds(step)) - trial.settleSeconds();
    if (drowned || measured < trial.mostSeconds()) {
      step.cancel(); // otherwise it ends by itself, with its last request
    }
    ClusterMonitor.Seen seen = members.end();
    awaitEnd(step);
    double wholeSeconds = (System.nanoTime() - beginNanos) / NANOS_PER_SECOND;
    return isEnding()
        ? Optional.empty()
        : Optional.of(
            row(trial, step, wholeSeconds, Math.max(0, measured), sendingSeconds, drowned, seen));
  }

  /** Generates a load that is not measured, so that no trial runs cold code. */
  void warmUp(long rateOrClients, int seconds) {
    Trial trial = new Trial(1, rateOrClients, Trial.Stage.BRACKET, 0, seconds, seconds);
    RunningStep step = start(model(trial), 0, seconds);
    awaitUntil(step, trial, seconds);
    step.cancel();
    awaitEnd(step);
  }

  /**
   * Starts a load with the next second of the clock, so that its seconds match the seconds in
   * files.
   */
  RunningStep start(LoadModel model, int settleSeconds, int seconds) {
    SloRecorder slo = new SloRecorder(limits, settleSeconds);
    RunningStep step = load.addTrial(model, seconds, connections, slo, new Observer());
    step.start();
    return step;
  }

  /** Samples the machines, except at the ends of a load that overlaps the previous one. */
  private final class Observer implements StepObserver {
    private boolean alone;

    @Override
    public void begins(int step) {
      alone = load.trials().stream().limit(step - 1L).allMatch(RunningStep::hasEnded);
      if (run.settings().realTime()) {
        RealTime.ask(); // for the threads of reopened connections
      }
      if (alone) {
        recording.sample(step, StepBoundary.BEGIN);
      }
      awaitNextSecond();
    }

    private void awaitNextSecond() {
      long second = TimeUnit.SECONDS.toNanos(1);
      long now = System.nanoTime();
      long next = now + second - load.clock().unixNanos(now) % second;
      while (next - System.nanoTime() > 0) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
    }

    @Override
    public void hasEnded(int step) {
      if (alone) {
        recording.sample(step, StepBoundary.END);
      }
    }
  }

  static SloRecorder slo(RunningStep step) {
    return step.recorder().slo().orElseThrow();
  }

  /** Returns how long ago the first request was sent, in seconds; 0 if none was. */
  static double seconds(RunningStep step) {
    return step.recorder().elapsedNanos(System.nanoTime()) / NANOS_PER_SECOND;
  }

  /** Returns whether nothing new should begin; fails if a server or a file failed. */
  boolean isEnding() {
    Optional<String> failure = monitor.failure();
    if (failure.isPresent()) {
      throw new QuorateException(failure.get());
    }
    return run.isEnding();
  }

  /** Removes the history of keys, so that no trial has a larger store than the previous one. */
  private void forgetHistory() {
    try {
      run.cluster().forgetHistory();
    } catch (QuorateException failure) {
      run.say(failure.getMessage());
    }
  }

  /** Waits until the last request has ended, or for a little longer than its deadline. */
  void awaitEnd(RunningStep step) {
    step.awaitEnd(run.scenario().requests().timeout().plus(Duration.ofSeconds(5)).toNanos());
    requireServers();
  }

  @Override
  public void close() {
    watchers.ifPresent(Watchers::close);
    connections.forEach(Connection::close);
    monitor.stop();
    recording.close();
  }

  private LoadModel model(Trial trial) {
    return isOpen
        ? new LoadModel.Open(
            trial.load(),
            LoadModel.Arrivals.CONSTANT,
            (int) Math.max(MIN_OUTSTANDING, Math.ceil(2 * drowningSeconds * trial.load())))
        : new LoadModel.Closed((int) trial.load(), OptionalLong.empty());
  }

  /** Waits for the end of this part; returns false at once if too many requests are in flight. */
  private boolean awaitUntil(RunningStep step, Trial trial, int seconds) {
    while (seconds(step) < seconds && !isEnding()) {
      LockSupport.parkNanos(LOOK_NANOS);
      if (isOpen && step.recorder().underWayCount() > trial.load() * drowningSeconds) {
        return false;
      }
      requireServers();
    }
    return true;
  }

  private void requireServers() {
    List<String> failures = run.cluster().failures();
    if (!failures.isEmpty()) {
      throw new QuorateException(String.join("; ", failures));
    }
  }

  /**
   * Returns whether a trial may end: a trial of a curve continues until it has enough requests for
   * a p99.
   */
  private boolean tellsEnough(RunningStep step, int measured, Trial trial) {
    return trial.stage() == Trial.Stage.CURVE
        ? Percentile.P99.isCarriedBy(intended(step, measured, trial))
        : result(step, measured, trial, false).verdict() != TrialVerdict.UNDECIDED;
  }

  private TrialResult result(RunningStep step, int measured, Trial trial, boolean sinceSent) {
    int end = trial.settleSeconds() + measured;
    return TrialResult.of(
        limits, slo(step).violations(trial.settleSeconds(), end, sinceSent), trial.number());
  }

  private static long intended(RunningStep step, int measured, Trial trial) {
    return slo(step).intended(trial.settleSeconds(), trial.settleSeconds() + measured);
  }

  private TrialRow row(
      Trial trial,
      RunningStep step,
      double wholeSeconds,
      int measured,
      double sendingSeconds,
      boolean drowned,
      ClusterMonitor.Seen seen) {
    TrialResult found = result(step, measured, trial, false);
    TrialResult result =
        drowned ? new TrialResult(TrialVerdict.FAIL, Double.POSITIVE_INFINITY, 1) : found;
    Histogram responses = slo(step).responses();
    Histogram lag = slo(step).lag();
    long intended = intended(step, measured, trial);
    double seconds = Math.max(1, measured);
    Optional<String> fault =
        notMade(intended, drowned || !isOpen ? 0 : measured, trial)
            .or(
                () ->
                    result.verdict() == TrialVerdict.PASS
                        ? Optional.empty()
                        : busy(seen)
                            .or(() -> compiled(step))
                            .or(() -> late(step, measured, trial, drowned)));
    return new TrialRow(
        trial.number(),
        trial.stage(),
        trial.load(),
        wholeSeconds,
        measured,
        fault.isPresent() ? TrialVerdict.SPOILED : result.verdict(),
        fault.or(() -> drowned ? Optional.of("drowned: cut short") : Optional.empty()),
        Double.isFinite(result.usedPart())
            ? OptionalDouble.of(result.usedPart())
            : OptionalDouble.empty(),
        result.violatingPart(),
        intended / seconds,
        drowned ? 0 : responses.getTotalCount() / Math.max(1, sendingSeconds),
        TrialLatencies.of(responses),
        step.recorder().errorCount(),
        step.recorder().droppedCount(),
        lag.getTotalCount() == 0
            ? OptionalLong.empty()
            : OptionalLong.of(lag.getValueAtPercentile(LATE_PERCENTILE)),
        seen.loadGeneratorCores(),
        seen.cores(),
        seen.machineBusy(),
        seen.activity(),
        OptionalInt.of(step.number()));
  }

  private static Optional<String> notMade(long made, int measured, Trial trial) {
    long asked = trial.load() * measured;
    return made + 1 < MADE * asked
        ? Optional.of(SearchLog.format("the load generator made %,d of %,d requests", made, asked))
        : Optional.empty();
  }

  private Optional<String> busy(ClusterMonitor.Seen seen) {
    double cores = seen.loadGeneratorCores();
    // external servers on this machine would count as other processes
    OptionalDouble machineBusy =
        members.seesServersHere ? seen.machineBusy() : OptionalDouble.empty();
    int processors = Runtime.getRuntime().availableProcessors();
    if (cores > BUSY * processors) {
      return Optional.of(
          SearchLog.format("the load generator used %.1f of %d CPUs", cores, processors));
    }
    double others = machineBusy.orElse(0) * processors - cores - seen.cores().orElse(0);
    return others > GeneratorDelay.MOST_OTHERS * processors
        ? Optional.of(SearchLog.format("other processes used %.1f of %d CPUs", others, processors))
        : Optional.empty();
  }

  private static Optional<String> compiled(RunningStep step) {
    return step.selfWatch()
        .filter(watch -> GeneratorDelay.isCompiling(watch.compileNanos(), watch.elapsedNanos()))
        .map(any -> "the JVM compiled the load generator's code");
  }

  private Optional<String> late(RunningStep step, int measured, Trial trial, boolean drowned) {
    boolean late =
        drowned
            ? slo(step).lag().getValueAtPercentile(LATE_PERCENTILE) > tightestNanos
            : result(step, measured, trial, true).verdict() == TrialVerdict.PASS;
    return late ? Optional.of("the load generator sent requests too late") : Optional.empty();
  }
}
