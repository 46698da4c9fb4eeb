package io.quorate.results.requests;

import io.quorate.format.CsvTable;
import io.quorate.format.CsvText;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.ClientFile;
import io.quorate.store.Operation;
import java.util.ArrayList;
import java.util.List;

/** Writes and reads {@code attempts.csv}: how often requests were tried until they succeeded. */
final class AttemptsCsv {
  private AttemptsCsv() {}

  /** Returns whether requests of an operation are tried until they succeed. */
  static boolean isOf(String operation) {
    return operation.equals(Operation.STM.id());
  }

  static CsvText text(List<StepMeasurement> steps) {
    CsvText csv = new CsvText().row(ClientFile.ATTEMPTS.columns());
    for (int i = 0; i < steps.size(); i++) {
      for (OperationMeasurement operation : steps.get(i).operations()) {
        if (isOf(operation.operation())) {
          row(csv, i + 1, operation);
        }
      }
    }
    return csv;
  }

  private static void row(CsvText csv, int step, OperationMeasurement measured) {
    long requests = measured.successes().count() + measured.errorCount();
    AttemptCounts counts =
        new AttemptCounts(step, measured.operation(), requests, measured.conflicts());
    csv.row(
        Integer.toString(step),
        counts.operation(),
        Long.toString(counts.requests()),
        Long.toString(counts.attempts()),
        Long.toString(counts.conflicts()));
  }

  /**
   * Reads the steps as far as they have begun.
   *
   * @param rows below the header
   */
  static List<AttemptCounts> read(List<CsvTable.Row> rows, AskedLoad asked) {
    List<AttemptCounts> all = new ArrayList<>();
    for (CsvTable.Row row : rows) {
      int step = asked.step(row, 0);
      String operation = asked.operation(row, 1);
      if (!isOf(operation) || step != all.size() + 1) {
        throw row.wrong("step " + step + ", " + operation, "step " + (all.size() + 1) + ", stm");
      }
      AttemptCounts counts =
          new AttemptCounts(step, operation, RowOrder.count(row, 2), RowOrder.count(row, 4));
      if (RowOrder.count(row, 3) != counts.attempts()) {
        throw row.wrong(
            row.text(3) + " attempts", counts.attempts() + ", the requests and the conflicts");
      }
      all.add(counts);
    }
    return all;
  }
}
