// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryDirectoryTest {
  @TempDir private Path parent;

  @Test
  void it_is_empty_and_removed_with_its_content() throws IOException {
    try (TemporaryDirectory made = TemporaryDirectory.in(parent)) {
      assertThat(made.path()).isEmptyDirectory();
      Files.createFile(made.path().resolve("file"));
    }
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void those_of_a_killed_process_are_removed_and_no_others() throws Exception {
    Path others = Files.createDirectory(parent.resolve("quorate-of-mine"));
    try (TemporaryDirectory used = TemporaryDirectory.in(parent)) {
      Process holder =
          new ProcessBuilder(
                  System.getProperty("java.home") + "/bin/java",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Holder.class.getName(),
                  parent.toString())
              .start();
      Path held = Path.of(holder.inputReader().readLine());
      TemporaryDirectory.in(parent).close();
      assertThat(held.resolve("files/file")).hasContent("content");

      holder.destroyForcibly().waitFor();
      assertThat(held).exists();
      TemporaryDirectory.in(parent).close();

      assertThat(list(parent)).containsExactlyInAnyOrder(others, used.top());
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    try (var content = Files.list(directory)) {
      return content.toList();
    }
  }

  /** Uses a temporary directory until it is killed. */
  static final class Holder {
    public static void main(String... parent) throws Exception {
      TemporaryDirectory made = TemporaryDirectory.in(Path.of(parent[0]));
      Files.writeString(made.path().resolve("file"), "content");
      System.out.println(made.top());
      Thread.sleep(Long.MAX_VALUE);
    }
  }
}
