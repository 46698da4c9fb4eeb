// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.scenario.LoadModel;
import io.quorate.scenario.LoadModel.Arrivals;
import io.quorate.scenario.Ramp;
import io.quorate.scenario.Shard;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RampTimesTest {
  private static final Duration TEN = Duration.ofSeconds(10);

  @Test
  void an_even_ramp_adds_up_to_the_area_below_its_line() {
    Ramp ramp = new Ramp(100, 1_000, 0, 0, 10, TEN);

    assertThat(ramp.requests()).isEqualTo(5_500);
    assertThat(inEachSecond(ramp, Arrivals.CONSTANT))
        .containsExactly(145, 235, 325, 415, 505, 595, 685, 775, 865, 955);
    assertThat(ramp).hasToString("100/s to 1,000/s");
  }

  @Test
  void a_falling_ramp_ends_in_time() {
    Ramp ramp = new Ramp(1_000, 100, 0, 0, 10, TEN);

    assertThat(ramp.requests()).isEqualTo(5_500);
    assertThat(inEachSecond(ramp, Arrivals.CONSTANT))
        .containsExactly(955, 865, 775, 685, 595, 505, 415, 325, 235, 145);
  }

  @Test
  void stairs_have_a_constant_rate_each() {
    Ramp ramp = new Ramp(100, 500, 5, 0, 10, TEN);

    assertThat(ramp.requests()).isEqualTo(3_000);
    assertThat(inEachSecond(ramp, Arrivals.CONSTANT))
        .containsExactly(100, 100, 200, 200, 300, 300, 400, 400, 500, 500);
    assertThat(ramp).hasToString("100/s to 500/s in 5 stairs");
  }

  @Test
  void spikes_come_at_equal_distances() {
    Ramp ramp = new Ramp(100, 1_000, 0, 2, 20, TEN);

    assertThat(inEachSecond(ramp, Arrivals.CONSTANT))
        .containsExactly(100, 100, 100, 100, 1_000, 100, 100, 100, 100, 1_000);
    assertThat(ramp).hasToString("100/s with 2 spikes of 1,000/s (20% of the time)");
  }

  @Test
  void random_arrivals_follow_the_same_line() {
    int[] counts = inEachSecond(new Ramp(1_000, 10_000, 0, 0, 10, TEN), Arrivals.POISSON);

    for (int second = 0; second < 9; second++) {
      double expected = 1_450 + 900 * second;
      assertThat((double) counts[second]).isCloseTo(expected, within(5 * Math.sqrt(expected)));
    }
  }

  @Test
  void shards_send_the_requests_of_the_whole() {
    Ramp ramp = new Ramp(100, 1_000, 0, 0, 10, TEN);
    LoadModel.Open model = new LoadModel.Open(550, Arrivals.CONSTANT, 1, Optional.of(ramp));
    DueTimes whole = new DueTimes(model, 1, Shard.WHOLE);
    DueTimes[] parts = {
      new DueTimes(model, 1, new Shard(1, 2)), new DueTimes(model, 1, new Shard(2, 2))
    };

    for (int i = 0; i < 5_500; i++) {
      assertThat(parts[i % 2].next()).isEqualTo(whole.next());
    }
  }

  private static int[] inEachSecond(Ramp ramp, Arrivals arrivals) {
    LoadModel.Open model = new LoadModel.Open(1, arrivals, 1, Optional.of(ramp));
    DueTimes times = new DueTimes(model, 1, Shard.WHOLE);
    int[] counts = new int[10];
    long last = 0;
    for (long i = 0; i < ramp.requests(); i++) {
      long due = times.next();
      assertThat(due).isGreaterThanOrEqualTo(last);
      last = due;
      // a request that is due at the border of two seconds begins the second one
      int second = (int) ((due + 1) / 1_000_000_000);
      if (second < counts.length) {
        counts[second]++;
      }
    }
    return counts;
  }
}
