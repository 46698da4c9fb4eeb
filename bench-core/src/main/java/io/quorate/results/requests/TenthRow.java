// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.format.CsvFile;
import org.HdrHistogram.Histogram;

/**
 * The response times of the successful requests of an operation of a step that ended within about a
 * tenth of a second: a row of {@code tenths.csv}. A tenth in which no request succeeded has no row.
 *
 * @param step number of the step, from 1
 * @param operation operation, such as {@code get}
 * @param startUnixMillis start of the interval, in milliseconds since 1970
 * @param endUnixMillis end of the interval, not before its start; later than planned if the load
 *     generator was busy
 * @param succeeded number of successful requests that ended within it, at least 1
 */
public record TenthRow(
    int step,
    String operation,
    long startUnixMillis,
    long endUnixMillis,
    long succeeded,
    long p99Nanos,
    long maxNanos) {
  public static final CsvFile<TenthRow> FILE = new CsvFile<>("tenths.csv", TenthRow.class);

  public TenthRow {
    if (endUnixMillis < startUnixMillis || succeeded < 1) {
      throw new IllegalArgumentException(
          "expected an end that is not before the start, and at least one request");
    }
  }

  /** Returns the row of a histogram of nanoseconds with time stamps and at least one value. */
  public static TenthRow of(int step, String operation, Histogram part) {
    return new TenthRow(
        step,
        operation,
        part.getStartTimeStamp(),
        part.getEndTimeStamp(),
        part.getTotalCount(),
        part.getValueAtPercentile(99),
        part.getMaxValue());
  }

  /** Returns this row with the times of a clock that is ahead by these milliseconds. */
  public TenthRow shifted(long millis) {
    return new TenthRow(
        step,
        operation,
        startUnixMillis + millis,
        endUnixMillis + millis,
        succeeded,
        p99Nanos,
        maxNanos);
  }
}
