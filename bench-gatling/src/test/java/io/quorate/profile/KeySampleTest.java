// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Random;
import org.junit.jupiter.api.Test;

class KeySampleTest {
  private final KeySample keys = new KeySample();

  @Test
  void keys_that_fit_are_counted_exactly() {
    for (int i = 0; i < 10_000; i++) {
      keys.add("/node-" + i % 3000);
    }
    assertThat(keys.isSampled()).isFalse();
    assertThat(keys.distinct()).isEqualTo(3000);
  }

  @Test
  void more_keys_are_estimated_in_bounded_memory() {
    for (int i = 0; i < 5 * KeySample.MOST_KEYS; i++) {
      keys.add("/a/node-" + i);
    }
    assertThat(keys.isSampled()).isTrue();
    assertThat((double) keys.distinct()).isCloseTo(5.0 * KeySample.MOST_KEYS, withinPercentage(2));
  }

  @Test
  void writes_to_random_keys_are_not_skewed() {
    Random random = new Random(1);
    for (int i = 0; i < 50_000; i++) {
      keys.add("/" + random.nextInt(1000));
    }
    assertThat(keys.isSkewed()).isFalse();
  }

  @Test
  void a_hot_set_is_found() {
    Random random = new Random(1);
    for (int i = 0; i < 50_000; i++) {
      keys.add("/" + (random.nextInt(10) < 8 ? random.nextInt(200) : 200 + random.nextInt(800)));
    }
    assertThat(keys.isSkewed()).isTrue();
    assertThat(keys.percentOfWrites(20)).isBetween(78, 82);
  }

  @Test
  void a_few_writes_say_nothing_about_skew() {
    keys.add("/a");
    keys.add("/a");
    keys.add("/a");
    keys.add("/b");
    assertThat(keys.isSkewed()).isFalse();
    assertThat(new KeySample().isSkewed()).isFalse();
    assertThat(new KeySample().percentOfWrites(20)).isZero();
  }
}
