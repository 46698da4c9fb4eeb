package io.quorate.results.requests;

import io.quorate.format.CsvTable;
import io.quorate.format.CsvText;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.SuccessGaps;
import io.quorate.results.ClientFile;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * Writes and reads {@code steps.csv}: a row for each step and operation. What is said of the whole
 * step is the same in each of its rows.
 */
final class StepsCsv {
  private StepsCsv() {}

  static CsvText text(List<StepMeasurement> steps) {
    CsvText csv = new CsvText().row(ClientFile.STEPS.columns());
    for (int i = 0; i < steps.size(); i++) {
      StepMeasurement step = steps.get(i);
      for (OperationMeasurement operation : step.operations()) {
        row(csv, i + 1, step, counts(operation));
      }
    }
    return csv;
  }

  private static OperationCounts counts(OperationMeasurement operation) {
    return new OperationCounts(
        operation.operation(),
        operation.shed(),
        operation.successes().count(),
        operation.errorCount());
  }

  private static void row(CsvText csv, int number, StepMeasurement step, OperationCounts counts) {
    csv.row(
        Integer.toString(number),
        counts.operation(),
        Integer.toString(step.clients()),
        Long.toString(counts.intended()),
        Long.toString(counts.shed()),
        Long.toString(counts.succeeded()),
        Long.toString(counts.failed()),
        Long.toString(step.elapsedNanos()),
        Integer.toString(step.seconds().size()),
        gap(step, SuccessGaps::longestNanos),
        gap(step, SuccessGaps::stalledNanos));
  }

  private static String gap(StepMeasurement step, ToLongFunction<SuccessGaps> figure) {
    return step.gaps().map(gaps -> Long.toString(figure.applyAsLong(gaps))).orElse("");
  }

  /**
   * Reads the steps as far as they have begun, of which the first is 1.
   *
   * @param rows below the header
   */
  static List<StepRow> read(List<CsvTable.Row> rows, AskedLoad asked) {
    List<StepRow> steps = new ArrayList<>();
    int operations = asked.operations().size();
    long sum = 0;
    for (int i = 0; i < rows.size(); i++) {
      CsvTable.Row row = rows.get(i);
      int place = asked.place(row, -1);
      if (place != i) {
        throw row.wrong(
            "step " + row.text(0) + ", " + row.text(1),
            "step " + (i / operations + 1) + ", " + asked.operations().get(i % operations));
      }
      OperationCounts counts = counts(row);
      sum = RowOrder.sum(row, sum, counts.intended());
      StepRow step = step(row, asked, List.of(counts));
      if (i % operations == 0) {
        steps.add(step);
      } else {
        steps.set(steps.size() - 1, joined(row, steps.get(steps.size() - 1), step));
      }
    }
    return complete(rows, steps, asked);
  }

  private static OperationCounts counts(CsvTable.Row row) {
    long intended = RowOrder.count(row, 3);
    OperationCounts counts =
        new OperationCounts(
            row.text(1), RowOrder.count(row, 4), RowOrder.count(row, 5), RowOrder.count(row, 6));
    if (intended != counts.intended()) {
      throw row.wrong(
          intended + " intended requests",
          counts.intended() + ", those that were shed, succeeded and failed");
    }
    return counts;
  }

  private static StepRow step(CsvTable.Row row, AskedLoad asked, List<OperationCounts> counts) {
    int number = asked.step(row, 0);
    asked.checkClientsOf(number, row, 2);
    long durationNanos = row.integer(7);
    return new StepRow(
        number,
        row.integer(2),
        durationNanos,
        counts,
        timeSeriesRows(row, 8),
        within(durationNanos, row, 9),
        within(durationNanos, row, 10));
  }

  private static StepRow joined(CsvTable.Row row, StepRow step, StepRow next) {
    List<OperationCounts> operations = new ArrayList<>(step.operations());
    operations.addAll(next.operations());
    StepRow joined =
        new StepRow(
            step.number(),
            step.clients(),
            step.durationNanos(),
            operations,
            step.timeSeriesRows(),
            step.longestNanosWithoutSuccess(),
            step.stalledNanos());
    boolean same =
        next.durationNanos() == step.durationNanos()
            && next.timeSeriesRows() == step.timeSeriesRows()
            && next.longestNanosWithoutSuccess().equals(step.longestNanosWithoutSuccess())
            && next.stalledNanos().equals(step.stalledNanos());
    if (!same) {
      throw row.wrong(
          "another duration, number of rows or time without a success",
          "those of the step as in the row before");
    }
    return joined;
  }

  private static List<StepRow> complete(
      List<CsvTable.Row> rows, List<StepRow> steps, AskedLoad asked) {
    int found = rows.size() % asked.operations().size();
    if (found != 0) {
      CsvTable.Row last = rows.get(rows.size() - 1);
      throw last.wrong(
          "the end after " + last.text(1),
          "a row of step " + last.text(0) + ", " + asked.operations().get(found));
    }
    return steps;
  }

  private static long timeSeriesRows(CsvTable.Row row, int column) {
    if (row.integer(column) > Integer.MAX_VALUE) {
      throw row.wrong(row.text(column) + " rows", "at most " + Integer.MAX_VALUE);
    }
    return row.integer(column);
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
}
