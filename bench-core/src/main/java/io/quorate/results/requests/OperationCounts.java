package io.quorate.results.requests;

/**
 * The requests of one operation of a step.
 *
 * @param operation such as {@code get}
 * @param shed how many were not sent, because too many were under way; 0 in a closed loop
 */
public record OperationCounts(String operation, long shed, long succeeded, long failed) {
  /** Returns how many were due: those that were shed, succeeded and failed. */
  public long intended() {
    return shed + succeeded + failed;
  }
}
