// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StoppedTimeTest {
  private final Set<Long> stoppedPids = new HashSet<>();
  private final StoppedTime time =
      new StoppedTime(List.of(() -> stoppedPids.contains(7L), () -> stoppedPids.contains(8L)));
  private long now = -1_000_000_000;

  private void lookAfter(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
    time.look(now);
  }

  @Test
  void a_stop_counts_from_the_middle_between_looks_to_the_middle_between_looks() {
    lookAfter(0);
    lookAfter(50);
    stoppedPids.add(7L);
    lookAfter(50);
    assertThat(time.millis()).isEqualTo(25);
    lookAfter(50);
    lookAfter(50);
    stoppedPids.clear();
    lookAfter(50);
    lookAfter(50);
    assertThat(time.millis()).isEqualTo(25 + 50 + 50 + 25);
  }

  @Test
  void a_process_that_was_stopped_before_the_first_look_counts_from_then_on() {
    stoppedPids.add(8L);
    lookAfter(0);
    assertThat(time.millis()).isZero();
    lookAfter(60);
    assertThat(time.millis()).isEqualTo(60);
  }

  @Test
  void two_stopped_processes_count_once() {
    lookAfter(0);
    stoppedPids.addAll(List.of(7L, 8L));
    lookAfter(40);
    stoppedPids.remove(8L);
    lookAfter(40);
    assertThat(time.millis()).isEqualTo(20 + 40);
  }
}
