// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SenSlopeTest {
  @Test
  void the_slope_of_a_line_is_found_despite_an_outlier() {
    double[] x = {0, 1, 2, 3, 4};
    assertThat(SenSlope.of(x, new double[] {5, 7, 9, 11, 13})).hasValue(2);
    assertThat(SenSlope.of(x, new double[] {5, 7, 9, 11, 1000})).hasValue(2);
  }

  @Test
  void points_with_the_same_x_have_no_slope() {
    assertThat(SenSlope.of(new double[] {1, 1}, new double[] {2, 3})).isEmpty();
    assertThat(SenSlope.of(new double[0], new double[0])).isEmpty();
    assertThat(SenSlope.of(new double[] {1, 1, 3}, new double[] {2, 4, 6})).hasValue(1.5);
  }
}
