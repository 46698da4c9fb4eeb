// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.judge;

import io.quorate.Named;

/**
 * The largest change that a rule lets pass. The one-sided 95% interval of a change decides: a
 * change at the limit, or a greater one, passes in at most 5% of cases, and one at the limit, or a
 * smaller one, fails in at most 5%.
 *
 * @param limit largest change, in the unit of the changes
 */
public record Gate(double limit) {
  /** Quantile of the normal distribution for one side of 95%. */
  static final double QUANTILE = 1.645;

  /** The outcomes of a gate, from best to worst. */
  public enum Outcome implements Named {
    PASSED,
    INCONCLUSIVE,
    FAILED
  }

  /** Decides a change that has an interval. */
  public Outcome of(Change change) {
    return of(change, change.atLeast(), change.atMost());
  }

  private Outcome of(Change change, double atLeast, double atMost) {
    boolean more = change.kind().isBetter(0, 1);
    if (isBeyond(change, more ? atMost : atLeast)) {
      return change.baseline().isBound() ? Outcome.INCONCLUSIVE : Outcome.FAILED;
    }
    return change.isBound() || isBeyond(change, more ? atLeast : atMost)
        ? Outcome.INCONCLUSIVE
        : Outcome.PASSED;
  }

  private boolean isBeyond(Change change, double end) {
    return change.kind().isBetter(end, limit);
  }

  /**
   * Returns how many further runs of each side decide an undecided change, as {@link FurtherRuns}.
   */
  public int furtherRuns(Change change) {
    return new FurtherRuns(QUANTILE, (low, high) -> of(change, low, high) != Outcome.INCONCLUSIVE)
        .of(change);
  }
}
