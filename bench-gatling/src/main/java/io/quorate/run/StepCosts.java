// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.format.NumberFormats;
import io.quorate.load.Load;
import io.quorate.load.LoadGeneratorMonitor;
import io.quorate.load.LoadGeneratorStall;
import io.quorate.load.RunningStep;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.GeneratorDelay;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.manifest.StepUsage;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What the load generator used for the steps of a load. */
final class StepCosts {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  private StepCosts() {}

  static List<StepUsage> of(Load load) {
    return load.steps().stream()
        .flatMap(step -> step.selfWatch().map(watch -> cost(step, watch)).stream())
        .toList();
  }

  /**
   * Returns a line about each step, and one about each step in which the load generator stalled.
   */
  static List<String> lines(Load load) {
    return Stream.concat(
            of(load).stream().map(cost -> line(cost, load.steps().get(cost.step() - 1))),
            load.steps().stream()
                .filter(step -> !step.stalls().isEmpty())
                .map(StepCosts::lineOfStalls))
        .toList();
  }

  private static StepUsage cost(RunningStep step, LoadGeneratorMonitor watch) {
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
        watch.longestGcPauseNanos(),
        OptionalLong.of(watch.compileNanos()));
  }

  private static String line(StepUsage cost, RunningStep step) {
    GeneratorDelay delay = step.recorder().delay();
    String machine =
        cost.machineLoad().isPresent()
            ? ", host CPU %.0f%%".formatted(100 * cost.machineLoad().getAsDouble())
            : "";
    return ("%s: load generator: %.1f us CPU per request%s, delay p50: %.2f, p99: %.2f, max: %.2f ms, longest"
            + " GC pause %.0f ms")
        .formatted(
            step.step().load(),
            cost.cpuNanosPerRequest() / NANOS_PER_MICRO,
            machine,
            delay.nanos(50) / NANOS_PER_MILLI,
            delay.nanos(99) / NANOS_PER_MILLI,
            delay.nanos(100) / NANOS_PER_MILLI,
            cost.longestGcPauseNanos() / NANOS_PER_MILLI);
  }

  private static String lineOfStalls(RunningStep step) {
    List<LoadGeneratorStall> stalls = step.stalls();
    return "%s: the load generator stalled %s, for up to %.0f ms"
        .formatted(
            step.step().load(),
            NumberFormats.count(stalls.size(), "time"),
            stalls.stream().mapToLong(LoadGeneratorStall::nanos).max().orElseThrow()
                / NANOS_PER_MILLI);
  }
}
