package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AlertnessTest {
  @Test
  void threads_are_awake_for_a_twentieth_of_a_processor_at_most() {
    assertThat(new Alertness(10).leadNanos()).isEqualTo(500_000);
    assertThat(new Alertness(100).leadNanos()).isEqualTo(500_000);
    assertThat(new Alertness(1_000).leadNanos()).isEqualTo(50_000);
    assertThat(new Alertness(1_000).awakeNanos()).isEqualTo(50_000);
    assertThat(new Alertness(10_000).awakeNanos()).isEqualTo(5_000);
  }

  @Test
  void threads_that_would_take_much_of_the_processors_wait_as_others_do() {
    assertThat(new Alertness(1_000).loopsAreEarly()).isTrue();
    assertThat(new Alertness(1_001).loopsAreEarly()).isFalse();
    assertThat(new Alertness(20_000).pacerIsRealTime()).isTrue();
    assertThat(new Alertness(20_001).pacerIsRealTime()).isFalse();
  }
}
