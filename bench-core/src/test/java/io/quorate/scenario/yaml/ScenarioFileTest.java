// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.scenario.ScenarioTexts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads scenarios from files, and refuses files that cannot be read. */
class ScenarioFileTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {".yaml", "..yaml", "...yaml", "a b.yaml", "-Dx.yaml", "a\u001B[2J.yaml"})
  void a_file_name_that_cannot_name_the_results_is_refused(String fileName) {
    assertThatThrownBy(() -> ScenarioReader.read(fileName, ScenarioTexts.SHORTEST, 1))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessageContaining(
            ":1:1: found the file name '" + fileName.replace("\u001B", "\\x1b") + "', expected")
        .hasMessageNotContaining("\u001B");
  }

  @Test
  void a_file_is_read() throws IOException {
    Path file = Files.writeString(directory.resolve("writes.yaml"), ScenarioTexts.SHORTEST);

    assertThat(ScenarioTexts.read(file, 1))
        .isEqualTo(ScenarioReader.read("writes.yaml", ScenarioTexts.SHORTEST, 1));
  }

  @Test
  void a_file_that_is_not_there_is_refused_with_those_that_are() throws IOException {
    Files.writeString(directory.resolve("b.yaml"), ScenarioTexts.SHORTEST);
    Files.writeString(directory.resolve("a.yaml"), ScenarioTexts.SHORTEST);

    assertThatThrownBy(() -> ScenarioTexts.read(directory.resolve("c.yaml"), 1))
        .isExactlyInstanceOf(QuorateException.class)
        .hasMessage("There is no file %1$s/c.yaml; the nearest names in %1$s are a, b.", directory);
  }

  @Test
  void a_directory_is_no_file() {
    assertThatThrownBy(() -> ScenarioTexts.read(directory, 1))
        .isExactlyInstanceOf(QuorateException.class)
        .hasMessageContaining("cannot be read");
  }

  @Test
  void a_file_that_is_not_utf_8_is_refused_where_it_is_not() throws IOException {
    byte[] bytes = "title: x\ntitle: Gr\u00F6\u00DFe\n".getBytes(StandardCharsets.ISO_8859_1);
    Path file = Files.write(directory.resolve("latin.yaml"), bytes);

    assertThatThrownBy(() -> ScenarioTexts.read(file, 1))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessage(file + ":2:10: found the byte 0xF6, which is not UTF-8, expected UTF-8 text");
  }

  @Test
  void a_file_that_ends_within_a_character_is_refused() throws IOException {
    byte[] bytes = "title: \u20AC".getBytes(StandardCharsets.UTF_8);
    Path file = Files.write(directory.resolve("cut.yaml"), Arrays.copyOf(bytes, bytes.length - 1));

    assertThatThrownBy(() -> ScenarioTexts.read(file, 1))
        .hasMessage(file + ":1:8: found the byte 0xE2, which is not UTF-8, expected UTF-8 text");
  }

  @Test
  void a_huge_file_is_refused_unread() throws IOException {
    Path file = Files.write(directory.resolve("huge.yaml"), new byte[10_000_000]);

    assertThatThrownBy(() -> ScenarioTexts.read(file, 1))
        .hasMessage(file + ":1:1: found more than 65_536 bytes, expected a smaller file");
  }
}
