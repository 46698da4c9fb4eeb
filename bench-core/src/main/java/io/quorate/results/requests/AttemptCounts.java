package io.quorate.results.requests;

/**
 * The requests of an operation of a step that are tried until they succeed.
 *
 * @param step from 1
 * @param operation such as {@code stm}
 * @param requests how many ended, well or badly
 * @param conflicts tries that were undone by another client's write
 */
public record AttemptCounts(int step, String operation, long requests, long conflicts) {
  /** Returns the number of tries of all requests. */
  public long attempts() {
    return requests + conflicts;
  }
}
