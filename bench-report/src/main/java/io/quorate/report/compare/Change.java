// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.format.NumberFormats;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.scenario.Metric;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The change of a value from the baseline to the candidate.
 *
 * @param database name of the database or cell
 * @param baseline values of the runs of the baseline, ascending
 * @param candidate values of the runs of the candidate, ascending
 * @param estimate change with its interval; empty with too few runs
 * @param band largest change between the two halves of an A/A comparison, as the estimate; empty if
 *     there was none
 * @param moreRuns number of further runs of each side that probably decide; 0 if none are needed
 * @param obstacle why the values of some run say nothing about the database
 */
public record Change(
    String database,
    Row row,
    double[] baseline,
    double[] candidate,
    Optional<RatioEstimate> estimate,
    OptionalDouble band,
    Verdict verdict,
    int moreRuns,
    Optional<String> obstacle) {
  private static final int MANY = 100;

  /** Returns the change without a verdict, if the values of some run say nothing. */
  Change without(Optional<String> why) {
    return why.isEmpty() || verdict == Verdict.NOT_MEASURED
        ? this
        : new Change(
            database, row, baseline, candidate, estimate, band, Verdict.INCONCLUSIVE, 0, why);
  }

  Metric metric() {
    return row.metric();
  }

  /**
   * Returns what a change of 100% is in the unit of the estimate: 1 for ratios, the median of the
   * baseline for differences, and 0 for numbers of requests, of which every change counts.
   */
  double unit() {
    return metric().isCount()
        ? 0
        : estimate.map(RatioEstimate::isRatio).orElse(true)
            ? 1
            : Math.abs(median(baseline).orElse(0));
  }

  static OptionalDouble median(double[] values) {
    return values.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(RunValues.median(values));
  }

  /** Returns the median, with its unit for times and rates. */
  String text(double[] values) {
    return median(values).isEmpty() ? "-" : text(median(values).getAsDouble());
  }

  /** Returns the least and the greatest value; empty with one run. */
  String range(double[] values) {
    return values.length < 2
        ? ""
        : text(values[0]) + " to " + text(Arrays.stream(values).max().orElseThrow());
  }

  private String text(double value) {
    return RunValues.text(metric(), value);
  }

  /**
   * Returns the change: of the estimate or, with too few runs, of the medians; {@code -} without.
   */
  String changeText() {
    if (estimate.isPresent()) {
      return text(estimate.get().isRatio(), estimate.get().change());
    }
    if (baseline.length == 0 || candidate.length == 0) {
      return "-";
    }
    double before = median(baseline).getAsDouble();
    double after = median(candidate).getAsDouble();
    boolean ratio = !metric().isCount() && before > 0;
    return text(ratio, ratio ? after / before - 1 : after - before);
  }

  /** Returns the ends of the interval: {@code +6.9% to +9.8%}; empty without an estimate. */
  String intervalText() {
    return estimate
        .map(each -> text(each.isRatio(), each.low()) + " to " + text(each.isRatio(), each.high()))
        .orElse("");
  }

  /** Returns the A/A band: {@code ±2.1%}; empty without one. */
  String bandText() {
    boolean ratio = estimate.map(RatioEstimate::isRatio).orElse(!metric().isCount());
    return band.isEmpty() ? "" : "\u00b1" + text(ratio, band.getAsDouble()).replace("+", "");
  }

  /** Returns a change with its sign: {@code +8.3%}, {@code +2}. */
  public static String text(boolean ratio, double change) {
    double shown = ratio ? 100 * change : change;
    int decimals = ratio ? (Math.abs(shown) < 10 ? 1 : 0) : shown == Math.rint(shown) ? 0 : 1;
    String number = NumberFormats.fixed(Math.abs(shown), decimals);
    String sign = Double.parseDouble(number) == 0 ? "" : shown < 0 ? "-" : "+";
    return sign + number + (ratio ? "%" : "");
  }

  /** Returns the verdict in words: {@code faster}, {@code same within 3%}. */
  String verdictText() {
    return switch (verdict) {
      case BETTER -> word(metric(), true);
      case WORSE -> word(metric(), false);
      case SAME -> same();
      case INCONCLUSIVE ->
          moreRuns == 0
              ? "inconclusive" + obstacle.map(why -> ": " + why).orElse("")
              : "inconclusive: %s more run%s needed"
                  .formatted(moreRuns > MANY ? "over " + MANY : moreRuns, moreRuns == 1 ? "" : "s");
      case TOO_FEW_RUNS -> "not decided";
      case NOT_MEASURED -> "not measured";
    };
  }

  private String same() {
    RatioEstimate found = estimate.orElseThrow();
    if (found.largest() == 0) {
      return "same";
    }
    return band.isPresent() && Math.abs(found.change()) <= band.getAsDouble()
        ? "same: within the A/A band"
        : "same within " + text(found.isRatio(), found.largest()).replace("+", "");
  }

  /** Returns a direction in words: {@code faster}, {@code slower}, {@code less}, {@code more}. */
  public static String word(Metric metric, boolean better) {
    if (metric.isTime() || metric == Metric.THROUGHPUT) {
      return better ? "faster" : "slower";
    }
    return better ? "less" : "more";
  }
}
