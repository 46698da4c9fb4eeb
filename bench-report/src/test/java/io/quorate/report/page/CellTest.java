// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.page.Page.Cell;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CellTest {
  @Test
  void values_that_are_worse_than_the_best_are_colored_by_their_distance() {
    assertThat(shade(1.3, false)).isEqualTo("worse");
    assertThat(shade(0.7, false)).isEqualTo("worse");
    assertThat(shade(0.4, false)).isEqualTo("worst");
    assertThat(shade(2.2, false)).isEqualTo("worst");
  }

  @Test
  void ties_with_the_best_are_not_colored() {
    assertThat(shade(1.04, true)).isEmpty();
    assertThat(shade(2.2, true)).isEmpty();
  }

  private static String shade(double ratio, boolean tie) {
    return new Cell("", false, OptionalDouble.of(ratio), tie).shade();
  }
}
