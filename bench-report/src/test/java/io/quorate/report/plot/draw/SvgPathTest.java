// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SvgPathTest {
  @Test
  void pointsAreRelativeToTheOneBefore() {
    assertThat(SvgFile.SvgPath.shortened("M10 20.5 L12.3 20.5 L12 19 L0 0"))
        .isEqualTo("M10 20.5l2.3 0-.3-1.5-12-19");
  }

  @Test
  void afterAnEndTheNextPartBeginsWhereTheLastOneBegan() {
    assertThat(SvgFile.SvgPath.shortened("M10 10 L20 10 L20 20 Z M11 11 L12 12 Z"))
        .isEqualTo("M10 10l10 0 0 10zm1 1l1 1z");
  }

  @Test
  void whatIsNoStraightLineIsLeftAlone() {
    assertThat(SvgFile.SvgPath.shortened("M10 10 C1 2 3 4 5 6")).isEqualTo("M10 10 C1 2 3 4 5 6");
    assertThat(SvgFile.SvgPath.shortened("M10")).isEqualTo("M10");
    assertThat(SvgFile.SvgPath.shortened("")).isEmpty();
    assertThat(SvgFile.SvgPath.shortened("M1 1E9")).isEqualTo("M1 1E9");
  }
}
