// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenRunsTest {
  @TempDir Path directory;
  private Path published;

  @BeforeEach
  void publish() throws IOException {
    published = Files.createDirectory(directory.resolve("quick"));
    byte[] archive =
        new RunArchive("20261121T075146Z", new TreeMap<>(Map.of("plan.json", new byte[] {1})))
            .bytes();
    Files.write(published.resolve(RunArchive.NAME), archive);
  }

  @Test
  void a_published_run_is_unpacked_once_until_the_action_ends() {
    Path files =
        OpenRuns.with(
            runs -> {
              Path unpacked = runs.files(published);
              assertThat(unpacked.resolve("plan.json")).exists();
              assertThat(unpacked.toString()).endsWith("/quick/20261121T075146Z");
              assertThat(runs.files(published.resolve("../quick"))).isEqualTo(unpacked);
              return unpacked;
            });
    assertThat(files).doesNotExist();
  }

  @Test
  void the_directory_of_another_run_is_used_as_it_is() {
    assertThat(OpenRuns.<Path>with(runs -> runs.files(directory))).isEqualTo(directory);
  }

  @Test
  void a_problem_names_the_archive() {
    assertThatThrownBy(
            () ->
                OpenRuns.with(
                    runs -> {
                      throw new QuorateException(runs.files(published) + "/plan.json: is wrong");
                    }))
        .hasMessage(published.resolve("run.tar.xz/plan.json") + ": is wrong");
  }
}
