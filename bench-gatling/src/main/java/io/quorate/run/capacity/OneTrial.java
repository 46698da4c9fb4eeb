package io.quorate.run.capacity;

import io.quorate.QuorateException;
import io.quorate.capacity.Judgement;
import io.quorate.capacity.Trial;
import io.quorate.capacity.TrialResult;
import io.quorate.capacity.TrialVerdict;
import io.quorate.load.LoadTrials;
import io.quorate.load.RunningTrial;
import io.quorate.load.SelfWatch;
import io.quorate.results.capacity.TrialLatencies;
import io.quorate.results.capacity.TrialRow;
import io.quorate.results.latency.Percentile;
import io.quorate.run.OpenExperiment;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.RequestLimit;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Makes the trials of a search, one after the other, and judges them. */
final class OneTrial {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A load drowns when this many times what a limit allows is under way. */
  private static final int DROWNING = 5;

  /** But at least so many seconds of it, so that a standstill is no drowning. */
  private static final double LEAST_DROWNING_SECONDS = 2;

  /** From this part of the processors on the load generator is too busy to be believed. */
  private static final double BUSY = 0.8;

  /** Below this part of the requests that were due the load generator did not make the load. */
  private static final double MADE = 0.98;

  private static final int LEAST_OUTSTANDING = 1_000;

  /** A closed loop whose requests nobody knows needs so many at least. */
  private static final long LEAST_LEFT = 50_000_000;

  private static final double LATE_PERCENTILE = 99;

  /** From this part of the processors on other processes take too much of them. */
  private static final double OTHERS = 0.25;

  private final OpenExperiment experiment;
  private final LoadTrials trials;
  private final MembersWatch members;
  private final List<RequestLimit> limits;
  private final boolean isOpen;
  private final long tightestNanos;
  private final double drowningSeconds;

  OneTrial(OpenExperiment experiment, LoadTrials trials, CapacityGoal goal) {
    this.experiment = experiment;
    this.isOpen = goal.load() == CapacityGoal.Load.RATE;
    this.trials = trials;
    this.members = new MembersWatch(experiment.cluster());
    this.limits = goal.limits();
    this.tightestNanos = limits.stream().mapToLong(RequestLimit::latestNanos).min().orElseThrow();
    double tightest = tightestNanos / NANOS_PER_SECOND;
    double timeout = experiment.of().scenario().timeout().toNanos() / NANOS_PER_SECOND;
    this.drowningSeconds = Math.min(timeout, Math.max(LEAST_DROWNING_SECONDS, DROWNING * tightest));
  }

  /**
   * Makes a trial on a store without history, and waits until nothing is under way any more.
   *
   * @return empty if the process is being ended
   * @throws QuorateException if a server has ended
   */
  Optional<TrialRow> make(Trial trial) {
    long seconds = trial.settleSeconds() + trial.mostSeconds();
    if (trials.requestsLeft() < (isOpen ? trial.load() * seconds : LEAST_LEFT)) {
      throw new QuorateException("the search has used up all requests that a run may have");
    }
    long beginNanos = System.nanoTime();
    forgetHistory();
    RunningTrial running = trials.start(model(trial), limits, trial.settleSeconds(), (int) seconds);
    int measured = 0;
    members.begin();
    running.measure();
    boolean drowned = !awaitUntil(running, trial, trial.settleSeconds());
    if (!drowned) {
      members.begin();
      running.measure();
    }
    while (!drowned && measured < trial.mostSeconds() && !experiment.isEnding()) {
      int next = Math.min(trial.mostSeconds(), measured + trial.measureSeconds());
      drowned = !awaitUntil(running, trial, trial.settleSeconds() + next);
      measured = Math.min(next, (int) running.seconds() - trial.settleSeconds());
      if (!drowned && tellsEnough(running, measured, trial)) {
        break;
      }
    }
    running.stop();
    MembersWatch.Seen seen = members.end();
    awaitEnd(running);
    double wholeSeconds = (System.nanoTime() - beginNanos) / NANOS_PER_SECOND;
    return experiment.isEnding()
        ? Optional.empty()
        : Optional.of(row(trial, running, wholeSeconds, Math.max(0, measured), drowned, seen));
  }

  /**
   * Makes a load for some time that is not counted, so that no trial finds cold code.
   *
   * @throws QuorateException if a server has ended
   */
  void warmUp(long load, int seconds) {
    Trial trial = new Trial(1, load, Trial.Stage.BRACKET, 0, seconds, seconds);
    RunningTrial running = trials.start(model(trial), limits, 0, seconds);
    running.measure();
    awaitUntil(running, trial, seconds);
    running.stop();
    awaitEnd(running);
  }

  /** So that no trial finds a larger store than the one before it. */
  private void forgetHistory() {
    try {
      experiment.cluster().forgetHistory();
    } catch (QuorateException failure) {
      experiment.of().say(failure.getMessage());
    }
  }

  private void awaitEnd(RunningTrial running) {
    running.awaitEnd(experiment.of().scenario().timeout().plus(Duration.ofSeconds(5)).toNanos());
    requireServers();
  }

  private LoadModel model(Trial trial) {
    return isOpen
        ? new LoadModel.Open(trial.load(), LoadModel.Arrivals.UNIFORM, outstanding(trial))
        : new LoadModel.Closed((int) trial.load(), OptionalLong.empty());
  }

  private int outstanding(Trial trial) {
    return (int) Math.max(LEAST_OUTSTANDING, Math.ceil(2 * drowningSeconds * trial.load()));
  }

  /** Waits until so much of the trial is over; returns false at once if it drowns. */
  private boolean awaitUntil(RunningTrial running, Trial trial, int seconds) {
    while (running.seconds() < seconds && !experiment.isEnding()) {
      LockSupport.parkNanos(LOOK_NANOS);
      if (isOpen && running.underWay() > trial.load() * drowningSeconds) {
        return false;
      }
      requireServers();
    }
    return true;
  }

  private void requireServers() {
    List<String> failures = experiment.cluster().failures();
    if (!failures.isEmpty()) {
      throw new QuorateException(String.join("; ", failures));
    }
  }

  /** Returns whether a trial may end: one of a curve continues until it carries a p99. */
  private boolean tellsEnough(RunningTrial running, int measured, Trial trial) {
    return trial.stage() == Trial.Stage.CURVE
        ? Percentile.P99.isCarriedBy(running.intended(measured))
        : judgement(running, measured, trial).verdict() != TrialVerdict.UNDECIDED;
  }

  private Judgement judgement(RunningTrial running, int measured, Trial trial) {
    return Judgement.of(limits, running.counts(measured), trial.number());
  }

  private TrialRow row(
      Trial trial,
      RunningTrial running,
      double wholeSeconds,
      int measured,
      boolean drowned,
      MembersWatch.Seen seen) {
    SelfWatch watch = running.selfWatch();
    double elapsed = watch.elapsedNanos() / NANOS_PER_SECOND;
    double cores = watch.cpuNanos() / NANOS_PER_SECOND / elapsed;
    Judgement found = judgement(running, measured, trial);
    TrialResult result =
        drowned ? new TrialResult(TrialVerdict.FAIL, Double.POSITIVE_INFINITY, 1) : found.result();
    Histogram responses = running.responses();
    long intended = running.intended(measured);
    double seconds = Math.max(1, measured);
    Optional<String> fault =
        notMade(intended, drowned || !isOpen ? 0 : measured, trial)
            .or(
                () ->
                    result.verdict() == TrialVerdict.PASS
                        ? Optional.empty()
                        : busy(cores, seen.cores(), busyForOthers(watch))
                            .or(() -> late(running, measured, trial, drowned)));
    return new TrialRow(
        trial.number(),
        trial.stage().name().toLowerCase(Locale.ROOT),
        trial.load(),
        wholeSeconds,
        measured,
        (fault.isPresent() ? TrialVerdict.SPOILED : result.verdict())
            .name()
            .toLowerCase(Locale.ROOT),
        fault.or(() -> drowned ? Optional.of("drowned: cut short") : Optional.empty()),
        Double.isFinite(result.usedPart())
            ? OptionalDouble.of(result.usedPart())
            : OptionalDouble.empty(),
        result.violatingPart(),
        intended / seconds,
        drowned ? 0 : responses.getTotalCount() / Math.max(1, running.sendingSeconds()),
        TrialLatencies.of(responses),
        running.failed(),
        running.shed(),
        latestPercentile(running.lag()),
        cores,
        seen.cores(),
        watch.machineLoad(),
        seen.activity());
  }

  /** Returns that fewer requests were made than a trial asked for, if so. */
  private static Optional<String> notMade(long made, int measured, Trial trial) {
    long asked = trial.load() * measured;
    return made + 1 < MADE * asked
        ? Optional.of(format("the load generator made %,d of %,d requests", made, asked))
        : Optional.empty();
  }

  /** Servers on this machine that are not ours would count as others. */
  private OptionalDouble busyForOthers(SelfWatch watch) {
    return members.seesServersHere() ? watch.machineLoad() : OptionalDouble.empty();
  }

  /** Returns who else than the servers had the processors, if so. */
  private static Optional<String> busy(
      double cores, OptionalDouble serverCores, OptionalDouble machineBusy) {
    int processors = Runtime.getRuntime().availableProcessors();
    if (cores > BUSY * processors) {
      return Optional.of(
          format("the load generator used %.1f of %d processors", cores, processors));
    }
    double others = machineBusy.orElse(0) * processors - cores - serverCores.orElse(0);
    return others > OTHERS * processors
        ? Optional.of(format("other processes used %.1f of %d processors", others, processors))
        : Optional.empty();
  }

  /** Returns that requests would be within the limits, had they been sent when due, if so. */
  private Optional<String> late(RunningTrial running, int measured, Trial trial, boolean drowned) {
    boolean late =
        drowned
            ? running.lag().getValueAtPercentile(LATE_PERCENTILE) > tightestNanos
            : Judgement.of(limits, running.countsSinceSent(measured), trial.number()).verdict()
                == TrialVerdict.PASS;
    return late ? Optional.of("the load generator sent requests too late") : Optional.empty();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  private static OptionalLong latestPercentile(Histogram lag) {
    return lag.getTotalCount() == 0
        ? OptionalLong.empty()
        : OptionalLong.of(lag.getValueAtPercentile(LATE_PERCENTILE));
  }
}
