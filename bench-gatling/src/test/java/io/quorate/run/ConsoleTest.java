// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConsoleTest {
  @Test
  void what_servers_say_reaches_the_terminal_escaped() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream terminal = System.err;
    System.setErr(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      Console.line("etcd  version 3\u001b[2J\u202e\n4");
      Console.lines("refused: \u001b[31m\nnext line");
    } finally {
      System.setErr(terminal);
    }
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("etcd  version 3\\x1b[2J\\u202e\\n4", "refused: \\x1b[31m", "next line");
  }
}
