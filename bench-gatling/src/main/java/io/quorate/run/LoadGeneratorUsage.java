package io.quorate.run;

import io.quorate.load.Load;
import io.quorate.load.LoadGeneratorMonitor;
import io.quorate.load.LoadGeneratorStall;
import io.quorate.load.RunningStep;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.GeneratorDelay;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.manifest.StepUsage;
import io.quorate.scenario.Step;
import java.util.List;
import java.util.Optional;

/**
 * Computes the cost of a step to this process, from its own measurements and those of the requests.
 */
final class LoadGeneratorUsage {
  private static final double MEDIAN = 50;
  private static final double P99 = 99;
  private static final double MAXIMUM = 100;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  private LoadGeneratorUsage() {}

  /** Returns the costs of the steps that were made to their end. */
  static List<StepUsage> all(Load load) {
    return load.steps().stream().flatMap(step -> of(step).stream()).toList();
  }

  /** Returns the cost of a step; empty if it was not made to its end. */
  static Optional<StepUsage> of(RunningStep step) {
    return step.selfWatch().map(watch -> of(step, watch));
  }

  private static StepUsage of(RunningStep step, LoadGeneratorMonitor watch) {
    StepMeasurement measured = step.recorder().measurement();
    List<ErrorTally> errors = measured.errors();
    return new StepUsage(
        step.number(),
        step.step().clients(),
        measured.successes().count() + errors.stream().mapToLong(ErrorTally::count).sum(),
        watch.elapsedNanos(),
        measured.successes().sumNanos() + errors.stream().mapToLong(ErrorTally::totalNanos).sum(),
        watch.cpuNanos(),
        watch.machineLoad(),
        watch.gcPauseNanos(),
        watch.longestGcPauseNanos());
  }

  /** Returns a line about times when the load generator stood still, for the console. */
  static Optional<String> text(Step step, List<LoadGeneratorStall> stalls) {
    if (stalls.isEmpty()) {
      return Optional.empty();
    }
    long longest = stalls.stream().mapToLong(LoadGeneratorStall::nanos).max().orElseThrow();
    return Optional.of(
        "%s: the load generator stalled %d time%s, for up to %.0f ms"
            .formatted(
                step.load(),
                stalls.size(),
                stalls.size() == 1 ? "" : "s",
                longest / NANOS_PER_MILLI));
  }

  /** Returns the cost of a step in one line, for the console. */
  static String text(Step step, StepUsage cost, GeneratorDelay delay) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: the load generator used %.1f us of CPU per request"
            .formatted(step.load(), cost.cpuNanosPerRequest() / NANOS_PER_MICRO));
    cost.machineLoad()
        .ifPresent(load -> text.append(", its machine was %.0f%% busy".formatted(100 * load)));
    text.append(
        ", its delay p50 %.2f, p99 %.2f, max %.2f ms"
            .formatted(
                delay.nanos(MEDIAN) / NANOS_PER_MILLI,
                delay.nanos(P99) / NANOS_PER_MILLI,
                delay.nanos(MAXIMUM) / NANOS_PER_MILLI));
    text.append(
        ", longest GC pause %.0f ms".formatted(cost.longestGcPauseNanos() / NANOS_PER_MILLI));
    return text.toString();
  }
}
