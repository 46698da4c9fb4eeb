package io.quorate.results.requests;

import io.quorate.format.CsvFile;
import io.quorate.measure.ErrorTally;

/**
 * The requests of one second of an operation of a step that failed in one way: a row of {@code
 * errors.csv}. The rows of one second and way add up.
 *
 * @param step from 1
 * @param operation such as {@code get}
 * @param unixSecond in which they were due, in seconds since 1970
 * @param kind such as {@code timeout}
 * @param message as the client library gave it, not escaped
 * @param count how many there were
 * @param totalNanos how long they took together, from sending to failing
 */
public record ErrorRow(
    int step,
    String operation,
    long unixSecond,
    String kind,
    String message,
    long count,
    long totalNanos) {
  public static final CsvFile<ErrorRow> FILE = new CsvFile<>("errors.csv", ErrorRow.class);

  static ErrorRow of(int step, String operation, long unixSecond, ErrorTally tally) {
    return new ErrorRow(
        step,
        operation,
        unixSecond,
        tally.kind(),
        tally.message(),
        tally.count(),
        tally.totalNanos());
  }

  /** Returns these requests by the second of another clock. */
  public ErrorRow at(long otherSecond) {
    return new ErrorRow(step, operation, otherSecond, kind, message, count, totalNanos);
  }
}
