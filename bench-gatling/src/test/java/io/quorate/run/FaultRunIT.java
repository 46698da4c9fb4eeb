// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.NightlyRun;
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
import io.quorate.results.manifest.Manifest;
import io.quorate.scenario.ConnectionBinding;
import io.quorate.scenario.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose leader is killed, and what they record, verify and show. */
class FaultRunIT {
  private static final String SCENARIO =
      """
      title: A killed leader
      cold-start: true
      mix: {put: 1, get: 1}
      keys: {size: 16, count: 50, distribution: uniform}
      values: {size: 16}
      load: {rate: 100/s, connections: 6}
      databases: [etcd, zookeeper]
      faults: {inject: [kill-leader], times: 1, quiet: 1s, jitter: 0s, recovery: 8s}
      """;

  /** The same without sessions and watches, whose ends would be awaited. */
  private static final String SHORT =
      SCENARIO.replace("times: 1", "times: 1, sessions: 0, watches: 0");

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  private InProcessRun run(String text, String... options) throws IOException {
    return InProcessRun.ofScenario(directory, "killed", text, options);
  }

  @Test
  @RequiresDatabase("etcd")
  void a_killed_leader_comes_back_and_no_acknowledged_write_is_lost() throws Exception {
    List<String> stores = NightlyRun.stores(List.of("etcd", "zookeeper"), "zookeeper");
    InProcessRun run = run(SCENARIO.replace("[etcd, zookeeper]", stores.toString()));
    assertThat(run.exitCode()).as(run.output()).isZero();
    Path results = run.onlyRun("killed");
    for (String id : stores) {
      DatabaseDirectory database = new DatabaseDirectory(results.resolve(id));
      List<FaultRecord> faults = FaultRecord.FILE.read(database);
      assertThat(faults).as(run.output()).hasSize(1);
      FaultRecord fault = faults.get(0);
      assertThat(fault.problem()).isEmpty();
      assertThat(fault.kind().fault()).isEqualTo(Fault.KILL_LEADER);
      assertThat(fault.members()).containsExactly(fault.leaderBefore().orElseThrow());
      assertThat(RunEvent.FILE.read(database))
          .anyMatch(event -> event.kind() == RunEvent.Kind.FAULT);

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
      String name = "(?i)" + id;
      assertThat(run.output())
          .containsPattern("\nsessions alive .* [0-9]+ of 27")
          .containsPattern(name + " +kill-leader +[0-9.]+ m?s +[0-9.]+ to ")
          .containsPattern(
              "\u2713 "
                  + name
                  + ": lost, stale or unexplained values in the load: none seen in [0-9,]+\\s+requests;\\s+with\\s+"
                  + "compare-and-set: none seen in [0-9,]+ requests; members: equal for\\s+50 keys\n");
    }
    assertThat(run.output())
        .contains("fault 1 of 1: kill-leader (", "Connections: ")
        .contains("50 of 50 keys read from each member, 0 of them differ");
    assertThat(results.resolve("index.html"))
        .content()
        .contains("<section id=\"faults\"")
        .contains("kill-leader, for 10 s")
        .contains("What survived, for clients next to the load");
  }

  @Test
  @Nightly
  @RequiresDatabase("etcd")
  void deletes_and_transactions_are_verified() throws Exception {
    InProcessRun run =
        run(
            SHORT
                .replace("mix: {put: 1, get: 1}", "mix: {put: 4, get: 4, delete: 1, txn: 1}")
                .replace("keys:", "txn: {puts: 2, gets: 1, deletes: 1}\nkeys:")
                .replace("count: 50, distribution: uniform", "count: 53, distribution: random")
                .replace("[etcd, zookeeper]", "[etcd]"));
    assertThat(run.exitCode()).as(run.output()).isZero();
    DatabaseDirectory etcd = new DatabaseDirectory(run.onlyRun("killed").resolve("etcd"));

    List<RecordedRequest> requests = new ArrayList<>();
    HistoryFile.read(FaultRecord.history(etcd), requests::add);
    UniqueValues.Result result = UniqueValues.check(requests);
    assertThat(result.lines()).isEmpty();
    assertThat(result.transactions()).isGreaterThan(50);
    assertThat(requests)
        .anyMatch(each -> each.action() == RecordedRequest.Action.DELETE && each.txn() == 0)
        .anyMatch(each -> each.action() == RecordedRequest.Action.DELETE && each.txn() > 0);
    assertThat(run.output().replaceAll("\\s+", " ")).contains("one common order of");
  }

  /** A client of each member stops with the fault; the store ends its session, late or not. */
  private static void assertThatSessionsLocksAndWatchesAreRecorded(
      DatabaseDirectory database, FaultRecord fault) {
    List<SessionRecord> sessions = SessionRecord.FILE.read(database);
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

    List<LockRecord> locks = LockRecord.FILE.read(database);
    assertThat(locks).extracting(LockRecord::lock).contains(0, 1, 2);
    for (int lock = 0; lock < 3; lock++) {
      int number = lock;
      assertThat(locks.stream().filter(each -> each.lock() == number).map(LockRecord::token))
          .doesNotHaveDuplicates();
    }

    List<WatchedWrite> writes = WatchedWrite.FILE.read(database);
    assertThat(writes).extracting(WatchedWrite::key).contains(0, 1, 2);
    assertThat(writes).allMatch(each -> each.watches() == 10);
    assertThat(writes).anyMatch(each -> each.received() == 10);
    assertThat(writes.stream().mapToInt(WatchedWrite::lost).sum()).isZero();
  }

  @Test
  @Nightly // EtcdFailoverIT is the smaller one
  @RequiresDatabase("etcd")
  void clients_that_move_are_back_before_the_leader_is_started_again() throws Exception {
    InProcessRun run = run(SHORT.replace("[etcd, zookeeper]", "[etcd]") + "on-failure: failover\n");
    assertThat(run.exitCode()).as(run.output()).isZero();
    DatabaseDirectory etcd = new DatabaseDirectory(run.onlyRun("killed").resolve("etcd"));
    assertThat(Manifest.read(etcd.manifest()).load().onFailure())
        .isEqualTo(ConnectionBinding.FAILOVER);
    FaultRecord fault = FaultRecord.FILE.read(etcd).get(0);
    assertThat(fault.problem()).isEmpty();
    long restarted = fault.startNanos() + fault.kind().length().toNanos();

    List<RecordedRequest> requests = new ArrayList<>();
    HistoryFile.read(FaultRecord.history(etcd), requests::add);
    assertThat(UniqueValues.check(requests).lines()).isEmpty();
    assertThat(clients(requests.stream().filter(each -> each.invokedNanos() > fault.startNanos())))
        .hasSize(6 + 6)
        .isEqualTo(
            clients(
                requests.stream()
                    .filter(each -> each.outcome() == RecordedRequest.Outcome.OK)
                    .filter(each -> each.invokedNanos() > fault.startNanos())
                    .filter(each -> each.completedNanos() < restarted)));
    assertThat(run.output()).contains("Connections: etcd http2, failover\n");
  }

  private static Set<Integer> clients(Stream<RecordedRequest> requests) {
    return requests.map(RecordedRequest::client).collect(Collectors.toSet());
  }

  @Test
  @Nightly // DiskFaultRunIT has both on etcd
  @RequiresDatabase({"etcd", "consul"})
  void a_leader_hands_its_leadership_over_and_its_snapshot_is_read() throws Exception {
    List<String> stores = List.of("etcd", "consul");
    InProcessRun run =
        run(
            SHORT
                .replace("[etcd, zookeeper]", stores.toString())
                .replace("kill-leader", "transfer-leader, snapshot 1s"));
    assertThat(run.exitCode()).as(run.output()).isZero();
    for (String id : stores) {
      Map<Fault, FaultRecord> done = new EnumMap<>(Fault.class);
      FaultRecord.FILE
          .read(new DatabaseDirectory(run.onlyRun("killed").resolve(id)))
          .forEach(each -> done.put(each.kind().fault(), each));
      assertThat(done)
          .as(run.output())
          .containsOnlyKeys(Fault.TRANSFER_LEADER, Fault.SNAPSHOT)
          .allSatisfy((fault, record) -> assertThat(record.problem()).isEmpty());
      FaultRecord transfer = done.get(Fault.TRANSFER_LEADER);
      assertThat(transfer.leaderAfter()).isNotEqualTo(transfer.leaderBefore());
      FaultRecord snapshot = done.get(Fault.SNAPSHOT);
      assertThat(snapshot).matches(FaultRecord::tookEffect);
      if (id.equals("consul")) {
        assertThat(snapshot.observed().orElseThrow())
            .matches("consul-.: [0-9,]+ compressed bytes received");
      }
      assertThat(run.output()).containsPattern("(?i)" + id + " +transfer-leader +[0-9.]+ m?s ");
    }
  }

  @Test
  @Nightly // RollingUpgradeIT is the smaller one
  @RequiresDatabase("zookeeper@3.8.6")
  void all_members_are_upgraded_one_after_the_other() throws Exception {
    InProcessRun run =
        run(
            SHORT
                .replace("[etcd, zookeeper]", "[zookeeper@3.8.6]")
                .replace("kill-leader", "rolling-upgrade"));
    assertThat(run.exitCode()).as(run.output()).isZero();
    DatabaseDirectory database =
        new DatabaseDirectory(run.onlyRun("killed").resolve("zookeeper@3.8.6"));
    FaultRecord fault = FaultRecord.FILE.read(database).get(0);
    assertThat(fault.problem()).isEmpty();
    assertThat(fault.members())
        .hasSize(3)
        .endsWith(fault.leaderBefore().orElseThrow())
        .doesNotHaveDuplicates();
    assertThat(MemberAgreement.read(database).orElseThrow().differing()).isZero();
  }

  @Test
  void an_existing_cluster_is_not_killed() throws Exception {
    InProcessRun refused =
        run(SHORT.replace("[etcd, zookeeper]", "[etcd]"), "--endpoints", "127.0.0.1:2379");
    assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
    assertThat(refused.output())
        .contains("faults: found endpoints, and no command for kill-leader: ");
    assertThat(directory.resolve("results")).doesNotExist();
  }
}
