// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LoadGeneratorStallTest {
  @Test
  void stalls_that_overlap_are_one() {
    assertThat(
            LoadGeneratorStall.merged(
                List.of(new LoadGeneratorStall(100, 200, 3), new LoadGeneratorStall(500, 600, 0)),
                List.of(
                    new LoadGeneratorStall(150, 180, 1),
                    new LoadGeneratorStall(190, 250, 0),
                    new LoadGeneratorStall(300, 310, 0))))
        .containsExactly(
            new LoadGeneratorStall(100, 250, 4),
            new LoadGeneratorStall(300, 310, 0),
            new LoadGeneratorStall(500, 600, 0));
    assertThat(LoadGeneratorStall.merged(List.of(), List.of())).isEmpty();
  }
}
