// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SvgPathTest {
  @Test
  void pointsAreRelativeToTheOneBefore() {
    assertThat(SvgFile.SvgPath.shortened("M10 20.5 L12.3 19 L12 18.1 L0 0"))
        .isEqualTo("M10 20.5l2.3-1.5-.3-.9-12-18.1");
  }

  @Test
  void linesAlongAnAxisHaveOneNumber() {
    assertThat(SvgFile.SvgPath.shortened("M10 20 L12.3 20 L12.6 20 L12.6 19 L14 19 L15 20 L15 20"))
        .isEqualTo("M10 20h2.3.3v-1h1.4l1 1h0");
  }

  @Test
  void afterAnEndTheNextPartBeginsWhereTheLastOneBegan() {
    assertThat(SvgFile.SvgPath.shortened("M10 10 L20 10 L20 20 Z M11 11 L12 12 Z"))
        .isEqualTo("M10 10h10v10zm1 1l1 1z");
    assertThat(SvgFile.SvgPath.shortened("M1.5 1 L2 1 L2 5 L1.5 5 L1.5 1 ZM9 1 L9.5 1 Z"))
        .isEqualTo("M1.5 1h.5v4h-.5v-4zm7.5 0h.5z");
  }

  @Test
  void pointsOfCurvesAreRelativeToTheirStart() {
    assertThat(
            SvgFile.SvgPath.shortened("M-3.2 250.5 Q-3.2 251.8 -3.7 252.5 Q-4.2 253.1 -5.1 253.1"))
        .isEqualTo("M-3.2 250.5q0 1.3-.5 2-.5.6-1.4.6");
    assertThat(SvgFile.SvgPath.shortened("M10 10 C1 2 3 4 5 6 L6 7"))
        .isEqualTo("M10 10c-9-8-7-6-5-4l1 1");
  }

  @Test
  void whatBatikDoesNotWriteIsLeftAlone() {
    for (String data :
        List.of("M10 10 A1 2 3 4 5 6", "M10", "", "M1 1E9", "M1 1 Q2 3", "M1 1 2 2")) {
      assertThat(SvgFile.SvgPath.shortened(data)).isEqualTo(data);
    }
  }
}
