// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConsoleTextTest {
  private static final String LONG =
      "warning: 2 runs in the baseline and 2 runs in the candidate: larger differences may be"
          + " noise.";

  @Test
  void lines_break_at_blanks() {
    assertThat(ConsoleText.wrapped(LONG))
        .containsExactly(
            "warning: 2 runs in the baseline and 2 runs in the candidate: larger differences may be",
            "  noise.");
  }

  @Test
  void a_command_at_the_end_is_in_one_line() {
    String command =
        "./quorate run gate.yaml --endpoints " + "10.0.0.1:2379,".repeat(6) + " --repeats 6";

    assertThat(ConsoleText.wrapped(LONG + " Repeat them with: " + command))
        .containsExactly(
            "warning: 2 runs in the baseline and 2 runs in the candidate: larger differences may be",
            "  noise. Repeat them with:",
            "  " + command);
    assertThat(ConsoleText.wrapped("Stop it: ./quorate cluster down etcd"))
        .containsExactly("Stop it: ./quorate cluster down etcd");
  }
}
