// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.quorate.format.CsvFile;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.Latencies;
import io.quorate.measure.SecondMeasurement;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The requests of an operation of a step that were due in one second: a row of {@code seconds.csv}.
 * A second may have further rows for requests that ended later: counts and sums add up, and the
 * minimum and maximum cover all rows. A second in which nothing was due has no row.
 *
 * @param step number of the step, from 1
 * @param operation operation, such as {@code get}
 * @param dropped number of requests that were not sent, because too many were in flight; 0 in a
 *     closed loop
 * @param minNanos the shortest response time of the successful requests; empty if there are none
 * @param sumOfSquares the sum of their squares in square nanoseconds, for the standard deviation
 */
public record SecondRow(
    int step,
    String operation,
    long unixSecond,
    @JsonAlias("SHED") long dropped,
    long succeeded,
    long failed,
    OptionalLong minNanos,
    OptionalLong maxNanos,
    long sumNanos,
    double sumOfSquares) {
  public static final CsvFile<SecondRow> FILE = new CsvFile<>("seconds.csv", SecondRow.class);

  public SecondRow {
    if (succeeded > 0 && (minNanos.isEmpty() || maxNanos.isEmpty())) {
      throw new IllegalArgumentException(
          "found %d successful requests without MIN-NANOS or MAX-NANOS, expected both"
              .formatted(succeeded));
    }
  }

  static SecondRow of(int step, String operation, SecondMeasurement second) {
    return of(
        step,
        operation,
        second.unixSecond(),
        second.dropped(),
        second.errors().stream().mapToLong(ErrorTally::count).sum(),
        second.successes());
  }

  private static SecondRow of(
      int step, String operation, long unixSecond, long dropped, long failed, Latencies successes) {
    boolean none = successes.minNanos() == Latencies.NONE.minNanos();
    return new SecondRow(
        step,
        operation,
        unixSecond,
        dropped,
        successes.count(),
        failed,
        none ? OptionalLong.empty() : OptionalLong.of(successes.minNanos()),
        none ? OptionalLong.empty() : OptionalLong.of(successes.maxNanos()),
        successes.sumNanos(),
        successes.sumOfSquares());
  }

  OperationCounts counts() {
    return new OperationCounts(operation, dropped, succeeded, failed);
  }

  public Latencies successes() {
    return new Latencies(
        succeeded,
        sumNanos,
        minNanos.orElse(Latencies.NONE.minNanos()),
        maxNanos.orElse(Latencies.NONE.maxNanos()),
        sumOfSquares);
  }

  private SecondRow plus(SecondRow other) {
    Latencies both = successes().plus(other.successes());
    return of(step, operation, unixSecond, dropped + other.dropped, failed + other.failed, both);
  }

  /** Returns these requests with the second of another clock. */
  public SecondRow at(long otherSecond) {
    return of(step, operation, otherSecond, dropped, failed, successes());
  }

  /** Returns one row for each step, operation and second, in this order. */
  public static List<SecondRow> merged(List<SecondRow> rows) {
    Map<SecondRow, SecondRow> all =
        new TreeMap<>(
            Comparator.comparingInt(SecondRow::step)
                .thenComparing(SecondRow::operation)
                .thenComparingLong(SecondRow::unixSecond));
    rows.forEach(row -> all.merge(row, row, SecondRow::plus));
    return List.copyOf(all.values());
  }
}
