// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskUsageTest {
  @TempDir Path directory;

  @Test
  void sizes_are_those_of_all_regular_files() throws IOException {
    Files.writeString(directory.resolve(".hidden"), "12345");
    Path deep = Files.createDirectories(directory.resolve("a/.b/c"));
    Files.writeString(deep.resolve("file"), "1234567");
    Files.createSymbolicLink(directory.resolve("link"), deep.resolve("file"));
    assertThat(HostRecording.bytesBelow(directory)).isEqualTo(12);
    Path data = Files.createSymbolicLink(directory.resolve("data"), directory.resolve("a"));
    assertThat(HostRecording.bytesBelow(data)).isEqualTo(7);
  }
}
