package io.quorate.run;

import io.quorate.measure.ErrorTally;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.SuccessGaps;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The result of one step of the load: a row of {@code steps.csv}.
 *
 * @param durationNanos from the sending of the first request to the end of the last one
 * @param timeSeriesRows how many rows of the time series are of this step; they follow those of the
 *     step before it
 * @param longestNanosWithoutSuccess at a stretch; empty if nobody watched that
 * @param stalledNanos the sum of such times of a second or more; empty if nobody watched that
 */
public record StepRow(
    long clients,
    long durationNanos,
    long succeeded,
    long failed,
    long timeSeriesRows,
    OptionalLong longestNanosWithoutSuccess,
    OptionalLong stalledNanos) {

  private static StepRow of(StepMeasurement step) {
    return new StepRow(
        step.clients(),
        step.elapsedNanos(),
        step.successes().count(),
        step.errors().stream().mapToLong(ErrorTally::count).sum(),
        step.seconds().size(),
        nanos(step, SuccessGaps::longestNanos),
        nanos(step, SuccessGaps::stalledNanos));
  }

  private static OptionalLong nanos(StepMeasurement step, ToLongFunction<SuccessGaps> figure) {
    return step.gaps().stream().mapToLong(figure).findFirst();
  }

  /** Returns the whole file. */
  static CsvText csv(List<StepMeasurement> steps) {
    CsvText csv = new CsvText().row(ClientFile.STEPS.columns());
    for (int i = 0; i < steps.size(); i++) {
      StepRow row = of(steps.get(i));
      csv.row(
          Integer.toString(i + 1),
          Long.toString(row.clients),
          Long.toString(row.durationNanos),
          Long.toString(row.succeeded),
          Long.toString(row.failed),
          Long.toString(row.timeSeriesRows),
          text(row.longestNanosWithoutSuccess),
          text(row.stalledNanos));
    }
    return csv;
  }

  /**
   * Returns the steps of a file in their order, of which the first is 1.
   *
   * @param rows below its header
   */
  static List<StepRow> all(List<CsvTable.Row> rows) {
    List<StepRow> steps = new ArrayList<>();
    for (CsvTable.Row row : rows) {
      if (row.integer(0) != steps.size() + 1) {
        throw row.wrong("step " + row.integer(0), "step " + (steps.size() + 1));
      }
      steps.add(of(row));
    }
    return steps;
  }

  private static StepRow of(CsvTable.Row row) {
    long durationNanos = row.integer(2);
    if (row.integer(5) > Integer.MAX_VALUE) {
      throw row.wrong(row.text(5) + " rows", "at most " + Integer.MAX_VALUE);
    }
    return new StepRow(
        row.integer(1),
        durationNanos,
        row.integer(3),
        row.integer(4),
        row.integer(5),
        within(durationNanos, row, 6),
        within(durationNanos, row, 7));
  }

  /** Returns a part of the step, if it is known. */
  private static OptionalLong within(long durationNanos, CsvTable.Row row, int column) {
    if (row.text(column).isEmpty()) {
      return OptionalLong.empty();
    }
    if (row.integer(column) > durationNanos) {
      throw row.wrong(
          row.text(column) + " ns without a success",
          "at most the duration of the step, " + durationNanos + " ns");
    }
    return OptionalLong.of(row.integer(column));
  }

  private static String text(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : "";
  }
}
