// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import io.quorate.report.figures.StepFigures;
import io.quorate.results.hosts.HostSamples;
import io.quorate.results.manifest.StepUsage;
import io.quorate.results.requests.TenthRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The measured time of a step, or the time in which a cluster was observed without load, in
 * milliseconds since 1970.
 *
 * @param number number of the step, from 1
 * @param load load as a phrase, such as {@code with 10 clients}
 * @param results results of the requests; empty without load
 * @param machineLoad utilization of the load generator's CPUs, 0 to 1, which limitations and
 *     footnotes state; empty if only the rows of the machine have it
 */
public record MeasuredStep(
    int number,
    String load,
    double startMillis,
    double endMillis,
    Optional<StepFigures> results,
    OptionalDouble machineLoad) {
  static final String MACHINE_TIME = "MACHINE-TIME-MILLISECONDS";
  private static final double NANOS_PER_MS = 1e6;

  /** Returns the steps in which requests succeeded, in their order. */
  static List<MeasuredStep> of(
      List<StepFigures> steps, List<TenthRow> tenths, List<StepUsage> costs) {
    List<MeasuredStep> measured = new ArrayList<>();
    for (StepFigures step : steps) {
      List<TenthRow> rows = tenths.stream().filter(row -> row.step() == step.number()).toList();
      if (!rows.isEmpty()) {
        measured.add(
            new MeasuredStep(
                step.number(),
                step.atLoad(),
                rows.stream().mapToLong(TenthRow::startUnixMillis).min().getAsLong(),
                rows.stream().mapToLong(TenthRow::endUnixMillis).max().getAsLong(),
                Optional.of(step),
                costs.stream()
                    .filter(cost -> cost.step() == step.number())
                    .flatMapToDouble(cost -> cost.machineLoad().stream())
                    .findFirst()));
      }
    }
    return measured;
  }

  double millis() {
    return endMillis - startMillis;
  }

  CircularShift.Window window() {
    return new CircularShift.Window(startMillis, endMillis);
  }

  /** Returns the growth of a counter within the step, scaled to its length; NaN if not known. */
  double growth(HostSamples rows, String column) {
    return rows.growth(column, startMillis * NANOS_PER_MS, endMillis * NANOS_PER_MS)
        .map(growth -> growth.in(millis()))
        .orElse(Double.NaN);
  }

  /**
   * Returns the CPU time of a counter of the machine as part of the time of all CPUs, 0 to 1; NaN
   * if not known.
   */
  double cpuPart(HostSamples rows, String column) {
    return Math.min(1, ratio(rows, column) / last(rows, "CPUS"));
  }

  /** Returns the part of the CPUs of a machine that was used, 0 to 1; NaN if not known. */
  double cpu(boolean ofLoadGenerator, HostSamples rows) {
    return ofLoadGenerator && machineLoad.isPresent()
        ? Math.min(1, machineLoad.getAsDouble())
        : cpuPart(rows, "MACHINE-CPU-MILLISECONDS");
  }

  /**
   * Returns the milliseconds of a counter of the machine as part of the time in which they were
   * counted, 0 to 1; NaN if not known.
   */
  double part(HostSamples rows, String column) {
    return Math.min(1, ratio(rows, column));
  }

  /** Divides by the time of rows if the machine's time is not known. */
  private double ratio(HostSamples rows, String column) {
    double machineMillis = growth(rows, MACHINE_TIME) / last(rows, "CPUS");
    return growth(rows, column) / (machineMillis > 0 ? machineMillis : millis());
  }

  /** Returns the last value of a column until the end of the step; NaN if it is not known. */
  double last(HostSamples rows, String column) {
    double[] values = rows.values(column);
    double known = Double.NaN;
    for (int i = 0; i < rows.size(); i++) {
      if (rows.unixNanos(i) / NANOS_PER_MS <= endMillis && !Double.isNaN(values[i])) {
        known = values[i];
      }
    }
    return known;
  }
}
