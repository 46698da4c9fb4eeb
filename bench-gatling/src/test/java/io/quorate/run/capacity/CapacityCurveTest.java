// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.capacity.Trial;
import io.quorate.capacity.Trial.Stage;
import org.junit.jupiter.api.Test;

class CapacityCurveTest {
  @Test
  void triesPartsOfTheCapacityAndALittleMoreButNotTheCapacityAgain() {
    assertThat(CapacityCurve.Plan.FULL.loads(1_000))
        .containsExactly(100L, 200L, 300L, 400L, 500L, 600L, 700L, 800L, 900L, 1_050L, 1_100L);
    assertThat(CapacityCurve.Plan.FULL.trial(15, 100))
        .isEqualTo(new Trial(15, 100, Stage.CURVE, 2, 7, 42));
  }

  @Test
  void triesEachLoadOnce() {
    assertThat(CapacityCurve.Plan.QUICK.loads(3)).containsExactly(1L, 2L);
  }
}
