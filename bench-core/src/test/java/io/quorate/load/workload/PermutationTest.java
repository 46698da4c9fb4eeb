// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PermutationTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 15, 16, 17, 1000, 4095, 65_536, 100_003})
  void every_number_below_the_size_comes_exactly_once(int size) {
    for (long seed : new long[] {0, 1, -7, Long.MAX_VALUE}) {
      Permutation permutation = new Permutation(size, seed);
      BitSet seen = new BitSet(size);
      for (int position = 0; position < size; position++) {
        long number = permutation.of(position);
        seen.set(Math.toIntExact(number));
        assertThat(permutation.positionOf(number)).isEqualTo(position);
      }
      assertThat(seen.cardinality()).isEqualTo(size);
      assertThat(seen.length()).isEqualTo(size);
    }
  }

  @Test
  void the_same_seed_gives_the_same_order_and_another_seed_another() {
    assertThat(first(10, new Permutation(1_000_000, 42)))
        .isEqualTo(first(10, new Permutation(1_000_000, 42)))
        .isNotEqualTo(first(10, new Permutation(1_000_000, 43)));
  }

  @Test
  void neighbours_are_scattered() {
    long[] numbers = first(1000, new Permutation(1_000_000_000L, 1));
    long mean = (long) LongStream.of(numbers).average().orElseThrow();
    assertThat(mean).isBetween(450_000_000L, 550_000_000L);
  }

  @Test
  void an_empty_range_is_refused() {
    assertThatThrownBy(() -> new Permutation(0, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  private static long[] first(int count, Permutation permutation) {
    return LongStream.range(0, count).map(permutation::of).toArray();
  }
}
