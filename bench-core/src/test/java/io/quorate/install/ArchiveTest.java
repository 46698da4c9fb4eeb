// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveTest {
  @TempDir private Path directory;

  private List<String> extract(byte[] archive) throws IOException {
    Path file = Files.write(directory.resolve("archive"), archive);
    Path into = Files.createTempDirectory(directory, "into");
    return Archive.extract(file, List.of("etcd"), into, 99_999_999);
  }

  @Test
  void an_archive_has_at_most_10_000_entries_however_small_they_are() throws IOException {
    ArchiveBytes entries = new ArchiveBytes().with("etcd", ArchiveBytes.ETCD);
    for (int i = 1; i < 10_000; i++) {
      entries.with("unwanted" + i, "");
    }
    assertThat(extract(entries.tarGz())).containsExactly("etcd");
    assertThat(extract(entries.zip())).containsExactly("etcd");

    entries.with("one", "");
    for (byte[] each : List.of(entries.tarGz(), entries.zip())) {
      assertThatThrownBy(() -> extract(each))
          .isInstanceOf(QuorateException.class)
          .hasMessage("archive is refused as hostile: it has more than 10000 entries");
    }
  }
}
