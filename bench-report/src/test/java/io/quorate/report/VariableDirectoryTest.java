// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * A directory with all that the golden one has not; {@code README.md} next to it says what it is.
 */
class VariableDirectoryTest {
  @TempDir Path temporary;

  @BeforeEach
  void copy() throws IOException {
    Files.copy(resource("config.yaml"), temporary.resolve("config.yaml"));
    Files.createDirectory(temporary.resolve("d"));
    for (Path file : files(resource("input"))) {
      Files.copy(file, temporary.resolve("d").resolve(file.getFileName()));
    }
  }

  private static Path resource(String name) {
    try {
      return Path.of(VariableDirectoryTest.class.getResource("variable/" + name).toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  @Test
  void everyFigureIsThatOfASecondImplementation() throws IOException {
    String config = temporary.resolve("config.yaml").toString();
    assertThat(
            new CommandLine(new ReportCommand())
                .setOut(new PrintWriter(new StringWriter()))
                .execute("--reference", config, "--as-published"))
        .isZero();
    List<Path> expected = files(resource("expected"));
    assertThat(expected).hasSize(33);
    for (Path file : expected) {
      assertThat(temporary.resolve("config-report/d").resolve(file.getFileName()))
          .as(file.getFileName().toString())
          .hasSameBinaryContentAs(file);
    }
  }
}
