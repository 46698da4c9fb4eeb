// SPDX-License-Identifier: Apache-2.0
package io.quorate.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that takes the notes of a release from the changelog. */
class ReleaseNotesIT {
  private static final Path SCRIPT =
      Path.of(System.getProperty("quorate.home"), "src/release/notes.sh");

  @TempDir Path directory;
  private Path changelog;

  @BeforeEach
  void aChangelog() throws IOException {
    changelog =
        Files.writeString(
            directory.resolve("CHANGELOG.md"),
            """
            # Changelog

            ## [Unreleased]

            ## [0.2.0] - 2026-12-02

            ### Added

            - Two.

            ## [0.1.0] - 2026-12-01

            - One.
            """);
  }

  @Test
  void notes_are_the_section_of_the_version_without_its_heading() throws Exception {
    assertThat(notes("0.2.0")).isEqualTo("0 ### Added\n\n- Two.\n");
    assertThat(notes("0.1.0")).isEqualTo("0 - One.\n");
  }

  @Test
  void a_version_without_notes_cannot_be_released() throws Exception {
    String hint = " has no notes for %1$s: rename its heading [Unreleased] to [%1$s] - DATE\n";
    assertThat(notes("0.2")).isEqualTo("1 " + changelog + hint.formatted("0.2"));
    assertThat(notes("Unreleased")).startsWith("1 ");
  }

  /** Returns the exit code and the output. */
  private String notes(String version) throws Exception {
    Path output = directory.resolve("output.txt");
    Process process =
        new ProcessBuilder(List.of(SCRIPT.toString(), version, changelog.toString()))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return process.waitFor() + " " + Files.readString(output);
  }
}
