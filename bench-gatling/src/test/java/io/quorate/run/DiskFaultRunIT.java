// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.process.SlowSyncs;
import io.quorate.history.HistoryFile;
import io.quorate.history.RecordedRequest;
import io.quorate.history.UniqueValues;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.FaultRecord;
import io.quorate.results.MemberAgreement;
import io.quorate.scenario.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs with faults of the logs and disks of members, and one that also maintains them. Some need
 * strace; {@code -Drequire.strace} turns their skip into a failure.
 */
@RequiresDatabase("etcd")
class DiskFaultRunIT {
  private static final String SCENARIO =
      """
      title: Faults of disks
      mix: {put: 9, get: 1}
      cold-start: true
      keys: {size: 16, count: 50, distribution: uniform}
      values: {size: 2KiB}
      load: {rate: 60/s, connections: 6}
      databases:
      %s
      faults: {inject: [%s], times: 1, quiet: 1s, jitter: 0s, recovery: %s, sessions: 0, watches: 0}
      """;

  private static final String WITHOUT_SNAPSHOT =
      "no effect: expected that a snapshot was sent to it after its restart";

  private static final int UNDECIDED = 4;

  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir(factory = MemoryBackedDirectory.class)
  private static Path shared;

  private static InProcessRun etcd;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  private static InProcessRun run(
      Path directory, int exitCode, String faults, String recovery, String... databases)
      throws IOException {
    Files.writeString(
        directory.resolve("disk.yaml"),
        SCENARIO.formatted("  " + String.join("\n  ", databases), faults, recovery));
    InProcessRun run = InProcessRun.run(directory, "run", "disk.yaml", "--results", "results");
    assertThat(run.exitCode()).as(run.output()).isEqualTo(exitCode);
    return run;
  }

  private static FaultRecord fault(InProcessRun run, String database, Fault fault)
      throws IOException {
    DatabaseDirectory results = new DatabaseDirectory(run.onlyRun("disk").resolve(database));
    assertThat(MemberAgreement.read(results).orElseThrow().differing()).isZero();
    List<FaultRecord> faults =
        FaultRecord.FILE.read(results).stream()
            .filter(each -> each.kind().fault() == fault)
            .toList();
    assertThat(faults).as(run.output()).hasSize(1);
    return faults.get(0);
  }

  /** Runs all faults that this machine can cause, and maintenance, for several tests. */
  @BeforeAll
  static void runAll() throws IOException {
    String slow = SlowSyncs.obstacle().isEmpty() ? "slow-fsync 3s, " : "";
    etcd =
        run(
            shared,
            0,
            slow
                + "blocked-log 5s, lag-follower 7s, transfer-leader 2s, defragment 9s, compact 4s,"
                + " snapshot 4s",
            "12s",
            "etcd: {settings: {snapshot-count: 100, snapshot-catchup-entries: 100}}");
  }

  @Test
  void members_are_defragmented_compacted_and_backed_up() throws Exception {
    DatabaseDirectory results = new DatabaseDirectory(etcd.onlyRun("disk").resolve("etcd"));
    List<FaultRecord> all = FaultRecord.FILE.read(results);
    MaintenanceRunIT.assertThatMembersAreDefragmentedCompactedAndBackedUp(
        etcd.output(), all, all.size(), "snapshot 4s");
    List<RecordedRequest> requests = new ArrayList<>();
    assertThat(HistoryFile.read(FaultRecord.history(results), requests::add)).isZero();
    assertThat(UniqueValues.check(requests).lines()).isEmpty();
    assertThat(etcd.output()).contains("50 of 50 keys read from each member, 0 of them differ");
    assertThat(etcd.onlyRun("disk").resolve("index.html"))
        .content()
        .contains("class=\"unseen\">Faults and maintenance</h2>");
  }

  @Test
  void a_leader_hands_its_leadership_over() throws Exception {
    FaultRecord transfer = fault(etcd, "etcd", Fault.TRANSFER_LEADER);
    assertThat(transfer.problem()).isEmpty();
    assertThat(transfer.leaderAfter()).isNotEqualTo(transfer.leaderBefore());
    assertThat(etcd.output()).containsPattern("etcd +transfer-leader .*s +.* s ");
  }

  @Test
  void a_follower_of_etcd_that_was_away_for_longer_than_the_log_gets_a_snapshot() throws Exception {
    FaultRecord fault = fault(etcd, "etcd", Fault.LAG_FOLLOWER);
    assertThat(fault.problem()).isEmpty();
    assertThat(fault.members()).hasSize(1).doesNotContain(fault.leaderBefore().orElseThrow());
    assertThat(fault.caughtUpNanos()).isPresent();
  }

  @Test
  @Nightly // the test of etcd above is the smaller one
  @RequiresDatabase("consul")
  void a_follower_that_was_away_for_longer_than_the_log_gets_a_snapshot() throws Exception {
    InProcessRun run =
        run(
            directory,
            UNDECIDED, // the last one keeps a long log, and needs no snapshot
            "lag-follower 20s",
            "20s",
            "etcd: {settings: {snapshot-count: 200, snapshot-catchup-entries: 200}}",
            "zookeeper: {settings: {snapCount: 200}}",
            "consul: {settings: {raft_snapshot_threshold: 200, raft_trailing_logs: 200,"
                + " raft_snapshot_interval: 1s, segment_size_mb: 1}}",
            "etcd@3.7.3: {settings: {snapshot-catchup-entries: 100_000}}");
    for (String id : List.of("etcd", "zookeeper", "consul")) {
      FaultRecord fault = fault(run, id, Fault.LAG_FOLLOWER);
      // ZooKeeper may also send changes from its transaction logs, and then the control says so
      assertThat(fault.problem())
          .as(id)
          .matches(
              problem ->
                  problem.isEmpty()
                      || id.equals("zookeeper") && problem.get().equals(WITHOUT_SNAPSHOT));
      assertThat(fault.members()).hasSize(1).doesNotContain(fault.leaderBefore().orElseThrow());
      assertThat(fault.caughtUpNanos()).as(id).isPresent();
    }
    assertThat(fault(run, "etcd@3.7.3", Fault.LAG_FOLLOWER).problem()).hasValue(WITHOUT_SNAPSHOT);
  }

  @Test
  void syncs_of_the_leader_take_longer_while_it_is_traced() throws Exception {
    requireStrace();
    FaultRecord fault = fault(etcd, "etcd", Fault.SLOW_FSYNC);
    assertThat(fault.problem()).isEmpty();
    assertThat(fault.members()).containsExactly(fault.leaderBefore().orElseThrow());
    List<RecordedRequest> requests = new ArrayList<>();
    HistoryFile.read(
        FaultRecord.history(new DatabaseDirectory(etcd.onlyRun("disk").resolve("etcd"))),
        requests::add);
    assertThat(requests)
        .filteredOn(each -> each.invokedNanos() > fault.startNanos())
        .filteredOn(each -> each.completedNanos() < fault.endNanos())
        .anyMatch(each -> each.completedNanos() - each.invokedNanos() >= 200_000_000);
  }

  @Nightly
  @Test
  void a_run_that_is_killed_leaves_neither_server_nor_strace() throws Exception {
    requireStrace();
    Files.writeString(
        directory.resolve("disk.yaml"), SCENARIO.formatted("  etcd:", "slow-fsync 60s", "5s"));
    try (QuorateProcess run =
        QuorateProcess.start(directory, Map.of(), "run", "disk.yaml", "--results", "results")) {
      QuorateProcess.await(
          () -> run.handle().descendants().anyMatch(DiskFaultRunIT::isTraced),
          LIMIT,
          () -> "no member was traced");
      List<ProcessHandle> all = run.handle().descendants().toList();
      run.handle().destroyForcibly();
      run.waitFor(LIMIT);
      QuorateProcess.await(
          () -> all.stream().noneMatch(ProcessHandle::isAlive), LIMIT, () -> "still running");
    }
  }

  private static boolean isTraced(ProcessHandle process) {
    try {
      String status = Files.readString(Path.of("/proc", "" + process.pid(), "status"));
      return status.startsWith("Name:\tetcd\n") && !status.contains("\nTracerPid:\t0\n");
    } catch (IOException ended) {
      return false;
    }
  }

  @Test
  void slow_syncs_without_strace_are_refused() throws Exception {
    Files.writeString(
        directory.resolve("disk.yaml"), SCENARIO.formatted("  etcd:", "slow-fsync", "5s"));
    QuorateProcess refused =
        QuorateProcess.run(
            directory,
            Map.of("PATH", directory.toString()),
            "run",
            "disk.yaml",
            "--results",
            "results");
    assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
    assertThat(refused.output())
        .contains("faults: slow-fsync: found no strace on PATH: it needs Linux, and apt-get");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void a_thread_of_the_leader_waits_while_its_log_is_not_read() throws Exception {
    FaultRecord fault = fault(etcd, "etcd", Fault.BLOCKED_LOG);
    assertThat(fault.problem()).isEmpty();
    String leader = fault.leaderBefore().orElseThrow();
    assertThat(fault.members()).containsExactly(leader);
    assertThat(etcd.onlyRun("disk").resolve("etcd/logs/" + leader + ".log"))
        .content()
        .contains("\"level\":\"debug\"");
  }

  private static void requireStrace() {
    SlowSyncs.obstacle()
        .ifPresent(
            obstacle -> {
              if (System.getProperty("require.strace") != null) {
                throw new AssertionError(obstacle + "; -Drequire.strace demands it");
              }
              System.out.println("SKIPPED DiskFaultRunIT: " + obstacle);
              abort(obstacle);
            });
  }
}
