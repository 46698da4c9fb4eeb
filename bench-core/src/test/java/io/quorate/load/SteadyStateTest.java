// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.load.SteadyState.Cost;
import org.junit.jupiter.api.Test;

class SteadyStateTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MICRO = 1_000;

  private final SteadyState state = new SteadyState();

  @Test
  void a_steady_process_is_warm_after_the_least_time() {
    assertThat(seconds(100, 0)).isEqualTo(5);
  }

  @Test
  void falling_costs_and_compilation_lengthen_it() {
    for (int cpu : new int[] {900, 500, 300, 250, 200}) {
      add(1_000, cpu, 0);
    }
    assertThat(state.isReached()).isFalse();
    add(1_000, 195, SECOND / 10);
    add(1_000, 195, SECOND / 100);
    assertThat(state.isReached()).isFalse();
    add(1_000, 194, SECOND / 100);
    assertThat(state.isReached()).isTrue();
  }

  @Test
  void single_windows_may_differ_when_the_cost_no_longer_falls() {
    for (int cpu : new int[] {200, 260, 190, 250, 210}) {
      add(1_000, cpu, 0);
    }
    assertThat(state.isReached()).isTrue();
  }

  @Test
  void it_ends_though_it_never_becomes_steady() {
    assertThat(seconds(100, SECOND)).isEqualTo(30);
  }

  @Test
  void short_rounds_are_judged_together() {
    for (int round = 0; round < 50; round++) {
      // each round alone would be far from the one before it
      state.add(new Cost(100, SECOND / 10, round % 2 == 0 ? 0 : SECOND / 50, 0));
    }
    assertThat(state.isReached()).isTrue();
  }

  @Test
  void no_request_at_all_does_not_divide_by_zero() {
    add(0, 0, 0);
    add(0, 0, 0);
    assertThat(state.isReached()).isFalse();
  }

  /** Adds seconds of the same cost until the state is reached; returns how many. */
  private int seconds(int cpuMicrosPerRequest, long compileNanos) {
    int seconds = 0;
    while (!state.isReached()) {
      add(1_000, cpuMicrosPerRequest, compileNanos);
      seconds++;
    }
    return seconds;
  }

  private void add(long requests, int cpuMicrosPerRequest, long compileNanos) {
    state.add(new Cost(requests, SECOND, requests * cpuMicrosPerRequest * MICRO, compileNanos));
  }
}
