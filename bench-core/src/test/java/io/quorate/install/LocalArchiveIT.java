// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.Script;
import io.quorate.store.etcd.EtcdServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Installing from a file that the user names. */
class LocalArchiveIT {
  @TempDir Path directory;
  private Workshop workshop;

  @BeforeEach
  void workshop() {
    workshop = new Workshop(directory);
  }

  @Test
  void an_executable_is_copied_into_the_cache() throws IOException {
    // a browser does not make a download executable
    Path file = Files.writeString(directory.resolve("my etcd"), ArchiveBytes.ETCD);
    assertThat(install(file)).isExecutable().hasContent(ArchiveBytes.ETCD);
    assertThat(workshop.origin()).isEqualTo("file " + file);
  }

  @Test
  void an_archive_is_unpacked_even_if_its_checksum_is_not_pinned() throws IOException {
    Path file = Files.write(directory.resolve("some.archive"), ArchiveBytes.ofEtcd().tarGz());
    assertThat(install(file)).isExecutable().hasContent(ArchiveBytes.ETCD);
    assertThat(workshop.origin()).isEqualTo("archive " + file);
    workshop.onlyTheVersionIsThere();
  }

  @Test
  void an_archive_that_is_called_like_a_pinned_one_must_be_that() throws IOException {
    String name = "etcd-v3.7.3-linux-amd64.tar.gz";
    workshop.write("etcd/SHA256SUMS", "0".repeat(64) + "  " + name + "\n");
    Path file = Files.write(directory.resolve(name), ArchiveBytes.ofEtcd().tarGz());
    fails(file, file + ": its SHA-256 is not " + "0".repeat(64) + ", which is pinned for that");
  }

  @Test
  void a_hostile_archive_is_refused_from_whomever_it_comes() throws IOException {
    byte[] hostile = ArchiveBytes.ofEtcd().with("../x", "evil").zip();
    Path file = Files.write(directory.resolve("x.zip"), hostile);
    fails(file, "x.zip is refused as hostile: '../x' leads out of the archive");
  }

  @Test
  void an_archive_that_ends_too_early_says_so_wherever_it_was_cut() throws IOException {
    for (byte[] whole : List.of(ArchiveBytes.ofEtcd().tarGz(), ArchiveBytes.ofEtcd().zip())) {
      for (int length = 4; length < whole.length - 1; length += Math.max(1, whole.length / 12)) {
        Path file = Files.write(directory.resolve("trunc.tar.gz"), Arrays.copyOf(whole, length));
        assertThatThrownBy(() -> install(file))
            .isInstanceOf(QuorateException.class)
            .hasMessageContaining("the given file: cannot unpack trunc.tar.gz: it ")
            .hasMessageContaining("get it again")
            .hasMessageNotContaining("null");
      }
    }
  }

  @Test
  void what_is_not_the_program_is_refused() throws IOException {
    Path nowhere = directory.resolve("nowhere");
    fails(nowhere, nowhere + ": there is no file of that name");
    fails(directory, directory + ": there is no file of that name");
    Path old = Script.write(directory.resolve("old"), "echo etcd Version: 3.4.0\n");
    fails(old, "the executable says that it is etcd 3.4.0, not 3.7.3");
    Path other = Script.write(directory.resolve("other"), "echo hello\n");
    fails(other, "the executable does not answer --version like etcd for this machine");
    Path text = Files.writeString(directory.resolve("text"), "\u0000\u0001 no program at all");
    fails(text, "the executable does not ");
    Path zip = Files.write(directory.resolve("no.zip"), new ArchiveBytes().with("x", "y").zip());
    fails(zip, zip + ": there is no etcd at the top of the archive");
  }

  @Test
  void it_takes_the_place_of_what_is_there_unless_it_fails() throws IOException {
    workshop.go(Workshop.WORKS);
    workshop.installEtcd();
    Path file = Files.writeString(directory.resolve("etcd"), ArchiveBytes.ETCD + "# mine\n");
    assertThat(install(file)).content().endsWith("# mine\n");
    assertThatThrownBy(() -> install(directory.resolve("nowhere")));
    assertThat(workshop.installed(EtcdServers.ETCD).resolve("etcd")).content().endsWith("# mine\n");
  }

  private Path install(Path file) {
    return workshop.installer().install(EtcdServers.ETCD, file);
  }

  private void fails(Path file, String message) {
    assertThatThrownBy(() -> install(file))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith("cannot install etcd 3.7.3:\n  the given file: ")
        .hasMessageContaining(message);
    workshop.nothingIsThere();
  }
}
