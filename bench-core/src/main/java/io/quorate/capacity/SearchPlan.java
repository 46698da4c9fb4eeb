package io.quorate.capacity;

/**
 * The rules of a search.
 *
 * @param width ratio of the two loads that are confirmed, above 1
 * @param settleSeconds how long the load of a trial runs before it is measured
 * @param measureSeconds how long it is measured at first
 * @param finalSeconds the same of the trials that decide
 * @param longest how many times as long a trial continues that is undecided
 * @param repeats how many trials at most decide about each load, odd: as soon as most of them
 *     agree, the rest is not made
 * @param lowest load that is tried
 * @param highest load that is tried
 * @param mostTrials after which it ends with what it knows
 * @param mostSeconds of all trials, after which it does so as well; a trial takes some seconds
 *     longer than its load, as what it left behind is cleared away
 */
public record SearchPlan(
    double width,
    int settleSeconds,
    int measureSeconds,
    int finalSeconds,
    int longest,
    int repeats,
    long lowest,
    long highest,
    int mostTrials,
    int mostSeconds) {
  /**
   * Search to 5%, for which the bounds have to be closer: about 10 trials and 8 minutes, at most
   * 12. A bound that is wrong by one narrow step is still within 5%.
   */
  public static final SearchPlan FULL =
      new SearchPlan(1.03, 5, 20, 60, 2, 3, 1, 1_000_000, 15, 12 * 60 - 10);

  /** Search to 10%, likewise: about 10 trials and 2 minutes. */
  public static final SearchPlan QUICK =
      new SearchPlan(1.06, 2, 5, 10, 2, 3, 1, 1_000_000, 15, 120);

  private static final double PROMISED_WIDTHS = 5 / 3.0;

  /**
   * Returns how far apart the loads that hold and fail may be, as a factor: 1.05 of {@link #FULL},
   * 1.1 of {@link #QUICK}.
   */
  public double promised() {
    return 1 + (width - 1) * PROMISED_WIDTHS;
  }

  public SearchPlan between(long least, long most) {
    return new SearchPlan(
        width,
        settleSeconds,
        measureSeconds,
        finalSeconds,
        longest,
        repeats,
        least,
        most,
        mostTrials,
        mostSeconds);
  }
}
