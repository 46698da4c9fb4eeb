package io.quorate.capacity;

import io.quorate.Named;

/**
 * A load that a search wants to be tried.
 *
 * @param number from 1
 * @param load requests per second, or clients
 * @param stage what the search is doing
 * @param settleSeconds how long it runs before it is measured
 * @param measureSeconds how long it is measured
 * @param mostSeconds how long it is measured at most, while it is undecided
 */
public record Trial(
    int number, long load, Stage stage, int settleSeconds, int measureSeconds, int mostSeconds) {

  /** The stages of a search. */
  public enum Stage implements Named {
    /** Raises or lowers the load until one passes and one fails. */
    BRACKET,
    /** Tries the load that is likely to be the capacity. */
    NARROW,
    /** Tries a load a little below that and one a little above it in turn, longer. */
    CONFIRM,
    /** Shows what lies below and above the capacity, once that is known. */
    CURVE
  }
}
