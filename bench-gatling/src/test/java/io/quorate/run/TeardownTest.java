// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.QuorateException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TeardownTest {
  private final List<String> said = new ArrayList<>();
  private final List<String> closed = new ArrayList<>();
  private final Teardown teardown = new Teardown(said::add);

  @Test
  void each_part_is_closed_in_reverse_order_even_if_others_fail() {
    teardown.add("servers", closed::add);
    teardown.add("keys", closed::add);
    teardown.add(
        "files",
        part -> {
          throw new QuorateException("no space left");
        });
    teardown.add(
        "history",
        part -> {
          throw new IllegalStateException();
        });
    teardown.close();
    assertThat(closed).containsExactly("keys", "servers");
    assertThat(said).containsExactly("while ending: null", "while ending: no space left");
  }

  @Test
  void a_part_that_is_opened_later_is_closed_at_once() {
    teardown.close();
    teardown.add("late", closed::add);
    assertThat(closed).containsExactly("late");
  }
}
