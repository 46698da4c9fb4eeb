// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static io.quorate.report.MachineRows.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.MachineRows;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.HostMeasurements;
import io.quorate.results.hosts.HostTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sums over members that may share a machine, its disks and its network interface. */
class MemberTimelinesTest {
  private static final String OWN = ServerColumn.PROCESS_WRITE_BYTES;

  @TempDir Path directory;
  private final List<HostTimeline> members = new ArrayList<>();

  /** Adds a member whose device wrote 2,600 sectors, and received 26,000 bytes, in the step. */
  private void member(String device, String ownBefore, String ownAfter) throws IOException {
    String machine = members.size() + 1 + "-server";
    MachineRows.write(
        directory,
        machine,
        List.of(at(3_000, 0, 0)),
        List.of(at(3_000, 0, 5_000), at(6_000, 0, 31_000)));
    Path raw = directory.resolve(machine + "-system-metrics.csv");
    Path steps = HostFiles.steps(raw);
    String[] lines = Files.readString(steps).split("\n");
    Files.writeString(
        steps,
        String.join(
            "\n",
            lines[0] + ",DEVICE,INTERFACE," + OWN,
            lines[1] + "," + device + ",lo," + ownBefore,
            lines[2] + "," + device + ",lo," + ownAfter,
            ""));
    members.add(
        new HostMeasurements(new DatabaseDirectory(directory))
            .timeline(raw, ServerColumn.levels(), List.of(OWN))
            .orElseThrow());
  }

  private MemberTimelines on(String... machines) {
    return MemberTimelines.of(members, List.of(machines));
  }

  @Test
  void members_of_one_machine_have_their_own_bytes_and_share_its_devices() throws IOException {
    member("vda", "0", "1024000");
    member("vda", "512", "2048512");

    assertThat(on("a", "a").growth(ServerColumn.SECTORS_WRITTEN)).isEqualTo(6_000);
    assertThat(on("a", "a").growth(ServerColumn.WRITES)).isEqualTo(260);
    assertThat(on("a", "a").growth(ServerColumn.RECEIVED)).isEqualTo(26_000);
    assertThat(on("a", "b").growth(ServerColumn.RECEIVED)).isEqualTo(52_000);
    assertThat(on("a", "b").growth(ServerColumn.WRITES)).isEqualTo(520);
  }

  @Test
  void a_disk_counts_once_if_the_bytes_of_the_processes_are_not_known() throws IOException {
    member("vda", "", "");
    member("vda", "512", "2048512");
    member("vdb", "512", "2048512");

    assertThat(on("a", "a", "a").growth(ServerColumn.SECTORS_WRITTEN)).isEqualTo(5_200);
  }

  @Test
  void members_without_a_device_still_have_their_own_bytes() throws IOException {
    member("", "0", "1024");

    assertThat(on("a").growth(ServerColumn.SECTORS_WRITTEN)).isEqualTo(2);
  }
}
