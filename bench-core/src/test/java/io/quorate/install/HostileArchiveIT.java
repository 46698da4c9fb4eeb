// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.etcd.EtcdServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives that would write elsewhere or too much, and those that are damaged. */
class HostileArchiveIT extends ArchiveInstalls {
  @ParameterizedTest
  @ValueSource(strings = {"../etcd", "a/../../etcd", "..", "a/.."})
  void an_entry_that_leads_out_makes_the_archive_hostile(String entry) {
    ArchiveBytes hostile = ArchiveBytes.ofEtcd().with(entry, "evil");
    String message = " is refused as hostile: '" + entry + "' leads out of the archive";
    refuses(hostile.tarGz(), message);
    refusesZip(hostile.zip(), message);
    assertThat(workshop.cache.resolve("evil")).doesNotExist();
  }

  @Test
  void an_absolute_path_makes_the_archive_hostile() {
    ArchiveBytes hostile = ArchiveBytes.ofEtcd().with("/tmp/quorate-evil/etcd", "evil");
    String message = "is refused as hostile: '/tmp/quorate-evil/etcd' is not a relative path";
    refuses(hostile.tarGz(), message);
    refusesZip(hostile.zip(), message);
    assertThat(Path.of("/tmp/quorate-evil")).doesNotExist();
  }

  @Test
  void a_path_of_another_system_makes_the_archive_hostile() {
    refuses(ArchiveBytes.ofEtcd().with("C:etcd", "evil").tarGz(), "'C:etcd' is not a relative");
    refuses(ArchiveBytes.ofEtcd().with("..\\etcd", "evil").tarGz(), "is not a relative path");
  }

  @Test
  void a_link_or_a_device_makes_the_archive_hostile() {
    String message = "is refused as hostile: 'link' is a link or a device";
    for (ArchiveBytes.Kind kind : ArchiveBytes.Kind.values()) {
      if (kind != ArchiveBytes.Kind.FILE) {
        refuses(ArchiveBytes.ofEtcd().with("link", kind).tarGz(), message);
      }
    }
    refusesZip(ArchiveBytes.ofEtcd().with("link", ArchiveBytes.Kind.SYMBOLIC_LINK).zip(), message);
  }

  @Test
  void names_in_messages_cannot_command_a_terminal() {
    refuses(ArchiveBytes.ofEtcd().with("/\u001b[2J", "evil").tarGz(), "'/\\x1b[2J' is not");
  }

  @Test
  void two_files_of_the_wanted_name_make_the_archive_hostile() {
    refuses(ArchiveBytes.ofEtcd().with("etcd", "evil").tarGz(), "it has two files etcd");
  }

  @Test
  void an_archive_without_the_program_is_said() {
    refuses(new ArchiveBytes().with("x/etcd", ArchiveBytes.ETCD).tarGz(), "has no etcdctl");
    refuses(new byte[] {1, 2, 3}, "cannot unpack archive: ");
  }

  @Test
  void what_unpacks_to_too_much_is_given_up() {
    workshop.limits = Workshop.limits(99_999, 9_999);
    byte[] zeros = new byte[100_000];
    String message = "cannot unpack archive: what is in it is more than 9999 bytes";
    refuses(new ArchiveBytes().with("etcd", zeros).tarGz(), message);
    refuses(ArchiveBytes.ofEtcd().with("unwanted", zeros).tarGz(), message);
    refusesZip(new ArchiveBytes().with("etcd", zeros).zip(), message);
  }

  @Test
  void an_archive_that_is_too_large_is_given_up() {
    workshop.limits = Workshop.limits(100, 9_999);
    refuses(ETCD, address + ": the file is more than 100 bytes");
  }

  @Test
  void a_full_disk_is_said_and_left_as_it_was() throws Exception {
    Path small = Files.createDirectories(directory.resolve("small"));
    boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", small.toString());
    if (!mounted) {
      System.out.println("SKIPPED HostileArchiveIT, a full disk: cannot mount a tmpfs here");
    }
    Assumptions.assumeTrue(mounted, "cannot mount a tmpfs here");
    try {
      workshop.cache = small;
      byte[] noise = new byte[1_000_000];
      new Random(1).nextBytes(noise);
      refuses(ArchiveBytes.ofEtcd().with("noise", noise).tarGz(), "No space left on device");
      // small to fetch, large to unpack
      refuses(new ArchiveBytes().with("etcd", new byte[1_000_000]).tarGz(), "No space left on");
      assertThat(workshop.installed(EtcdServers.ETCD)).doesNotExist();
    } finally {
      run("umount", small.toString());
    }
  }

  private static boolean run(String... command) throws Exception {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }
}
