package io.quorate.results.requests;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The result of one step of the load, from {@code steps.csv}.
 *
 * @param number from 1
 * @param clients of a closed loop; of an open loop the number of connections
 * @param durationNanos from the sending of the first request to the end of the last one
 * @param operations in the order of the manifest
 * @param timeSeriesRows how many rows of the time series are of this step; they follow those of the
 *     step before it
 * @param longestNanosWithoutSuccess at a stretch; empty if nobody watched that
 * @param stalledNanos the sum of such times of a second or more; empty if nobody watched that
 */
public record StepRow(
    int number,
    long clients,
    long durationNanos,
    List<OperationCounts> operations,
    long timeSeriesRows,
    OptionalLong longestNanosWithoutSuccess,
    OptionalLong stalledNanos) {
  public StepRow {
    operations = List.copyOf(operations);
  }

  /** Returns the number of requests that were due, of all operations. */
  public long intended() {
    return sum(OperationCounts::intended);
  }

  /** Returns the number of requests that were due but not sent, of all operations. */
  public long shed() {
    return sum(OperationCounts::shed);
  }

  /** Returns the number of requests that succeeded, of all operations. */
  public long succeeded() {
    return sum(OperationCounts::succeeded);
  }

  /** Returns the number of requests that failed, of all operations. */
  public long failed() {
    return sum(OperationCounts::failed);
  }

  private long sum(ToLongFunction<OperationCounts> count) {
    return operations.stream().mapToLong(count).sum();
  }
}
