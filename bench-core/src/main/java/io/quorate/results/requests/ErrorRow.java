// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.format.CsvFile;
import io.quorate.measure.ErrorTally;

/**
 * The requests of one operation that failed in one second with one kind and message: a row of
 * {@code errors.csv}. Several such rows add up.
 *
 * @param step number of the step, from 1
 * @param operation operation, such as {@code get}
 * @param unixSecond second in which they were due, since 1970
 * @param kind kind of error, such as {@code timeout}
 * @param message message of the client library, not escaped
 * @param totalNanos total time of these requests, from sending to failing
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

  /** Returns these requests with the second of another clock. */
  public ErrorRow at(long otherSecond) {
    return new ErrorRow(step, operation, otherSecond, kind, message, count, totalNanos);
  }
}
