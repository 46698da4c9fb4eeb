// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose standard output is a full disk or a pipe that nobody reads. */
class UnwritableOutputTest {
  private static final class FullDisk extends OutputStream {
    @Override
    public void write(int any) throws IOException {
      throw new IOException("No space left on device");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"databases", "--version", "--help", "completion"})
  void its_exit_code_is_not_zero(String command) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int exitCode;
    System.setOut(new PrintStream(new FullDisk(), true, UTF_8));
    System.setErr(new PrintStream(errors, true, UTF_8));
    try {
      exitCode = Quorate.run(command);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    assertThat(exitCode).isEqualTo(1);
    assertThat(errors.toString(UTF_8))
        .isEqualTo(
            "quorate: the output cannot be written: is its disk full, or its reader gone?\n");
  }
}
