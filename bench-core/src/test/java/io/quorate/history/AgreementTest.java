// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class AgreementTest {
  @Test
  void members_with_the_same_values_agree() {
    assertThat(
            Agreement.differences(
                Map.of("m1", Map.of(1L, 41L, 2L, 42L), "m2", Map.of(2L, 42L, 1L, 41L))))
        .isEmpty();
  }

  @Test
  void each_key_that_differs_has_a_line_with_the_members_of_each_value() {
    assertThat(
            Agreement.differences(
                Map.of(
                    "m1", Map.of(17L, 42L, 9L, 5L, 3L, 1L),
                    "m2", Map.of(17L, 41L, 3L, 1L),
                    "m3", Map.of(17L, 42L, 9L, 5L, 3L, 1L))))
        .containsExactly("key 9: v5 on m1, m3; absent on m2", "key 17: v42 on m1, m3; v41 on m2");
  }
}
