// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RatioEstimateTest {
  /** Critical values of Mann and Whitney's table for 5% on two sides. */
  @ParameterizedTest
  @CsvSource({
    "3, 3, 0",
    "4, 4, 0",
    "5, 5, 2",
    "6, 6, 5",
    "8, 8, 13",
    "10, 10, 23",
    "5, 8, 6",
    "20, 20, 127"
  })
  void as_many_differences_are_outside_as_in_the_table(int baseline, int candidate, int outside) {
    assertThat(RatioEstimate.outside(baseline, candidate)).isEqualTo(outside);
    assertThat(RatioEstimate.outside(candidate, baseline)).isEqualTo(outside);
  }

  @Test
  void many_runs_use_the_normal_distribution() {
    assertThat(RatioEstimate.outside(60, 60)).isBetween(1_420, 1_430);
  }

  @Test
  void positive_values_are_compared_by_ratios() {
    RatioEstimate found =
        RatioEstimate.of(
            new double[] {100, 101, 99, 100, 102}, new double[] {110, 111, 109, 110, 112}, false);
    assertThat(found.isRatio()).isTrue();
    assertThat(found.change()).isCloseTo(0.1, within(0.003));
    assertThat(found.low()).isBetween(0.07, 0.1);
    assertThat(found.high()).isBetween(0.1, 0.13);
    assertThat(found.p()).isLessThan(1e-4);
  }

  @Test
  void counts_are_compared_by_differences() {
    RatioEstimate found =
        RatioEstimate.of(new double[] {0, 0, 0, 0}, new double[] {3, 5, 4, 6}, true);
    assertThat(found.isRatio()).isFalse();
    assertThat(found.change()).isEqualTo(4.5);
    assertThat(found.low()).isEqualTo(3);
    assertThat(found.high()).isEqualTo(6);
  }

  @ParameterizedTest
  @CsvSource({"7, 4, 4", "0.1, 6, 6", "27.11, 6, 5", "1234.567, 5, 9", "0, 7, 4", "1e-9, 6, 8"})
  void equal_values_without_spread_are_no_change(double value, int runs, int others) {
    double[] same = DoubleStream.generate(() -> value).limit(runs).toArray();
    double[] equal = DoubleStream.generate(() -> value).limit(others).toArray();
    for (boolean count : new boolean[] {false, true}) {
      RatioEstimate found = RatioEstimate.of(same, equal, count);
      assertThat(found.p()).isEqualTo(1);
      assertThat(found.largest()).isZero();
    }
    double[] more = DoubleStream.generate(() -> value + 1).limit(others).toArray();
    assertThat(RatioEstimate.of(same, more, false).p()).isLessThan(1e-9);
  }
}
