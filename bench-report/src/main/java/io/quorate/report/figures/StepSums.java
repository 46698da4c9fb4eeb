package io.quorate.report.figures;

import io.quorate.results.hosts.HostTimeline;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The work of machines in the measured steps: counters at the end of a step minus those at its
 * beginning.
 *
 * @param machines with the same steps, at least one
 */
record StepSums(List<HostTimeline> machines) {
  private static final double MILLIS_PER_SECOND = 1000;

  StepSums {
    machines = List.copyOf(machines);
  }

  /** Returns the growth over all machines and steps; NaN if something is not known. */
  double growth(String counter) {
    return machines.stream()
        .flatMap(machine -> machine.steps().stream())
        .mapToDouble(step -> step.growth(counter))
        .reduce(0, Double::sum);
  }

  double cpuSeconds() {
    return growth(ServerColumn.CPU_MILLISECONDS) / MILLIS_PER_SECOND;
  }

  /**
   * Returns the mean over the machines, all steps together; NaN if they were too short for a mean.
   */
  double meanCpuPercent() {
    return mean(machines.stream().mapToDouble(each -> cpuPercent(each.steps())));
  }

  /**
   * Returns the highest mean over the machines: of a second that was measured from end to end, of a
   * step, or of all steps, so that it is never below {@link #meanCpuPercent()}.
   *
   * @param seconds of the same machines
   * @param rows how many seconds there are
   */
  double maxCpuPercent(List<MeasuredSeconds> seconds, int rows) {
    DoubleStream ofSeconds =
        IntStream.range(0, rows)
            .filter(row -> seconds.stream().allMatch(each -> each.isWhole(row)))
            .mapToDouble(row -> mean(seconds.stream().mapToDouble(each -> each.cpuPercent(row))));
    DoubleStream ofSteps =
        IntStream.range(0, machines.get(0).steps().size())
            .mapToDouble(
                i ->
                    mean(
                        machines.stream()
                            .mapToDouble(each -> cpuPercent(List.of(each.steps().get(i))))));
    return DoubleStream.of(highest(ofSeconds), highest(ofSteps), meanCpuPercent())
        .filter(value -> !Double.isNaN(value))
        .max()
        .orElse(Double.NaN);
  }

  private static double highest(DoubleStream values) {
    return values.filter(value -> !Double.isNaN(value)).max().orElse(Double.NaN);
  }

  /** Returns the mean; NaN if a value is missing. */
  private static double mean(DoubleStream values) {
    double[] all = values.toArray();
    return DoubleStream.of(all).reduce(0, Double::sum) / all.length;
  }

  private static double cpuPercent(List<HostTimeline.Step> steps) {
    long nanos = steps.stream().mapToLong(step -> step.endNanos() - step.beginNanos()).sum();
    double millis =
        steps.stream()
            .mapToDouble(step -> step.growth(ServerColumn.CPU_MILLISECONDS))
            .reduce(0, Double::sum);
    return nanos < MeasuredSeconds.SHORTEST_CPU_NANOS ? Double.NaN : millis * 1e8 / nanos;
  }
}
