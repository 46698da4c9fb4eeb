// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.report.figures.Trend.Direction;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Trends of made-up runs of four hours, in 40 windows. */
class TrendTest {
  private static final int WINDOWS = 40;
  private static final int RUNS = 100;
  private static final double LEVEL = 100;

  private static double[] hours() {
    double[] hours = new double[WINDOWS];
    Arrays.setAll(hours, i -> i / 10.0);
    return hours;
  }

  /** Returns values with a slope, and noise in which each window resembles the one before. */
  private static double[] values(double perHour, double noise, double alike, long seed) {
    Random random = new Random(seed);
    double[] hours = hours();
    double[] values = new double[WINDOWS];
    double deviation = 0;
    for (int i = 0; i < WINDOWS; i++) {
      deviation = alike * deviation + noise * random.nextGaussian();
      values[i] = LEVEL + perHour * hours[i] + deviation;
    }
    return values;
  }

  private static Trend trend(double perHour, double noise, double alike, long seed) {
    return Trend.of(hours(), values(perHour, noise, alike, seed)).orElseThrow();
  }

  @Test
  void a_line_has_its_slope() {
    Trend exact = trend(3, 0, 0, 1);
    assertThat(exact.perHour()).isCloseTo(3, within(1e-9));
    assertThat(exact.direction()).isEqualTo(Direction.GROWS);
    assertThat(trend(-3, 0, 0, 1).direction()).isEqualTo(Direction.SHRINKS);
    assertThat(trend(0, 0, 0, 1).direction()).isEqualTo(Direction.NONE);
  }

  @Test
  void the_slope_of_a_noisy_value_is_mostly_in_the_interval() {
    int found = 0;
    int grown = 0;
    for (int run = 0; run < RUNS; run++) {
      Trend trend = trend(5, 2, 0.5, run);
      found += trend.from() <= 5 && trend.to() >= 5 ? 1 : 0;
      grown += trend.direction() == Direction.GROWS ? 1 : 0;
    }
    assertThat(found).isGreaterThanOrEqualTo(90);
    assertThat(grown).isGreaterThanOrEqualTo(98);
  }

  @Test
  void noise_is_mostly_not_accused() {
    int accused = 0;
    for (int run = 0; run < RUNS; run++) {
      accused += trend(0, 2, 0.5, run).direction() == Direction.NONE ? 0 : 1;
    }
    assertThat(accused).isLessThanOrEqualTo(10);
  }

  @Test
  void a_slope_that_is_sure_but_small_is_no_finding() {
    Trend small = trend(0.1, 0.001, 0, 1);
    assertThat(small.from()).isPositive();
    assertThat(small.direction()).isEqualTo(Direction.NONE);
  }

  @Test
  void missing_windows_are_left_out_and_too_few_have_no_trend() {
    double[] values = values(3, 0, 0, 1);
    Arrays.fill(values, 5, 15, Double.NaN);
    assertThat(Trend.of(hours(), values).orElseThrow().perHour()).isCloseTo(3, within(1e-9));
    Arrays.fill(values, 5, 30, Double.NaN);
    assertThat(Trend.of(hours(), values)).isEmpty();
  }

  @Test
  void windows_are_means_of_what_is_known() {
    assertThat(Trend.means(new double[] {1, 3, Double.NaN, 5, Double.NaN, Double.NaN}, 3))
        .containsExactly(2, 5, Double.NaN);
  }
}
