// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.history.HistoryFile;
import io.quorate.history.RecordedRequest;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.FaultRecord;
import io.quorate.results.MemberAgreement;
import io.quorate.scenario.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose network is disturbed through the relay. */
@EnabledOnOs(OS.LINUX)
@Nightly // IsolatedLeaderIT, KilledPartsIT and OwnerEndIT are the smaller ones
class NetworkFaultRunIT {
  private static final String SCENARIO =
      """
      title: An isolated leader
      cold-start: true
      mix: {put: 1, get: 1}
      keys: {size: 16, count: 50, distribution: uniform}
      values: {size: 16}
      load: {rate: 100/s, connections: 6}
      databases: [etcd]
      faults:
        inject: [isolate-leader 8s, clients-off-leader 3s, reset-leader 2s]
        times: 1
        quiet: 1s
        jitter: 0s
        recovery: 12s
        sessions: 0
        watches: 0
      """;

  private static final Duration LIMIT = Duration.ofMinutes(4);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  @RequiresDatabase("etcd")
  void an_isolated_leader_is_replaced_and_no_acknowledged_write_is_lost() throws Exception {
    Files.writeString(directory.resolve("network.yaml"), SCENARIO);
    InProcessRun run = InProcessRun.run(directory, "run", "network.yaml", "--results", "results");
    assertThat(run.exitCode()).as(run.output()).isZero();
    DatabaseDirectory etcd = new DatabaseDirectory(run.onlyRun("network").resolve("etcd"));
    Map<Fault, FaultRecord> faults = new EnumMap<>(Fault.class);
    FaultRecord.FILE.read(etcd).forEach(each -> faults.put(each.kind().fault(), each));
    assertThat(faults)
        .as(run.output())
        .containsOnlyKeys(Fault.ISOLATE_LEADER, Fault.CLIENTS_OFF_LEADER, Fault.RESET_LEADER);
    assertThat(faults.values())
        .allSatisfy(
            each -> {
              assertThat(each.problem()).isEmpty();
              assertThat(each.members()).containsExactly(each.leaderBefore().orElseThrow());
              assertThat(each.servingNanos()).isPresent();
            });
    FaultRecord isolated = faults.get(Fault.ISOLATE_LEADER);
    assertThat(isolated.leaderAfter()).isPresent().isNotEqualTo(isolated.leaderBefore());
    assertThat(MemberAgreement.read(etcd).orElseThrow().differing()).isZero();
    assertThat(run.output())
        .contains("all data of members and clients passes a relay, which causes network faults")
        .containsPattern("etcd +isolate-leader 8s +[0-9.]+ m?s +[0-9.]+ to ")
        .contains("\u2713 etcd: lost, stale or unexplained values in the load: none seen in ");
    assertThat(run.onlyRun("network").resolve("index.html"))
        .content()
        .contains("all data of members and clients passed a relay, for network faults");
  }

  @Test
  @RequiresDatabase("etcd")
  void a_run_that_is_killed_while_a_leader_is_paused_leaves_neither_members_nor_the_relay()
      throws Exception {
    Files.writeString(
        directory.resolve("network.yaml"),
        // with the usual seed in this order
        SCENARIO.replace("8s, clients-off-leader 3s, reset-leader 2s]", "2s, pause-leader 60s]"));
    try (QuorateProcess run =
        QuorateProcess.start(directory, Map.of(), "run", "network.yaml", "--results", "results")) {
      run.awaitOutput("measuring", LIMIT);
      List<ProcessHandle> all = run.handle().descendants().toList();
      Path etcd = run.onlyRun("network").resolve("etcd");
      assertThat(all).anyMatch(NetworkFaultRunIT::isRelay);
      Path report = etcd.resolve("data/relay/report.json");
      QuorateProcess.await(() -> Files.exists(report), LIMIT, () -> "the network is not disturbed");
      QuorateProcess.await(
          () -> all.stream().anyMatch(NetworkFaultRunIT::isStopped),
          LIMIT,
          () -> "no member was paused:\n" + run.output());
      run.handle().destroyForcibly();
      run.waitFor(LIMIT);
      QuorateProcess.await(
          () -> all.stream().noneMatch(ProcessHandle::isAlive), LIMIT, () -> "still running");
      List<RecordedRequest> requests = new ArrayList<>();
      HistoryFile.read(FaultRecord.history(new DatabaseDirectory(etcd)), requests::add);
      assertThat(etcd.resolve("data")).doesNotExist();
    }
  }

  private static boolean isStopped(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", "" + process.pid(), "stat")).contains(") T ");
    } catch (IOException ended) {
      return false;
    }
  }

  private static boolean isRelay(ProcessHandle process) {
    try {
      String line = Files.readString(Path.of("/proc", "" + process.pid(), "cmdline"));
      return Arrays.asList(line.split("\0")).contains("io.quorate.network.RelayProcess");
    } catch (IOException ended) {
      return false;
    }
  }
}
