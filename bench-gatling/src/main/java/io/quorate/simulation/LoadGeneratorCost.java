package io.quorate.simulation;

import io.quorate.load.Load;
import io.quorate.load.LoadStep;
import io.quorate.load.SelfWatch;
import io.quorate.load.Stalls;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.StepMeasurement;
import io.quorate.run.StepCost;
import io.quorate.scenario.Step;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * Computes the cost of a step to this process, from its own measurements and those of the requests.
 */
final class LoadGeneratorCost {
  private static final double MEDIAN = 50;
  private static final double P99 = 99;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  private LoadGeneratorCost() {}

  /** Returns the costs of the steps that were made to their end. */
  static List<StepCost> all(Load load) {
    return load.steps().stream().flatMap(step -> of(step).stream()).toList();
  }

  /** Returns the cost of a step; empty if it was not made to its end. */
  static Optional<StepCost> of(LoadStep step) {
    return step.selfWatch().map(watch -> of(step, watch));
  }

  private static StepCost of(LoadStep step, SelfWatch watch) {
    StepMeasurement measured = step.recorder().measurement();
    List<ErrorTally> errors = measured.errors();
    Histogram lag = watch.eventLoopLag();
    return new StepCost(
        step.number(),
        step.step().clients(),
        measured.successes().count() + errors.stream().mapToLong(ErrorTally::count).sum(),
        watch.elapsedNanos(),
        measured.successes().sumNanos() + errors.stream().mapToLong(ErrorTally::totalNanos).sum(),
        watch.cpuNanos(),
        watch.machineLoad(),
        watch.gcPauseNanos(),
        watch.longestGcPauseNanos(),
        percentile(lag, MEDIAN),
        percentile(lag, P99));
  }

  private static OptionalLong percentile(Histogram lag, double percentile) {
    return lag.getTotalCount() == 0
        ? OptionalLong.empty()
        : OptionalLong.of(lag.getValueAtPercentile(percentile));
  }

  /** Returns a line about an open loop that fell behind, for the console. */
  static String text(Step step, Stalls stalls) {
    return "%s: the load generator fell behind %d time%s, by %.0f ms at most, and caught up at no more than twice the rate"
        .formatted(
            step.load(),
            stalls.count(),
            stalls.count() == 1 ? "" : "s",
            stalls.longestNanos() / NANOS_PER_MILLI);
  }

  /** Returns the cost of a step in one line, for the console. */
  static String text(Step step, StepCost cost) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: the load generator took %.1f us of CPU per request"
            .formatted(step.load(), cost.cpuNanosPerRequest() / NANOS_PER_MICRO));
    cost.machineLoad()
        .ifPresent(load -> text.append(", its machine was %.0f %% busy".formatted(100 * load)));
    cost.lagP99Nanos()
        .ifPresent(
            nanos ->
                text.append(", event-loop lag p99 %.2f ms".formatted(nanos / NANOS_PER_MILLI)));
    text.append(
        ", longest GC pause %.0f ms".formatted(cost.longestGcPauseNanos() / NANOS_PER_MILLI));
    return text.toString();
  }
}
