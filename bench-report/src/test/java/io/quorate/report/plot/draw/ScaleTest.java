// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleTest {
  private static List<String> labels(Scale scale, double from, double to, int most) {
    return scale.marks(from, to, most).stream().map(Scale.Mark::label).toList();
  }

  @Test
  void linearMarksAreRoundNumbers() {
    Scale scale = new LinearScale(false);
    assertThat(labels(scale, 0, 3120, 7))
        .containsExactly("0", "500", "1,000", "1,500", "2,000", "2,500", "3,000");
    assertThat(labels(scale, 0, 0.0052, 6))
        .containsExactly("0", "0.001", "0.002", "0.003", "0.004", "0.005");
    assertThat(labels(scale, 0, 1, 5)).containsExactly("0", "0.2", "0.4", "0.6", "0.8", "1.0");
    assertThat(labels(scale, 0, 5_100_000, 5)).containsExactly("0", "2 M", "4 M");
    assertThat(labels(scale, 0, 2_600_000, 6))
        .containsExactly("0", "0.5 M", "1.0 M", "1.5 M", "2.0 M", "2.5 M");
    assertThat(labels(scale, 0, 30e9, 4)).containsExactly("0", "10 G", "20 G", "30 G");
  }

  @Test
  void secondsAreWhole() {
    assertThat(labels(new LinearScale(true), 0, 1, 10)).containsExactly("0", "1");
    assertThat(labels(new LinearScale(true), -0.05, 3, 10)).containsExactly("0", "1", "2", "3");
  }

  @Test
  void aLinearAxisBeginsAtZero() {
    assertThat(new LinearScale(false).range(50, 100)).containsExactly(0, 104);
    assertThat(new LinearScale(false).range(0, 0)).containsExactly(0, 1);
  }

  @Test
  void logarithmicMarksAreDecadesAndWhatHasRoomBetween() {
    Scale scale = new LogScale();
    assertThat(labels(scale, -1.1, 3.1, 6)).containsExactly("0.1", "1", "10", "100", "1,000");
    assertThat(labels(scale, -0.1, 1.1, 6)).containsExactly("1", "2", "5", "10");
    assertThat(labels(scale, -0.1, 1.1, 3)).containsExactly("1", "3", "10");
    assertThat(labels(scale, -6.1, 6.1, 4)).containsExactly("0.0001", "1", "10,000");
    assertThat(scale.position(0)).isNaN();
    assertThat(scale.position(-1)).isNaN();
    assertThat(scale.position(100)).isEqualTo(2);
  }

  @Test
  void percentilesHaveOneMarkForEachNine() {
    Scale scale = new PercentileScale();
    assertThat(labels(scale, 0, 3.2, 9)).containsExactly("0%", "50%", "90%", "99%", "99.9%");
    assertThat(scale.position(0.99)).isCloseTo(2, offset(1e-9));
    assertThat(scale.position(1)).isNaN();
  }
}
