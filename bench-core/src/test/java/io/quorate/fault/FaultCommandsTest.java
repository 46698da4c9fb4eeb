// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.Member;
import io.quorate.cluster.process.GuardedCommand;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.PowerCut;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultCommandsTest {
  private static final List<Member> MEMBERS =
      List.of(
          Member.elsewhere(1, "etcd-1", new Endpoint("10.0.0.1", 2379)),
          Member.elsewhere(2, "etcd-2", new Endpoint("10.0.0.2", 2379)));

  @TempDir private Path directory;

  private FaultCommands read(String text) throws IOException {
    return FaultCommands.read(Files.writeString(directory.resolve("commands"), text));
  }

  @Test
  void a_command_knows_members_and_endpoints() throws IOException {
    Path out = directory.resolve("out");
    FaultCommands commands =
        read(
            """
            # a comment
            kill-leader : echo $QUORATE_MEMBERS: $QUORATE_ENDPOINTS > %1$s

            kill-leader end: echo end >> %1$s
            """
                .formatted(out));
    assertThat(commands.has(Fault.KILL_LEADER)).isTrue();
    GuardedCommand command = commands.of(Fault.KILL_LEADER, MEMBERS, log -> {});
    command.begin(commands.begin().get(Fault.KILL_LEADER), () -> {}, () -> false);
    assertThat(out).hasContent("etcd-1 etcd-2: 10.0.0.1:2379 10.0.0.2:2379");
    command.end();
    assertThat(Files.readString(out)).endsWith("\nend\n");
  }

  @Test
  void all_wrong_lines_are_reported() {
    assertThatThrownBy(
            () ->
                read(
                    "kill-leader: a\nkill-leader: b\nkill-laeder: c\nkill-leader\npause-leader:\n"
                        + "pause-follower end: d"))
        .hasMessageContaining("commands:2: found 'kill-leader', expected each command once")
        .hasMessageContaining("commands:3: found 'kill-laeder', expected one of kill-leader, ")
        .hasMessageContaining("commands:4: found 'kill-leader', expected a fault and its command")
        .hasMessageContaining("commands:5: found 'pause-leader', expected a fault and its")
        .hasMessageContaining(
            "commands: found 'pause-follower end', expected 'pause-follower' as well")
        .hasMessageNotContainingAny(": b", ": c");
    assertThatThrownBy(() -> read("# nothing\n")).hasMessageContaining("found no command");
    assertThatThrownBy(() -> FaultCommands.read(directory.resolve("none")))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("none: found no such file, expected one with commands");
  }

  @Test
  void only_a_regular_file_is_read() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    for (Path each : List.of(pipe, Path.of("/dev/zero"), directory)) {
      assertThatThrownBy(() -> FaultCommands.read(each))
          .isInstanceOf(QuorateException.class)
          .hasMessageContaining(", expected a file");
    }
    Path large = Files.write(directory.resolve("large"), new byte[100_000]);
    assertThatThrownBy(() -> FaultCommands.read(large))
        .hasMessageContaining("found 100,000 bytes, expected at most 65,536");
  }

  @Test
  void faults_without_a_command_are_named() throws IOException {
    FaultPlan plan =
        new FaultPlan(
            Stream.of("kill-leader", "transfer-leader", "pause-leader 3s")
                .map(text -> FaultPlan.Kind.parse(text).orElseThrow())
                .toList(),
            1,
            Duration.ofSeconds(5),
            Duration.ofSeconds(3),
            Duration.ofSeconds(12),
            0,
            0,
            PowerCut.DEFAULT);
    assertThat(read("kill-leader: true").missing(plan)).containsExactly(Fault.PAUSE_LEADER);
    assertThat(FaultCommands.NONE.missing(plan))
        .containsExactly(Fault.KILL_LEADER, Fault.PAUSE_LEADER);
  }
}
