package io.quorate.results.requests;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import io.quorate.format.CsvText;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.ClientFile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes and reads {@code errors.csv}: the requests that failed, by step, operation, second, kind
 * and message.
 */
final class ErrorsCsv {
  private ErrorsCsv() {}

  static CsvText text(List<StepMeasurement> steps) {
    CsvText csv = new CsvText().row(ClientFile.ERRORS.columns());
    for (int i = 0; i < steps.size(); i++) {
      for (OperationMeasurement operation : steps.get(i).operations()) {
        for (SecondMeasurement second : operation.seconds()) {
          rows(csv, i + 1, operation.operation(), steps.get(i).clients(), second);
        }
      }
    }
    return csv;
  }

  private static void rows(
      CsvText csv, int step, String operation, int clients, SecondMeasurement second) {
    for (ErrorTally tally : ErrorTally.merged(second.errors())) {
      csv.row(
          Integer.toString(step),
          operation,
          Long.toString(second.unixSecond()),
          Integer.toString(clients),
          tally.kind(),
          tally.message(),
          Long.toString(tally.count()),
          DbtesterExport.ms(tally.totalNanos()));
    }
  }

  /**
   * Reads errors whose seconds never fall within a step and operation.
   *
   * @param rows below the header
   * @param wrong takes the problem of each row that is left out
   */
  static List<ClientResults.ErrorRow> read(
      List<CsvTable.Row> rows, AskedLoad asked, Consumer<String> wrong) {
    List<ClientResults.ErrorRow> errors = new ArrayList<>();
    int place = -1;
    long before = 0;
    long sum = 0;
    for (CsvTable.Row row : rows) {
      try {
        ClientResults.ErrorRow error = error(row, asked);
        int here = asked.place(row, place);
        long second = RowOrder.second(row, 2);
        if (here == place && second < before) {
          throw row.wrong("second " + second, before + " or later (the clock went back)");
        }
        sum = RowOrder.sum(row, sum, error.count());
        place = here;
        before = second;
        errors.add(error);
      } catch (QuorateException problem) {
        wrong.accept(problem.getMessage());
      }
    }
    return errors;
  }

  private static ClientResults.ErrorRow error(CsvTable.Row row, AskedLoad asked) {
    int step = asked.step(row, 0);
    asked.checkClientsOf(step, row, 3);
    return new ClientResults.ErrorRow(
        step,
        row.text(1),
        row.integer(2),
        row.integer(3),
        row.text(4),
        row.text(5),
        RowOrder.count(row, 6),
        row.number(7));
  }
}
