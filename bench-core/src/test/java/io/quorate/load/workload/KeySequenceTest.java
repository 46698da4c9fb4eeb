// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.KeySpace;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeySequenceTest {
  private static String text(byte[] key) {
    return new String(key, US_ASCII);
  }

  private static KeySpace keys(int size, KeySpace.Order order, long count) {
    return new KeySpace(size, order, count, false, KeySpace.USUAL_HOT_SET);
  }

  @Test
  void a_key_is_the_number_of_its_request_padded_with_zeros() {
    KeySequence sequence = KeySequence.measured(keys(8, KeySpace.Order.SEQUENTIAL, 100_000_000), 1);
    assertThat(text(sequence.ofRequest(0))).isEqualTo("00000000");
    assertThat(text(sequence.ofRequest(7))).isEqualTo("00000007");
    assertThat(text(sequence.ofRequest(1234))).isEqualTo("00001234");
    assertThat(text(sequence.ofRequest(99_999_999))).isEqualTo("99999999");
  }

  @Test
  void after_the_last_key_comes_the_first_again() {
    KeySequence sequence = KeySequence.measured(keys(2, KeySpace.Order.SEQUENTIAL, 3), 1);
    assertThat(text(sequence.ofRequest(3))).isEqualTo("00");
    assertThat(text(sequence.ofRequest(5))).isEqualTo("02");
  }

  @Test
  void random_order_uses_the_same_keys_each_once() {
    KeySequence sequence = KeySequence.measured(keys(4, KeySpace.Order.RANDOM, 1000), 9);
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      seen.add(text(sequence.ofRequest(i)));
    }
    assertThat(seen).hasSize(1000).contains("0000", "0999");
    assertThat(text(sequence.ofRequest(0))).isEqualTo(text(sequence.ofRequest(1000)));
  }

  @Test
  void no_warm_up_key_is_a_measured_key() {
    KeySpace space = keys(3, KeySpace.Order.SEQUENTIAL, 100);
    assertThat(text(KeySequence.warmUp(space, 1).ofRequest(42))).isEqualTo("w42");
    assertThat(text(KeySequence.measured(space, 1).ofRequest(42))).isEqualTo("042");
  }

  @Test
  void keys_of_a_run_in_an_existing_cluster_begin_with_its_prefix() {
    KeySpace keys =
        new KeySpace(
            16, KeySpace.Order.SEQUENTIAL, 100, false, KeySpace.USUAL_HOT_SET, 3, "quorate/it/");
    KeySequence measured = KeySequence.measured(keys, 1);
    assertThat(new String(measured.ofRequest(7), US_ASCII)).isEqualTo("quorate/it/00010");
    assertThat(measured.requestOf(measured.ofRequest(7))).isEqualTo(7);
    assertThat(new String(KeySequence.warmUp(keys, 1).at(7), US_ASCII))
        .isEqualTo("quorate/it/w0010");
    assertThat(new String(KeySequence.preloaded(keys, 1).at(7), US_ASCII))
        .isEqualTo("quorate/it/p0010");
  }
}
