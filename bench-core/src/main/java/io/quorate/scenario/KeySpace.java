package io.quorate.scenario;

/**
 * The keys of a scenario.
 *
 * @param sizeBytes the length of every key
 * @param order in which order the key space is walked
 * @param count how many different keys there are. Writes with fewer keys than requests, and all
 *     reads, work on keys that are written beforehand; other writes create each key once
 */
public record KeySpace(int sizeBytes, Order order, long count) {
  /** In which order the key space is walked. */
  public enum Order {
    /** 0, 1, 2, ... and from the start again. */
    SEQUENTIAL,
    /** Every key once in an order drawn from the seed, and from the start again. */
    RANDOM
  }
}
