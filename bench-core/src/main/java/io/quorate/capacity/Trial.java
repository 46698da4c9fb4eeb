// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import io.quorate.Named;

/**
 * A trial that a search requests.
 *
 * @param number number of the trial, from 1
 * @param load requests per second, or clients
 * @param settleSeconds how long it runs before it is measured
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
    /**
     * Tries, for longer, a load a little below and one a little above the likely capacity, in turn.
     */
    CONFIRM,
    /** Shows the behavior below and above the capacity, after that is known. */
    CURVE
  }
}
