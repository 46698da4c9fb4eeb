// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.live;

import io.quorate.DaemonThreads;
import io.quorate.cluster.Cluster;
import io.quorate.load.Load;
import io.quorate.load.LoadGeneratorStall;
import io.quorate.load.RealTime;
import io.quorate.load.RunningStep;
import io.quorate.measure.OperationRecorder;
import io.quorate.measure.StepRecorder;
import io.quorate.measure.WatchRecorder;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunEvent;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.requests.ClientFiles;
import io.quorate.results.requests.TenthRow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Monitors a run once a second, from the preparation on: writes the measurements, shows progress,
 * and stops the load when a server has ended or nothing succeeds any more. It has a separate
 * thread; any thread may call {@link #stop}.
 */
public final class Monitor {
  /** Seconds of an interval of the log of trials, as a search has many of them. */
  static final int TRIAL_INTERVAL_SECONDS = 5;

  /** Time after the end of a second in which most of its requests end. */
  private static final long SETTLING_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Length of the intervals that show short stalls of clients. */
  private static final long TENTH_MILLIS = 100;

  private static final Duration NO_SUCCESS_LIMIT = Duration.ofSeconds(30);

  private final Load load;
  private final Supplier<List<RunningStep>> steps;
  private final boolean ofTrials;
  private final Cluster cluster;
  private final ClientFiles files;
  private final LatencyLog log;
  private final DatabaseDirectory directory;
  private final boolean realTime;
  private final Progress progress;
  private final Optional<RunMetrics> metrics;
  private final Duration patience;
  private final Set<RunningStep> drained = new HashSet<>();
  private final List<TenthRow> tenths = new ArrayList<>();
  private final ScheduledExecutorService timer = DaemonThreads.clock("monitor");
  private int ticks;
  private long successesSeen;
  private long lastSuccessNanos = System.nanoTime();
  private Optional<String> failure = Optional.empty();
  private boolean stopped;

  /**
   * Creates a monitor.
   *
   * @param requestTimeout timeout that determines after which time without a success the load is
   *     stopped. Empty for the trials of a search: their requests need not succeed, and their files
   *     are written at the end of a trial
   */
  public Monitor(
      Load load,
      boolean realTime,
      Cluster cluster,
      DatabaseDirectory directory,
      Optional<Duration> requestTimeout,
      Optional<RunMetrics> metrics,
      Consumer<String> console) {
    this.load = load;
    this.ofTrials = requestTimeout.isEmpty();
    this.steps = ofTrials ? load::trials : load::steps;
    this.realTime = realTime;
    this.cluster = cluster;
    this.files = new ClientFiles(directory);
    this.directory = directory;
    this.log = LatencyLog.create(directory.latencyLog(), Instant.now());
    this.metrics = metrics;
    this.progress = new Progress(cluster.database(), load, ofTrials, console);
    this.patience =
        requestTimeout
            .map(timeout -> NO_SUCCESS_LIMIT.plus(timeout.multipliedBy(2)))
            .orElse(ChronoUnit.FOREVER.getDuration());
  }

  public void start() {
    timer.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
    if (!ofTrials) {
      timer.scheduleAtFixedRate(this::endTenth, TENTH_MILLIS, TENTH_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Writes the remaining measurements; {@link #failure()} returns a failure. Idempotent. */
  public synchronized void stop() {
    if (stopped) {
      return;
    }
    stopped = true;
    timer.shutdown();
    // each of them, even if others fail
    tried(this::drain);
    tried(() -> undrained().forEach(step -> end(step.number(), step.recorder())));
    tried(this::appendServerEvents);
    tried(() -> abort(deaths().or(this::startFailure)));
    tried(log::close);
  }

  private void tried(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException broken) {
      abort(Optional.of(String.valueOf(broken.getMessage())));
    }
  }

  private void abort(Optional<String> cause) {
    if (failure.isEmpty() && cause.isPresent()) {
      failure = cause;
      load.cancel();
    }
  }

  private Optional<String> deaths() {
    List<String> deaths = cluster.failures();
    return deaths.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", deaths));
  }

  public synchronized Optional<String> failure() {
    return failure;
  }

  private synchronized void tick() {
    if (stopped) {
      return;
    }
    tried(
        () -> {
          if (realTime) {
            RealTime.ask(); // for threads of reopened connections
          }
          if (!ofTrials
              || ++ticks % TRIAL_INTERVAL_SECONDS == 0
              || undrained().stream().anyMatch(RunningStep::hasEnded)) {
            drain();
          }
          if (!load.isCancelled()) {
            progress.tick();
          }
          abort(deaths().or(this::startFailure).or(this::stall));
        });
  }

  private synchronized void endTenth() {
    if (!stopped) {
      tried(() -> undrained().forEach(step -> endTenth(step.number(), step.recorder())));
    }
  }

  private void endTenth(int step, StepRecorder recorder) {
    for (OperationRecorder operation : recorder.operations()) {
      Histogram part = operation.part();
      if (part.getTotalCount() > 0) {
        tenths.add(TenthRow.of(step, operation.operation(), part));
      }
    }
  }

  private void drain() {
    if (!ofTrials) {
      undrained().forEach(step -> endTenth(step.number(), step.recorder()));
    }
    for (RunningStep step : undrained()) {
      boolean hasEnded = step.hasEnded();
      drain(step.number(), step.recorder());
      if (hasEnded) {
        end(step.number(), step.recorder());
        drained.add(step);
        step.recorder().finish();
        RunEvent.append(directory, events(step));
      } else {
        appendSeconds(step.number(), step.recorder(), System.nanoTime() - SETTLING_NANOS);
      }
    }
    if (!tenths.isEmpty()) {
      files.append(tenths);
      tenths.clear();
    }
  }

  private void appendServerEvents() {
    List<ServerEvents.StepTime> steps =
        load.steps().stream().filter(RunningStep::hasStarted).map(Monitor::time).toList();
    RunEvent.append(directory, ServerEvents.of(cluster.database(), directory, steps));
  }

  private static ServerEvents.StepTime time(RunningStep step) {
    long start = TimeUnit.MILLISECONDS.toNanos(step.recorder().firstUnixMillis());
    return new ServerEvents.StepTime(
        step.number(), start, start + step.recorder().measurement().elapsedNanos());
  }

  private List<RunEvent> events(RunningStep step) {
    List<RunEvent> all = new ArrayList<>();
    for (LoadGeneratorStall stall : step.stalls()) {
      all.add(
          RunEvent.stall(
              step.number(),
              load.clock().unixNanos(stall.startNanos()),
              load.clock().unixNanos(stall.endNanos()),
              stall.dropped()));
    }
    step.selfWatch().stream()
        .flatMap(watch -> watch.gcPauses().stream())
        .map(
            pause ->
                new RunEvent(
                    RunEvent.Kind.GC_PAUSE,
                    RunEvent.LOAD_GENERATOR,
                    step.number(),
                    TimeUnit.MILLISECONDS.toNanos(pause.startUnixMillis()),
                    TimeUnit.MILLISECONDS.toNanos(pause.endUnixMillis()),
                    0,
                    pause.collector()))
        .forEach(all::add);
    step.recorder().measurement().gaps().stalls().stream()
        .map(
            gap ->
                RunEvent.noSuccess(
                    step.number(),
                    load.clock().unixNanos(gap.startNanos()),
                    load.clock().unixNanos(gap.endNanos())))
        .forEach(all::add);
    all.sort(Comparator.comparingLong(RunEvent::startUnixNanos));
    return all;
  }

  private void drain(int step, StepRecorder recorder) {
    for (OperationRecorder operation : recorder.operations()) {
      Histogram interval = operation.interval();
      progress.add(interval);
      append(LatencyTag.response(step, operation.operation()), interval, recorder);
      operation
          .serviceInterval()
          .ifPresent(
              service ->
                  append(LatencyTag.service(step, operation.operation()), service, recorder));
    }
    append(LatencyTag.of(step, LatencyTag.Time.LAG), recorder.lagInterval(), recorder);
    append(LatencyTag.of(step, LatencyTag.Time.QUEUE), recorder.queueInterval(), recorder);
    append(LatencyTag.of(step, LatencyTag.Time.RECEIVE), recorder.receiverInterval(), recorder);
    recorder
        .connectInterval()
        .ifPresent(times -> append(LatencyTag.of(step, LatencyTag.Time.CONNECT), times, recorder));
    if (recorder.watch().isPresent()) {
      WatchRecorder watch = recorder.watch().get();
      append(LatencyTag.of(step, LatencyTag.Time.FIRST), watch.firstInterval(), recorder);
      append(LatencyTag.of(step, LatencyTag.Time.MEDIAN), watch.medianInterval(), recorder);
      append(LatencyTag.of(step, LatencyTag.Time.LAST), watch.lastInterval(), recorder);
    }
  }

  private void append(LatencyTag tag, Histogram interval, StepRecorder recorder) {
    if (interval.getTotalCount() > 0) {
      metrics.ifPresent(figures -> figures.add(tag, interval));
      interval.setStartTimeStamp(
          Math.max(interval.getStartTimeStamp(), recorder.firstUnixMillis()));
      log.append(tag, interval);
    }
  }

  private List<RunningStep> undrained() {
    return steps.get().stream()
        .filter(step -> step.hasStarted() && !drained.contains(step))
        .toList();
  }

  private void end(int step, StepRecorder recorder) {
    appendSeconds(step, recorder, System.nanoTime() + TimeUnit.DAYS.toNanos(1));
    files.end(step, recorder.measurement());
  }

  private void appendSeconds(int step, StepRecorder recorder, long untilNanos) {
    for (OperationRecorder operation : recorder.operations()) {
      files.append(step, operation.operation(), operation.news(untilNanos));
    }
  }

  private Optional<String> startFailure() {
    return steps.get().stream().map(RunningStep::failure).flatMap(Optional::stream).findFirst();
  }

  private Optional<String> stall() {
    long successes = progress.successes();
    if (successes != successesSeen || !isWaiting() || load.isHeld()) {
      successesSeen = successes;
      lastSuccessNanos = System.nanoTime();
    }
    return Duration.ofNanos(System.nanoTime() - lastSuccessNanos).compareTo(patience) > 0
        ? Optional.of("no request succeeded for " + patience.toSeconds() + " seconds")
        : Optional.empty();
  }

  private boolean isWaiting() {
    return load.preparation().isPresent() || !undrained().isEmpty();
  }
}
