// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.page.Page.Cell;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CellTest {
  @Test
  void values_within_a_tie_of_the_best_are_not_colored() {
    assertThat(shade(1.04, Page.TIE)).isEmpty();
    assertThat(shade(0.96, Page.TIE)).isEmpty();
    assertThat(shade(1.3, Page.TIE)).isEqualTo("worse");
    assertThat(shade(0.4, Page.TIE)).isEqualTo("worst");
  }

  @Test
  void differences_that_runs_of_one_database_have_too_are_a_tie() {
    assertThat(shade(1.3, 1.58)).isEmpty();
    assertThat(shade(0.7, 1.58)).isEmpty();
    assertThat(shade(1.6, 1.58)).isEqualTo("worse");
    assertThat(shade(2.2, 2.5)).isEmpty();
  }

  private static String shade(double ratio, double tie) {
    return new Cell("", false, OptionalDouble.of(ratio), tie).shade();
  }
}
