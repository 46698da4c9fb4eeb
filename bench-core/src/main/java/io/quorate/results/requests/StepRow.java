package io.quorate.results.requests;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The result of one step of the load.
 *
 * @param times of the step; of one that did not end, the duration is that of its seconds
 * @param clients of a closed loop; of an open loop the number of connections
 * @param operations in the order of the manifest
 * @param seconds every one from the first to the last in which a request was due
 */
public record StepRow(
    StepTimes times,
    long clients,
    List<OperationCounts> operations,
    List<ClientResults.Second> seconds) {
  public StepRow {
    operations = List.copyOf(operations);
    seconds = List.copyOf(seconds);
  }

  /** Returns its number, from 1. */
  public int number() {
    return times.step();
  }

  /** Returns the time from the sending of the first request to the end of the last one. */
  public long durationNanos() {
    return times.durationNanos();
  }

  /** Returns the longest time without a success; empty if nobody watched that. */
  public OptionalLong longestNanosWithoutSuccess() {
    return times.longestNanosWithoutSuccess();
  }

  /** Returns the sum of such times of a second or more; empty if nobody watched that. */
  public OptionalLong stalledNanos() {
    return times.stalledNanos();
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
