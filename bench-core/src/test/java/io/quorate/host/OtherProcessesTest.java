// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherProcessesTest {
  @TempDir Path directory;

  private void process(int pid, String name, int userTicks, int systemTicks) throws IOException {
    Files.writeString(
        Files.createDirectories(directory.resolve("" + pid)).resolve("stat"),
        "%d (%s) S 1 1 1 0 -1 4194304 56405 486 0 0 %d %d 0 0 20 0 22 0 112944\n"
            .formatted(pid, name, userTicks, systemTicks));
  }

  @Test
  void the_program_whose_processes_used_most_is_named() throws IOException {
    Files.createDirectories(directory.resolve("sys"));
    Files.writeString(directory.resolve("uptime"), "1");
    OtherProcesses others = new OtherProcesses(directory, Set.of(3L));
    process(1, "init", 500, 500);
    process(2, "stress-ng", 100, 0);
    process(3, "etcd", 100, 0);
    process(4, "stress-ng", 100, 0);
    process(5, "backup", 100, 100);
    assertThat(others.busiest().text()).isEmpty();
    process(2, "stress-ng", 190, 3);
    process(3, "etcd", 900, 900);
    process(4, "stress-ng", 180, 0);
    process(5, "backup", 150, 190);
    assertThat(others.busiest().text()).isEqualTo("stress-ng 1730");
    process(5, "backup", 151, 190);
    assertThat(others.busiest().text()).isEqualTo("backup 10");
    assertThat(others.busiest().text()).isEmpty();
  }

  @Test
  void a_process_that_has_begun_since_counts_in_full() throws IOException {
    OtherProcesses others = new OtherProcesses(directory, Set.of());
    process(1, "init", 500, 500);
    assertThat(others.busiest().text()).isEmpty();
    process(1, "make\u001b", 20, 10);
    process(2, "gcc", 7, 7);
    assertThat(others.busiest().text()).isEqualTo("make\\x1b 300");
  }

  @Test
  void the_time_since_the_look_before_is_known() throws IOException {
    Iterator<Long> times = List.of(0L, 2_000_000L, 1_350_000_000L, 1_352_000_000L).iterator();
    OtherProcesses others = new OtherProcesses(directory, Set.of(), times::next);
    process(1, "make", 500, 0);
    assertThat(others.busiest()).isEqualTo(new OtherProcesses.Busiest("", -1));
    process(1, "make", 635, 0);
    assertThat(others.busiest()).isEqualTo(new OtherProcesses.Busiest("make 1350", 1_350));
  }

  @Test
  void other_systems_have_no_such_directory() {
    OtherProcesses others = new OtherProcesses(directory.resolve("none"), Set.of());
    assertThat(others.busiest().text()).isEmpty();
    assertThat(others.busiest().text()).isEmpty();
  }
}
