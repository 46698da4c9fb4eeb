// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.format.CsvFile;
import io.quorate.measure.OperationMeasurement;
import io.quorate.store.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The attempts of an operation whose requests are repeated until they succeed: a row of {@code
 * attempts.csv}, written when the step has ended.
 *
 * @param step number of the step, from 1
 * @param operation operation, such as {@code stm}
 * @param requests number of requests that ended, successfully or not
 * @param conflicts number of attempts that failed because another client has written the key
 *     meanwhile
 */
public record AttemptCounts(int step, String operation, long requests, long conflicts) {
  /** The file {@code attempts.csv}; only loads with such operations have it. */
  public static final CsvFile<AttemptCounts> FILE =
      new CsvFile<>("attempts.csv", AttemptCounts.class);

  static AttemptCounts of(int step, OperationMeasurement measured) {
    long requests = measured.successes().count() + measured.errorCount();
    return new AttemptCounts(step, measured.operation(), requests, measured.conflicts());
  }

  static boolean isOf(String operation) {
    return operation.equals(Operation.STM.id());
  }

  public long attempts() {
    return requests + conflicts;
  }

  /** Returns one row for each step and operation, in this order. */
  public static List<AttemptCounts> merged(List<AttemptCounts> rows) {
    Map<AttemptCounts, AttemptCounts> all =
        new TreeMap<>(
            Comparator.comparingInt(AttemptCounts::step).thenComparing(AttemptCounts::operation));
    rows.forEach(row -> all.merge(row, row, AttemptCounts::plus));
    return List.copyOf(all.values());
  }

  private AttemptCounts plus(AttemptCounts other) {
    return new AttemptCounts(
        step, operation, requests + other.requests, conflicts + other.conflicts);
  }
}
