// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quorate.format.NumberFormats;
import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The spread of a value over the runs of a cell. The geometric mean is shown and compared, as both
 * confidence intervals refer to it.
 *
 * @param values one or more values of at least 0; made ascending
 */
@JsonPropertyOrder({"geometricMean", "lowest", "highest"})
public record Spread(@JsonIgnore double... values) {
  /**
   * Least number of runs for which an interval is more informative than the lowest and the highest
   * value.
   */
  static final int MIN_FOR_INTERVAL = 5;

  private static final double CONFIDENCE = 0.95;

  /** An interval that includes both ends. */
  public record Interval(double from, double to) {
    boolean contains(double value) {
      return from <= value && value <= to;
    }
  }

  public Spread {
    values = values.clone();
    Arrays.sort(values);
  }

  int count() {
    return values.length;
  }

  /** Returns the geometric mean; 0 if a value is 0. */
  @JsonProperty("geometricMean")
  double mean() {
    return count() == 1 ? values[0] : Math.exp(meanLog());
  }

  @JsonProperty
  double lowest() {
    return values[0];
  }

  @JsonProperty
  double highest() {
    return values[values.length - 1];
  }

  /**
   * Returns the interval that contains the typical value with 95% confidence, from the logarithms
   * by Student's distribution; empty if there are fewer than five values.
   */
  @JsonProperty
  @JsonUnwrapped
  Optional<Interval> confidence() {
    if (count() < MIN_FOR_INTERVAL) {
      return Optional.empty();
    }
    double half = quantile(count() - 1.0) * Math.sqrt(variance() / count());
    return Optional.of(new Interval(Math.exp(meanLog() - half), Math.exp(meanLog() + half)));
  }

  /**
   * Returns the ratio of this mean to the mean of another spread. With five values each, its
   * interval is the 95% confidence interval of Welch's t test of the logarithms. With fewer values
   * it is the range that the lowest and the highest values allow.
   */
  Ratio over(Spread other) {
    double ratio = mean() / other.mean();
    if (count() < MIN_FOR_INTERVAL || other.count() < MIN_FOR_INTERVAL) {
      Interval possible = new Interval(lowest() / other.highest(), highest() / other.lowest());
      return new Ratio(ratio, possible, Math.min(count(), other.count()));
    }
    double mine = variance() / count();
    double others = other.variance() / other.count();
    double difference = meanLog() - other.meanLog();
    double half = 0;
    if (mine + others > 0) {
      double freedom =
          (mine + others)
              * (mine + others)
              / (mine * mine / (count() - 1) + others * others / (other.count() - 1));
      half = quantile(freedom) * Math.sqrt(mine + others);
    }
    Interval interval = new Interval(Math.exp(difference - half), Math.exp(difference + half));
    return new Ratio(ratio, interval, Math.min(count(), other.count()));
  }

  /**
   * The ratio of two values.
   *
   * @param interval confidence interval, or otherwise the possible range
   * @param runs number of runs of the value with fewer runs
   */
  record Ratio(double value, Interval interval, int runs) {
    /** Relative difference below which single runs do not distinguish two values. */
    private static final double MIN_OF_SINGLE_RUNS = 0.1;

    /** Returns whether it is unknown which of the two is greater. */
    boolean isTooClose() {
      return runs == 1 ? Math.abs(value - 1) < MIN_OF_SINGLE_RUNS : interval.contains(1);
    }

    /** Returns the ratio as text, such as {@code 1.90 (1.86 to 1.95)}. */
    String text() {
      String range = runs == 1 ? "" : number(interval.from()) + " to " + number(interval.to());
      String close = isTooClose() ? "too close to call" : "";
      String separator = close.isEmpty() || range.isEmpty() ? "" : ": ";
      String note = range + separator + close;
      return number(value) + (note.isEmpty() ? "" : " (" + note + ")");
    }

    private static String number(double ratio) {
      return NumberFormats.fixed(ratio, ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
    }
  }

  private double meanLog() {
    return Arrays.stream(values).map(Math::log).average().orElseThrow();
  }

  private double variance() {
    double mean = meanLog();
    double squares = Arrays.stream(values).map(v -> Math.pow(Math.log(v) - mean, 2)).sum();
    return squares / (count() - 1);
  }

  private static double quantile(double freedom) {
    return TDistribution.of(freedom).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
  }
}
