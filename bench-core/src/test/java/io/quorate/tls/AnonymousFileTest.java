// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests files of which nothing is left, even if this process is killed. */
class AnonymousFileTest {
  @Test
  @EnabledOnOs(OS.LINUX)
  void it_can_be_read_at_its_path_as_often_as_wanted_and_is_in_no_directory() throws IOException {
    Path path;
    try (AnonymousFile file = AnonymousFile.write("hunter2\n")) {
      path = file.path();
      assertThat(Files.readString(path)).isEqualTo("hunter2\n");
      assertThat(Files.readAllLines(path.toFile().toPath())).containsExactly("hunter2");
      assertThat(Files.readSymbolicLink(path).toString()).endsWith(".pem (deleted)");
      assertThat(Files.getPosixFilePermissions(path)).hasSize(2);
      assertThat(file.toString()).doesNotContain("hunter2");
    }
    assertThat(path)
        .satisfiesAnyOf(
            gone -> assertThat(gone).doesNotExist(),
            another ->
                assertThat(Files.readSymbolicLink(another).toString())
                    .doesNotEndWith(".pem (deleted)"));
  }
}
