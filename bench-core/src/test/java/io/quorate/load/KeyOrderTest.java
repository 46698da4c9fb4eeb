// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.load.workload.KeySequence;
import io.quorate.load.workload.KeySequence.Zipf;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.KeySpace.Order;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests orders that draw a key for each request. */
class KeyOrderTest {
  private static final int KEYS = 1_000;
  private static final int REQUESTS = 200_000;

  private static KeySequence sequence(Order order, long seed) {
    return KeySequence.measured(
        new KeySpace(8, order, KEYS, true, new KeySpace.HotSet(10, 90)), seed);
  }

  private static long[] timesOf(KeySequence sequence) {
    long[] times = new long[KEYS];
    LongStream.range(0, REQUESTS).forEach(i -> times[(int) sequence.readBy(i, i)]++);
    return times;
  }

  private static LongUnaryOperator readsOf(KeySequence sequence) {
    return index -> sequence.readBy(index, index);
  }

  @ParameterizedTest
  @EnumSource
  void the_same_seed_draws_the_same_keys_and_another_one_others_unless_they_are_sequential(
      Order order) {
    long[] keys = LongStream.range(0, 100).map(readsOf(sequence(order, 7))).toArray();
    assertThat(LongStream.range(0, 100).map(readsOf(sequence(order, 7))).toArray()).isEqualTo(keys);
    if (order != Order.SEQUENTIAL) {
      assertThat(LongStream.range(0, 100).map(readsOf(sequence(order, 8))).toArray())
          .isNotEqualTo(keys);
    }
  }

  @Test
  void uniform_draws_each_key_about_equally_often() {
    assertThat(LongStream.of(timesOf(sequence(Order.UNIFORM, 1))))
        .allMatch(times -> times > 120 && times < 290);
  }

  @Test
  void zipfian_draws_a_tenth_of_the_keys_for_two_thirds_of_the_requests_and_scatters_them() {
    long[] times = timesOf(sequence(Order.ZIPFIAN, 1));
    long[] sorted = Arrays.stream(times).sorted().toArray();
    assertThat(Arrays.stream(sorted, KEYS - KEYS / 10, KEYS).sum() / (double) REQUESTS)
        .isCloseTo(Zipf.zeta(KEYS / 10) / Zipf.zeta(KEYS), within(0.02));
    assertThat(Arrays.stream(times, 0, KEYS / 2).sum() / (double) REQUESTS).isBetween(0.2, 0.8);
  }

  @Test
  void a_hot_set_of_a_tenth_of_the_keys_gets_nine_tenths_of_the_requests() {
    long[] sorted = Arrays.stream(timesOf(sequence(Order.HOTSPOT, 1))).sorted().toArray();
    assertThat(Arrays.stream(sorted, KEYS - KEYS / 10, KEYS).sum() / (double) REQUESTS)
        .isCloseTo(0.9, within(0.01));
  }

  @Test
  void latest_reads_most_often_the_key_that_the_request_before_wrote() {
    KeySequence sequence = sequence(Order.LATEST, 1);
    long[] distance = new long[KEYS];
    for (long i = KEYS; i < REQUESTS; i++) {
      assertThat(sequence.numberOf(i)).isEqualTo(i % KEYS);
      distance[(int) Math.floorMod(i - 1 - sequence.readBy(i, i), (long) KEYS)]++;
    }
    assertThat(distance[0] / (double) (REQUESTS - KEYS))
        .isCloseTo(1 / Zipf.zeta(KEYS), within(0.01));
    assertThat(distance[0]).isGreaterThan(distance[1]);
    assertThat(distance[1]).isGreaterThan(distance[2]);
  }
}
