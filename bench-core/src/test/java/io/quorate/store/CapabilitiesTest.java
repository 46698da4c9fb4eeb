// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CapabilitiesTest {
  private static final Capabilities CAN =
      new Capabilities(
          Set.of(Operation.PUT, Operation.GET, Operation.COMPARE_AND_SET),
          Capabilities.RangeReads.NONE,
          0,
          Map.of(Operation.DELETE, "nothing is deleted"));

  @Test
  void every_operation_that_is_not_supported_has_a_reason() {
    assertThat(CAN.reasons())
        .containsEntry(Operation.DELETE, "nothing is deleted")
        .containsEntry(Operation.TXN, "it has no such request")
        .containsEntry(Operation.LOCK, "its clients have no sessions")
        .doesNotContainKeys(Operation.PUT, Operation.GET, Operation.COMPARE_AND_SET, Operation.STM);
  }

  @Test
  void a_request_that_is_not_supported_is_refused_with_its_reason() {
    assertThatThrownBy(() -> CAN.require(new Request.Compact(1)))
        .hasMessage("cannot do this compact: it has no such request");
  }
}
