// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.live;

import io.quorate.load.Load;
import io.quorate.load.RunningStep;
import io.quorate.load.SetupPhase;
import io.quorate.measure.LatencyRecorder;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** Prints the live progress of a load: a line every second or every ten seconds. For one thread. */
final class Progress {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final Store database;
  private final Load load;
  private final boolean ofTrials;
  private final OptionalLong total;
  private final Consumer<String> console;
  private final int secondsBetweenLines;
  private final Histogram sinceLastLine = new Histogram(LatencyRecorder.SIGNIFICANT_DIGITS);
  private long lastLineNanos = System.nanoTime();
  private long successes;
  private int ticks;

  Progress(Store database, Load load, boolean ofTrials, Consumer<String> console) {
    this.database = database;
    this.load = load;
    this.ofTrials = ofTrials;
    this.secondsBetweenLines =
        Math.max(
            ofTrials ? Monitor.TRIAL_INTERVAL_SECONDS : 1,
            ProgressInterval.secondsBetweenProgressLines());
    this.total =
        ofTrials || load.steps().stream().anyMatch(step -> step.step().endsByTime())
            ? OptionalLong.empty()
            : OptionalLong.of(
                load.steps().stream().mapToLong(step -> step.step().requests()).sum());
    this.console = console;
  }

  private List<RunningStep> steps() {
    return ofTrials ? load.trials() : load.steps();
  }

  void add(Histogram interval) {
    sinceLastLine.add(interval);
    successes += interval.getTotalCount();
  }

  /** Returns all successes so far, first of the preparation, then of the steps. */
  long successes() {
    return successes + load.preparation().map(Progress::prepared).orElse(0L);
  }

  /** Prints a line if one is due; called once a second. */
  void tick() {
    if (++ticks % secondsBetweenLines != 0) {
      return;
    }
    List<RunningStep> started = steps().stream().filter(RunningStep::hasStarted).toList();
    RunningStep step = started.isEmpty() ? null : started.get(started.size() - 1);
    if (step != null) {
      if (!ofTrials || !step.hasEnded()) {
        console.accept(line(step).toString());
      }
    } else {
      load.preparation().ifPresent(preparation -> console.accept(line(preparation)));
    }
    sinceLastLine.reset();
    lastLineNanos = System.nanoTime();
  }

  private String line(SetupPhase preparation) {
    return ProgressLine.ofPreparation(
        database.title(),
        preparation.name(),
        preparation.before() + prepared(preparation) + preparation.recorder().errorCount(),
        preparation.requests());
  }

  private static long prepared(SetupPhase preparation) {
    return preparation.recorder().successCount();
  }

  private ProgressLine line(RunningStep step) {
    long errors = sum(StepRecorder::errorCount);
    long dropped = sum(StepRecorder::droppedCount);
    long done = successes + errors + dropped;
    double elapsed = steps().get(0).recorder().elapsedNanos(System.nanoTime()) / NANOS_PER_SECOND;
    OptionalDouble left = secondsLeft(done, elapsed);
    int others = Integer.getInteger(ProgressInterval.DATABASES_LEFT, 0);
    return new ProgressLine(
        database.title(),
        ofTrials ? "trial" : "%d/%d".formatted(step.number(), steps().size()),
        step.step().load(),
        done,
        total,
        sinceLastLine,
        intervalNanos(),
        errors,
        dropped,
        left,
        others > 0 && left.isPresent()
            ? OptionalDouble.of(left.getAsDouble() + others * (elapsed + left.getAsDouble()))
            : OptionalDouble.empty());
  }

  /**
   * Returns the estimated time until the load ends: the rest of its duration, or of its requests at
   * the present rate. Empty if it is not known.
   */
  private OptionalDouble secondsLeft(long done, double elapsed) {
    if (ofTrials) {
      return OptionalDouble.empty();
    }
    if (total.isEmpty()) {
      double all =
          load.steps().stream()
              .mapToLong(step -> step.step().duration().map(Duration::toMillis).orElse(0L))
              .sum();
      return OptionalDouble.of(Math.max(0, all / MILLIS_PER_SECOND - elapsed));
    }
    if (done >= total.getAsLong() || sinceLastLine.getTotalCount() == 0) {
      return OptionalDouble.empty();
    }
    double perSecond = sinceLastLine.getTotalCount() / (intervalNanos() / NANOS_PER_SECOND);
    return OptionalDouble.of((total.getAsLong() - done) / perSecond);
  }

  /** Returns the time since the last line, or since the first request, if that was later. */
  private long intervalNanos() {
    long nowNanos = System.nanoTime();
    return Math.min(nowNanos - lastLineNanos, steps().get(0).recorder().elapsedNanos(nowNanos));
  }

  private long sum(ToLongFunction<StepRecorder> count) {
    return steps().stream()
        .filter(RunningStep::hasStarted)
        .map(RunningStep::recorder)
        .mapToLong(count)
        .sum();
  }
}
