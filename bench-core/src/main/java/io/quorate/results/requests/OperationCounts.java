// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import java.util.List;

/**
 * The requests of one operation of a step.
 *
 * @param operation operation, such as {@code get}
 * @param dropped number of requests that were not sent, because too many were in flight; 0 in a
 *     closed loop
 */
public record OperationCounts(String operation, long dropped, long succeeded, long failed) {
  /** Returns the sum of the counts of some steps, operations or seconds. */
  public static OperationCounts sum(String operation, List<OperationCounts> parts) {
    return new OperationCounts(
        operation,
        parts.stream().mapToLong(OperationCounts::dropped).sum(),
        parts.stream().mapToLong(OperationCounts::succeeded).sum(),
        parts.stream().mapToLong(OperationCounts::failed).sum());
  }

  /** Returns how many were due: the sum of dropped, succeeded and failed requests. */
  public long intended() {
    return dropped + succeeded + failed;
  }
}
