// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MemberValuesTest {
  @Test
  void of_many_keys_some_in_equal_distances_are_read() {
    assertThat(LongStream.range(0, 4).map(i -> MemberValues.key(i, 4, 4)))
        .containsExactly(0L, 1L, 2L, 3L);
    assertThat(LongStream.range(0, 4).map(i -> MemberValues.key(i, 4, 10)))
        .containsExactly(0L, 2L, 5L, 7L);
    assertThat(MemberValues.key(9_999, 10_000, 5_000_000_000L)).isEqualTo(4_999_500_000L);
  }
}
