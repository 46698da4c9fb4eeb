package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.history.HistoryFile;
import io.quorate.history.RecordedRequest;
import io.quorate.history.UniqueValues;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.FaultRecord;
import io.quorate.results.LockRecord;
import io.quorate.results.MemberAgreement;
import io.quorate.results.RunEvent;
import io.quorate.results.SessionRecord;
import io.quorate.results.WatchedWrite;
import io.quorate.scenario.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose leader is killed, and what they record, verify and show. */
class FaultRunIT {
  private static final String SCENARIO =
      """
      title: A killed leader
      mix: {put: 1, get: 1}
      keys: {size: 16, count: 50, order: uniform}
      values: {size: 16}
      load: {rate: 100/s, connections: 6}
      databases: [etcd, zookeeper]
      faults: {inject: [kill-leader], times: 1}
      """;

  private static final Duration LIMIT = Duration.ofMinutes(4);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  private QuorateProcess run(String text, String... options)
      throws IOException, InterruptedException {
    Files.writeString(directory.resolve("killed.yaml"), text);
    List<String> arguments = new ArrayList<>(List.of("run", "killed.yaml", "--results", "results"));
    arguments.addAll(List.of(options));
    return QuorateProcess.run(directory, Map.of(), arguments.toArray(String[]::new));
  }

  @Test
  @RequiresDatabase("etcd")
  void a_killed_leader_comes_back_and_no_acknowledged_write_is_lost() throws Exception {
    QuorateProcess run = run(SCENARIO);
    assertThat(run.exitCode()).as(run.output()).isZero();
    Path results = run.onlyRun("killed");
    for (String id : List.of("etcd", "zookeeper")) {
      DatabaseDirectory database = new DatabaseDirectory(results.resolve(id));
      List<FaultRecord> faults = FaultRecord.read(database);
      assertThat(faults).as(run.output()).hasSize(1);
      FaultRecord fault = faults.get(0);
      assertThat(fault.problem()).isEmpty();
      assertThat(fault.kind().fault()).isEqualTo(Fault.KILL_LEADER);
      assertThat(fault.members()).containsExactly(fault.leaderBefore().orElseThrow());
      assertThat(RunEvent.read(database)).anyMatch(event -> event.kind() == RunEvent.Kind.FAULT);

      List<RecordedRequest> requests = new ArrayList<>();
      assertThat(HistoryFile.read(FaultRecord.history(database), requests::add)).isZero();
      assertThat(requests).hasSizeGreaterThan(1_000);
      assertThat(UniqueValues.check(requests).lines()).isEmpty();
      assertThat(requests)
          .anyMatch(each -> each.outcome() == RecordedRequest.Outcome.MISMATCH)
          .anyMatch(
              each ->
                  each.action() == RecordedRequest.Action.COMPARE_AND_SET
                      && each.outcome() == RecordedRequest.Outcome.OK);
      assertThat(MemberAgreement.read(database).orElseThrow().differing()).isZero();
      assertThatSessionsLocksAndWatchesAreRecorded(database, fault);
    }
    assertThat(run.output())
        .contains("fault 1 of 1: kill-leader (")
        .containsPattern("kill-leader, etcd: sessions alive: [0-9]+ of 27, ended early: [0-9]+; ")
        .contains("50 keys read from each member, 0 of them differ")
        .containsPattern("kill-leader, for 10 s: etcd: writes stopped for [0-9.]+ m?s; expected ")
        .containsPattern(
            "etcd: lost, stale or unexplained values: none seen in [0-9,]+ requests; with"
                + " compare-and-set: none seen in [0-9,]+ requests; members: equal for 50 keys\n"
                + "ZooKeeper: lost, stale or unexplained values: none seen in ");
    assertThat(results.resolve("index.html"))
        .content()
        .contains("<section id=\"faults\"")
        .contains("kill-leader, for 10 s")
        .contains("What survived, for clients next to the load");
  }

  /** A client of each member stops with the fault; the store ends its session, late or not. */
  private static void assertThatSessionsLocksAndWatchesAreRecorded(
      DatabaseDirectory database, FaultRecord fault) {
    List<SessionRecord> sessions = SessionRecord.read(database);
    assertThat(sessions).hasSizeGreaterThanOrEqualTo(33).doesNotHaveDuplicates();
    List<SessionRecord> abandoned =
        sessions.stream().filter(each -> each.abandonedNanos().isPresent()).toList();
    assertThat(abandoned)
        .extracting(SessionRecord::member)
        .containsExactlyInAnyOrder(
            database.path().getFileName() + "-1",
            database.path().getFileName() + "-2",
            database.path().getFileName() + "-3");
    assertThat(abandoned)
        .allMatch(each -> each.abandonedNanos().getAsLong() >= fault.startNanos())
        .allMatch(each -> each.endedNanos().isPresent());

    List<LockRecord> locks = LockRecord.read(database);
    assertThat(locks).extracting(LockRecord::lock).contains(0, 1, 2);
    for (int lock = 0; lock < 3; lock++) {
      int number = lock;
      assertThat(locks.stream().filter(each -> each.lock() == number).map(LockRecord::token))
          .doesNotHaveDuplicates();
    }

    List<WatchedWrite> writes = WatchedWrite.read(database);
    assertThat(writes).extracting(WatchedWrite::key).contains(0, 1, 2);
    assertThat(writes).allMatch(each -> each.watches() == 10);
    assertThat(writes).anyMatch(each -> each.received() == 10);
    assertThat(writes.stream().mapToInt(WatchedWrite::lost).sum()).isZero();
  }

  @Test
  @RequiresDatabase({"etcd", "consul"})
  void a_leader_hands_its_leadership_over() throws Exception {
    QuorateProcess run =
        run(
            SCENARIO
                .replace("[etcd, zookeeper]", "[etcd, consul]")
                .replace("kill-leader", "transfer-leader"));
    assertThat(run.exitCode()).as(run.output()).isZero();
    for (String id : List.of("etcd", "consul")) {
      List<FaultRecord> faults =
          FaultRecord.read(new DatabaseDirectory(run.onlyRun("killed").resolve(id)));
      assertThat(faults).as(run.output()).hasSize(1);
      assertThat(faults.get(0).problem()).isEmpty();
      assertThat(faults.get(0).leaderAfter()).isNotEqualTo(faults.get(0).leaderBefore());
    }
    assertThat(run.output()).contains("transfer-leader: etcd: writes stopped for ");
  }

  @Test
  @RequiresDatabase("etcd")
  void a_run_that_is_killed_during_a_fault_leaves_nothing_running() throws Exception {
    Files.writeString(
        directory.resolve("killed.yaml"),
        SCENARIO.replace("[etcd, zookeeper]", "[etcd]").replace("kill-leader", "pause-leader 60s"));
    try (QuorateProcess run =
        QuorateProcess.start(directory, Map.of(), "run", "killed.yaml", "--results", "results")) {
      run.awaitOutput("measuring", LIMIT);
      List<ProcessHandle> all = run.handle().descendants().toList();
      Path etcd = run.onlyRun("killed").resolve("etcd");
      QuorateProcess.await(
          () -> all.stream().anyMatch(FaultRunIT::isStopped), LIMIT, () -> "no member was paused");
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

  @Test
  void an_existing_cluster_is_not_killed() throws Exception {
    QuorateProcess refused =
        run(SCENARIO.replace("[etcd, zookeeper]", "[etcd]"), "--endpoints", "127.0.0.1:2379");
    assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
    assertThat(refused.output()).contains("faults: found endpoints");
    assertThat(directory.resolve("results")).doesNotExist();
  }
}
