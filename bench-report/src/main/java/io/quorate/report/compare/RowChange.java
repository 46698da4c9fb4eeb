// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.figures.Reservation;
import io.quorate.report.judge.Change;
import io.quorate.report.judge.Decision;
import io.quorate.report.judge.Decision.Verdict;
import io.quorate.report.judge.Family.Question;
import io.quorate.report.judge.Pairs;
import io.quorate.report.judge.Sample;
import io.quorate.scenario.Metric;
import java.util.Optional;
import java.util.Set;

/**
 * The change of a row from the baseline to the candidate.
 *
 * @param database name of the database or cell
 * @param values change that a gate judges
 * @param lessOfCandidate the same without the load generator's delay in the candidate
 * @param lessOfBaseline the same without the load generator's delay in the baseline
 * @param rare whether a run of the baseline has too few requests for a percentile
 * @param reservations all reservations that forbid a comparison of the values of some run; empty
 *     also if there is another reason
 */
record RowChange(
    String database,
    Row row,
    Question asked,
    Decision decision,
    Judged values,
    Judged lessOfCandidate,
    Judged lessOfBaseline,
    boolean rare,
    Set<Reservation> reservations) {
  /**
   * A change that a gate judges.
   *
   * @param pairs pairs of values of a sequential comparison, by which a gate decides; empty for
   *     none
   */
  record Judged(Change change, Optional<Pairs> pairs) {}

  /** Returns whether the load generator's delay is all that forbids a comparison. */
  boolean isOnlyDelayed() {
    return verdict() == Verdict.NOT_COMPARABLE
        && reservations.equals(Set.of(Reservation.GENERATOR_DELAY));
  }

  Change change() {
    return asked.change();
  }

  Metric metric() {
    return row.metric();
  }

  /** Returns the metric: {@code p99}, {@code server CPU per request}. */
  String title() {
    return metric().wholeTitle();
  }

  Sample baseline() {
    return change().baseline();
  }

  Sample candidate() {
    return change().candidate();
  }

  Verdict verdict() {
    return decision.verdict();
  }

  /**
   * Returns the median, with its unit for times and rates: {@code > 7,200 ms} if an outage did not
   * end, {@code -} without values.
   */
  String text(Sample sample) {
    return sample.count() == 0 ? "-" : text(sample, sample.median());
  }

  private String text(Sample sample, double value) {
    return (sample.isBound() ? "> " : "") + metric().text(value);
  }

  /** Returns the least and the greatest value; empty with one run. */
  String range(Sample sample) {
    return sample.count() < 2
        ? ""
        : text(sample, sample.least()) + " to " + text(sample, sample.greatest());
  }

  /**
   * Returns the estimate: {@code > +620%} if an outage of the candidate did not end, {@code -}
   * without values of a side, or if an outage of the baseline did not end.
   */
  String changeText() {
    return verdict() == Verdict.NOT_MEASURED || baseline().isBound()
        ? "-"
        : (candidate().isBound() ? "> " : "") + change().text(change().estimate());
  }

  /** Returns the ends of the interval: {@code +6.9% to +9.8%}; empty without one. */
  String intervalText() {
    return change().hasInterval() && !change().isBound()
        ? change().text(change().low()) + " to " + change().text(change().high())
        : "";
  }

  /** Returns the A/A band: {@code ±2.1%}; empty without one. */
  String bandText() {
    return asked.band().isEmpty()
        ? ""
        : "\u00b1" + change().text(asked.band().getAsDouble()).replace("+", "");
  }

  /**
   * Returns the decision in words: {@code faster}, {@code same within 3%}; {@code -} of a value
   * that follows from others.
   */
  String verdictText() {
    return metric().isDerived() ? "-" : decision.text(change().kind());
  }
}
