package io.quorate.scenario;

/**
 * The keys of a scenario.
 *
 * @param sizeBytes the length of every key
 * @param order in which order the key space is walked
 * @param count how many different keys there are
 * @param prepared whether all of them are written before the first request: so for reads, and for
 *     writes with fewer keys than the unscaled scenario has requests, which then update; otherwise
 *     each request creates a key
 */
public record KeySpace(int sizeBytes, Order order, long count, boolean prepared) {
  /** The order in which the key space is walked. */
  public enum Order {
    /** Keys 0, 1, 2, ... and from the start again. */
    SEQUENTIAL,
    /** Every key once in an order drawn from the seed, and from the start again. */
    RANDOM
  }
}
