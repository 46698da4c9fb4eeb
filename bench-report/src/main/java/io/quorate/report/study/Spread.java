// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The spread of a value over the runs of a cell. The geometric mean is shown, as the confidence
 * interval refers to it.
 *
 * @param mean geometric mean; 0 if a value is 0
 * @param confidence interval that contains the typical value with 95% confidence, from the
 *     logarithms by Student's distribution; empty if there are fewer than five values
 */
public record Spread(
    @JsonIgnore int count,
    @JsonProperty("geometricMean") double mean,
    double lowest,
    double highest,
    @JsonUnwrapped Optional<Interval> confidence) {
  /** Least number of runs with an interval. */
  private static final int MIN_FOR_INTERVAL = 5;

  private static final double CONFIDENCE = 0.95;

  /** An interval that includes both ends. */
  public record Interval(double from, double to) {}

  /**
   * @param values one or more values of at least 0
   */
  static Spread of(double... values) {
    Sample sample = new Sample(Kind.TIME, values);
    double[] logs = Arrays.stream(sample.values()).map(Math::log).toArray();
    double mean = Arrays.stream(logs).average().orElseThrow();
    double freedom = logs.length - 1.0;
    double error =
        Math.sqrt(
            Arrays.stream(logs).map(log -> Math.pow(log - mean, 2)).sum() / freedom / logs.length);
    return new Spread(
        logs.length,
        logs.length == 1 ? values[0] : Math.exp(mean),
        sample.least(),
        sample.greatest(),
        Optional.of(freedom)
            .filter(known -> logs.length >= MIN_FOR_INTERVAL)
            .map(
                known -> TDistribution.of(known).inverseCumulativeProbability((1 + CONFIDENCE) / 2))
            .map(t -> new Interval(Math.exp(mean - t * error), Math.exp(mean + t * error))));
  }
}
