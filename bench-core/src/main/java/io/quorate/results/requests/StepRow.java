package io.quorate.results.requests;

import java.util.List;

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
  /** Returns its number, from 1. */
  public int number() {
    return times.step();
  }

  /** Returns the counts of all operations together. */
  public OperationCounts counts() {
    return OperationCounts.sum("", operations);
  }
}
