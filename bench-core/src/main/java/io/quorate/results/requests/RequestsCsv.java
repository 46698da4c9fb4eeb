package io.quorate.results.requests;

import io.quorate.format.CsvTable;
import io.quorate.format.CsvText;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.Latencies;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.ClientFile;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Writes and reads {@code requests.csv}: what became of the requests of each step, operation and
 * second.
 */
final class RequestsCsv {
  private RequestsCsv() {}

  static CsvText text(List<StepMeasurement> steps) {
    CsvText csv = new CsvText().row(ClientFile.REQUESTS.columns());
    for (int i = 0; i < steps.size(); i++) {
      for (OperationMeasurement operation : steps.get(i).operations()) {
        for (SecondMeasurement second : operation.seconds()) {
          row(csv, i + 1, operation.operation(), steps.get(i).clients(), second);
        }
      }
    }
    return csv;
  }

  private static void row(
      CsvText csv, int step, String operation, int clients, SecondMeasurement second) {
    Latencies successes = second.successes();
    boolean some = successes.count() > 0;
    csv.row(
        Integer.toString(step),
        operation,
        Long.toString(second.unixSecond()),
        Integer.toString(clients),
        Long.toString(second.shed()),
        Long.toString(successes.count()),
        Long.toString(second.errors().stream().mapToLong(ErrorTally::count).sum()),
        some ? DbtesterExport.minMs(successes) : "",
        some ? DbtesterExport.averageMs(successes) : "",
        some ? DbtesterExport.ms(successes.maxNanos()) : "");
  }

  /**
   * Reads every second of each step and operation, from the first to the last in which a request
   * was due.
   *
   * @param rows below the header
   */
  static List<ClientResults.OperationSecond> read(List<CsvTable.Row> rows, AskedLoad asked) {
    List<ClientResults.OperationSecond> seconds = new ArrayList<>();
    int place = -1;
    long before = 0;
    long sum = 0;
    for (CsvTable.Row row : rows) {
      int here = asked.place(row, place);
      long second = RowOrder.second(row, 2);
      if (here == place && second != before + 1) {
        throw row.wrong("second " + second, (before + 1) + ", as no second is left out");
      }
      place = here;
      before = second;
      int step = asked.step(row, 0);
      asked.checkClientsOf(step, row, 3);
      for (int column = 4; column <= 6; column++) {
        sum = RowOrder.sum(row, sum, RowOrder.count(row, column));
      }
      seconds.add(second(row, step));
    }
    return seconds;
  }

  private static ClientResults.OperationSecond second(CsvTable.Row row, int step) {
    long succeeded = row.integer(5);
    if (succeeded > 0) {
      RowOrder.check(row, row.number(7), row.number(8), row.number(9));
    }
    return new ClientResults.OperationSecond(
        step,
        row.text(1),
        row.integer(2),
        row.integer(4),
        succeeded,
        row.integer(6),
        latency(row, 7, succeeded),
        latency(row, 8, succeeded),
        latency(row, 9, succeeded));
  }

  private static OptionalDouble latency(CsvTable.Row row, int column, long succeeded) {
    if (succeeded > 0) {
      return OptionalDouble.of(row.number(column));
    }
    if (!row.text(column).isEmpty()) {
      throw row.wrong("a latency of no request, " + row.text(column), "an empty cell");
    }
    return OptionalDouble.empty();
  }
}
