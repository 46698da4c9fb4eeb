// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.study.DataSizes.Trend;
import org.junit.jupiter.api.Test;

class DataSizesTest {
  @Test
  void five_sizes_have_an_interval_from_the_least_to_the_greatest_slope() {
    Trend trend =
        Trend.of(new double[] {1, 2, 3, 4, 5}, new double[] {3, 5, 7, 9, 31}).orElseThrow();

    assertThat(trend.slope()).isEqualTo(2);
    assertThat(trend.at(6)).isEqualTo(13);
    assertThat(trend.interval().orElseThrow()).containsExactly(2, 22);
  }

  @Test
  void the_interval_of_six_sizes_leaves_out_a_slope_at_each_end() {
    Trend trend =
        Trend.of(new double[] {1, 2, 3, 4, 5, 6}, new double[] {1, 2, 3, 4, 5, 60}).orElseThrow();

    assertThat(trend.interval().orElseThrow()[0]).isEqualTo(1);
    assertThat(trend.interval().orElseThrow()[1]).isEqualTo(28);
  }

  @Test
  void four_sizes_have_a_slope_without_an_interval_and_two_have_none() {
    assertThat(
            Trend.of(new double[] {1, 2, 3, 4}, new double[] {1, 2, 3, 4}).orElseThrow().interval())
        .isEmpty();
    assertThat(Trend.of(new double[] {1, 2}, new double[] {1, 2})).isEmpty();
  }
}
