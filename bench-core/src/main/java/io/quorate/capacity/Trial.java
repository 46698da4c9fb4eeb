package io.quorate.capacity;

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
  public enum Stage {
    /** Doubles or halves the load until one passes and one fails. */
    BRACKET,
    /** Tries what lies between. */
    NARROW,
    /** Tries the bounds that were found again and again, longer. */
    CONFIRM,
    /** Shows what lies below and above the capacity, once that is known. */
    CURVE
  }
}
