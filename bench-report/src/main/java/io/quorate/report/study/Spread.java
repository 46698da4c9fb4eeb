// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The spread of a value over the runs of a cell. The geometric mean is shown, as the confidence
 * interval refers to it.
 *
 * @param values one or more values of at least 0; made ascending
 */
@JsonPropertyOrder({"geometricMean", "lowest", "highest"})
public record Spread(@JsonIgnore double... values) {
  /** Least number of runs with an interval. */
  private static final int MIN_FOR_INTERVAL = 5;

  private static final double CONFIDENCE = 0.95;

  /** An interval that includes both ends. */
  public record Interval(double from, double to) {}

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
    double squares = Arrays.stream(values).map(v -> Math.pow(Math.log(v) - meanLog(), 2)).sum();
    double freedom = count() - 1.0;
    double half =
        TDistribution.of(freedom).inverseCumulativeProbability((1 + CONFIDENCE) / 2)
            * Math.sqrt(squares / freedom / count());
    return Optional.of(new Interval(Math.exp(meanLog() - half), Math.exp(meanLog() + half)));
  }

  private double meanLog() {
    return Arrays.stream(values).map(Math::log).average().orElseThrow();
  }
}
