// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class RunArchiveTest {
  @TempDir Path directory;

  @Test
  void files_come_back_and_the_same_files_give_the_same_bytes() throws IOException {
    RunArchive archive = archive("etcd/seconds.csv", "a", "plan.json", "{}");

    Path file = Files.write(directory.resolve(RunArchive.NAME), archive.bytes());

    RunArchive read = RunArchive.read(file);
    assertThat(read.directory()).isEqualTo("20261121T075146Z");
    assertThat(RunArchive.directory(file)).isEqualTo("20261121T075146Z");
    assertThat(read.files().keySet()).containsExactly("etcd/seconds.csv", "plan.json");
    assertThat(read.files().get("etcd/seconds.csv")).asString().isEqualTo("a");
    assertThat(archive("plan.json", "{}", "etcd/seconds.csv", "a").bytes())
        .isEqualTo(archive.bytes());
  }

  private static RunArchive archive(String... namesAndTexts) {
    TreeMap<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      files.put(namesAndTexts[i], namesAndTexts[i + 1].getBytes());
    }
    return new RunArchive("20261121T075146Z", files);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/etc/passwd", "../x", "run/../../x", "run/.hidden", "x", "run/a b", "other/x"})
  void an_archive_with_names_outside_of_its_directory_is_refused(String name) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new XZOutputStream(bytes, new LZMA2Options(1)))) {
      for (TarArchiveEntry entry :
          new TarArchiveEntry[] {
            new TarArchiveEntry("run/a.csv"), new TarArchiveEntry(name, true)
          }) {
        tar.putArchiveEntry(entry);
        tar.closeArchiveEntry();
      }
    }
    assertRefused(bytes.toByteArray());
  }

  @Test
  void links_are_refused() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new XZOutputStream(bytes, new LZMA2Options(1)))) {
      TarArchiveEntry link = new TarArchiveEntry("run/a.csv", TarConstants.LF_SYMLINK);
      link.setLinkName("/etc/passwd");
      tar.putArchiveEntry(link);
      tar.closeArchiveEntry();
    }
    assertRefused(bytes.toByteArray());
  }

  @Test
  void a_cut_archive_is_refused() throws IOException {
    byte[] bytes = archive("etcd/seconds.csv", "a").bytes();
    assertRefused(Arrays.copyOf(bytes, bytes.length / 2));
    assertRefused(new byte[] {1, 2, 3});
  }

  @Test
  void an_archive_is_refused_by_the_sizes_that_its_entries_claim() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (XZOutputStream tar = new XZOutputStream(bytes, new LZMA2Options(1))) {
      TarArchiveEntry large = new TarArchiveEntry("run/a.csv");
      large.setSize(600L << 20);
      byte[] header = new byte[512];
      large.writeEntryHeader(header);
      tar.write(header); // and nothing of the content
    }
    Path file = Files.write(directory.resolve(RunArchive.NAME), bytes.toByteArray());
    assertThatThrownBy(() -> RunArchive.read(file))
        .isInstanceOf(QuorateException.class)
        .hasMessage(file + ": found run/a.csv, expected at most 512 MiB in 100,000 files");
  }

  @Test
  void a_name_without_end_is_not_read() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new XZOutputStream(bytes, new LZMA2Options(1)))) {
      TarArchiveEntry name = new TarArchiveEntry("name", TarConstants.LF_GNUTYPE_LONGNAME);
      name.setSize(1 << 20);
      tar.putArchiveEntry(name);
      tar.write(new byte[1 << 20]);
      tar.closeArchiveEntry();
    }
    Path file = Files.write(directory.resolve(RunArchive.NAME), bytes.toByteArray());
    assertThatThrownBy(() -> RunArchive.directory(file))
        .hasMessage(file + ": cannot be read: its headers are too long");
  }

  @Test
  void files_that_no_archive_can_have_are_refused() {
    TreeMap<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i <= 100_000; i++) {
      files.put("etcd/" + i, new byte[0]);
    }
    RunArchive archive = new RunArchive("run", files);
    assertThatThrownBy(archive::bytes)
        .hasMessage(
            "run: found 0 bytes in 100,001 files, expected at most 512 MiB in 100,000 files");
  }

  private void assertRefused(byte[] bytes) throws IOException {
    Path file = Files.write(directory.resolve(RunArchive.NAME), bytes);
    assertThatThrownBy(() -> RunArchive.read(file))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith(file.toString());
  }
}
