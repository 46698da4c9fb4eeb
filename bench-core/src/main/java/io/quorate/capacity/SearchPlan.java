// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

/**
 * The rules of a search.
 *
 * @param width ratio of the two loads that are confirmed, above 1
 * @param settleSeconds how long the load of a trial runs before it is measured
 * @param measureSeconds how long it is measured at first
 * @param finalSeconds how long the deciding trials are measured
 * @param longest factor by which an undecided trial may be prolonged
 * @param repeats most trials that decide about each load, odd; the search stops as soon as most of
 *     them agree
 * @param mostTrials number of trials after which the search ends with its current knowledge
 * @param mostSeconds seconds of all trials after which it also ends; a trial takes some seconds
 *     longer than its load, for the cleanup
 */
public record SearchPlan(
    double width,
    int settleSeconds,
    int measureSeconds,
    int finalSeconds,
    int longest,
    int repeats,
    int mostTrials,
    int mostSeconds) {
  /**
   * Search with a precision of 5%: about 12 trials and 11 minutes, at most 12. The width is
   * smaller, so that a bound that is wrong by one narrow step is still within 5%.
   */
  public static final SearchPlan FULL = new SearchPlan(1.03, 5, 20, 60, 2, 3, 15, 12 * 60 - 10);

  /** Search with a precision of 10%: about 10 trials and 2 minutes. */
  public static final SearchPlan QUICK = new SearchPlan(1.06, 2, 5, 10, 2, 3, 15, 120);

  private static final double PROMISED_WIDTHS = 5 / 3.0;
  private static final double WIDEST_WIDTHS = 10;

  /**
   * Returns the largest ratio of the load that fails to the load that holds: 1.05 of {@link #FULL},
   * 1.1 of {@link #QUICK}.
   */
  public double promised() {
    return 1 + (width - 1) * PROMISED_WIDTHS;
  }

  /**
   * Returns the largest ratio of these loads that is still a result, of a store that answers too
   * few requests for a closer one.
   */
  double widest() {
    return 1 + (width - 1) * WIDEST_WIDTHS;
  }
}
