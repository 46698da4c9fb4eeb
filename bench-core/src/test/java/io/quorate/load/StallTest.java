package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StallTest {
  @Test
  void stalls_that_overlap_are_one() {
    assertThat(
            Stall.merged(
                List.of(new Stall(100, 200, 3), new Stall(500, 600, 0)),
                List.of(new Stall(150, 180, 1), new Stall(190, 250, 0), new Stall(300, 310, 0))))
        .containsExactly(new Stall(100, 250, 4), new Stall(300, 310, 0), new Stall(500, 600, 0));
    assertThat(Stall.merged(List.of(), List.of())).isEmpty();
  }
}
