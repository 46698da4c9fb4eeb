package io.quorate.results.requests;

/**
 * The requests of one operation of a step.
 *
 * @param operation such as {@code get}
 * @param intended how many were due: those that succeeded, failed and were shed
 * @param shed how many were not sent, because too many were under way; 0 in a closed loop
 */
public record OperationCounts(
    String operation, long intended, long shed, long succeeded, long failed) {
  /** Creates the counts of requests that have all ended. */
  OperationCounts(String operation, long shed, long succeeded, long failed) {
    this(operation, shed + succeeded + failed, shed, succeeded, failed);
  }
}
