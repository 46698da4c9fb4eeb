// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFilesTest {
  @TempDir Path directory;

  @Test
  void filesWhoseLongNamesBeginAlikeKeepTheirContents() {
    String name = "nightly-" + "long-label-".repeat(10);
    OutputFiles files = new OutputFiles(directory);
    files.add(directory.resolve(name + ".json"), "{}");
    files.add(directory.resolve(name + ".csv"), "time,value");
    files.write();

    assertThat(directory.resolve(name + ".json")).hasContent("{}");
    assertThat(directory.resolve(name + ".csv")).hasContent("time,value");
    assertThat(directory.toFile().list()).hasSize(2);
  }
}
