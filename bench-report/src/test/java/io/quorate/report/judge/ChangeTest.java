// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.report.judge.Sample.Kind;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangeTest {
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
    assertThat(Change.outside(baseline, candidate, 0.025)).isEqualTo(outside);
    assertThat(Change.outside(candidate, baseline, 0.025)).isEqualTo(outside);
  }

  /** Critical values of the same table for 5% on one side. */
  @ParameterizedTest
  @CsvSource({"4, 4, 1", "5, 5, 4", "6, 6, 7", "8, 8, 15", "10, 10, 27", "20, 20, 138"})
  void more_differences_are_outside_of_an_interval_of_one_side(
      int baseline, int candidate, int outside) {
    assertThat(Change.outside(baseline, candidate, 0.05)).isEqualTo(outside);
  }

  @Test
  void many_runs_use_the_normal_distribution() {
    assertThat(Change.outside(60, 60, 0.025)).isBetween(1_420, 1_430);
  }

  @Test
  void positive_values_are_compared_by_ratios() {
    Change found =
        Change.of(
            new Sample(Kind.TIME, 100, 101, 99, 100, 102),
            new Sample(Kind.TIME, 110, 111, 109, 110, 112));
    assertThat(found.isRatio()).isTrue();
    assertThat(found.estimate()).isCloseTo(0.1, within(0.003));
    assertThat(found.low()).isBetween(0.07, 0.1);
    assertThat(found.high()).isBetween(0.1, 0.13);
    assertThat(found.p()).isLessThan(1e-4);
  }

  @Test
  void counts_are_compared_by_differences() {
    Change found =
        Change.of(new Sample(Kind.COUNT, 0, 0, 0, 0), new Sample(Kind.COUNT, 3, 5, 4, 6));
    assertThat(found.isRatio()).isFalse();
    assertThat(found.estimate()).isEqualTo(4.5);
    assertThat(found.low()).isEqualTo(3);
    assertThat(found.high()).isEqualTo(6);
  }

  @ParameterizedTest
  @CsvSource({"7, 4, 4", "0.1, 6, 6", "27.11, 6, 5", "1234.567, 5, 9", "0, 7, 4", "1e-9, 6, 8"})
  void equal_values_without_spread_are_no_change(double value, int runs, int others) {
    double[] same = DoubleStream.generate(() -> value).limit(runs).toArray();
    double[] equal = DoubleStream.generate(() -> value).limit(others).toArray();
    for (Kind kind : Kind.values()) {
      Change found = Change.of(new Sample(kind, same), new Sample(kind, equal));
      assertThat(found.p()).isEqualTo(1);
      assertThat(found.largest()).isZero();
    }
    double[] more = DoubleStream.generate(() -> value + 1).limit(others).toArray();
    assertThat(Change.of(new Sample(Kind.TIME, same), new Sample(Kind.TIME, more)).p())
        .isLessThan(1e-9);
  }

  @Test
  void the_band_is_the_change_from_odd_to_even_runs() {
    double[] runs = {100, 110, 100, 110, 100, 110, 100, 110};
    Change ratio = Change.of(new Sample(Kind.TIME, runs), new Sample(Kind.TIME, runs));
    assertThat(ratio.band(runs).getAsDouble()).isBetween(0.099, 0.101);
    assertThat(ratio.band(Arrays.copyOf(runs, 6))).isEmpty();
    runs[0] = 0;
    assertThat(ratio.band(runs)).isEmpty();
  }

  @Test
  void a_median_needs_no_order() {
    assertThat(Sample.median(3, 1, 2)).isEqualTo(2);
    assertThat(Sample.median(4, 1, 2, 3)).isEqualTo(2.5);
    assertThat(Sample.median(new double[0])).isNaN();
  }
}
