// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
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
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Maintenance of servers with 5 MB of data under load. */
class MaintenanceRunIT {
  private static final String SCENARIO =
      """
      title: Maintenance
      cold-start: true
      mix: {put: 1, get: 1}
      keys: {size: 16, count: 2_000, distribution: uniform}
      values: {size: 1KiB}
      load: {rate: 100/s, connections: 6}
      databases: [etcd]
      faults:
        inject: [defragment 1s, compact 1s, snapshot 1s]
        times: 1
        quiet: 1s
        jitter: 0s
        recovery: 6s
        sessions: 0
        watches: 0
      """;

  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  /** Runs a scenario; returns the output of the run. */
  private String run(String text) throws Exception {
    Files.writeString(directory.resolve("maintained.yaml"), text);
    InProcessRun run =
        InProcessRun.run(directory, "run", "maintained.yaml", "--results", "results");
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).contains("2000 keys read from each member, 0 of them differ");
    Path results = run.onlyRun("maintained");
    assertThat(results.resolve("index.html"))
        .content()
        .contains("class=\"unseen\">Maintenance</h2>", "Maintenance in detail");
    return run.output();
  }

  private List<FaultRecord> maintenance(String id) throws Exception {
    try (var runs = Files.list(directory.resolve("results/maintained"))) {
      Path run = runs.filter(Files::isDirectory).findFirst().orElseThrow();
      DatabaseDirectory database = new DatabaseDirectory(run.resolve(id));
      List<RecordedRequest> requests = new ArrayList<>();
      assertThat(HistoryFile.read(FaultRecord.history(database), requests::add)).isZero();
      assertThat(UniqueValues.check(requests).lines()).isEmpty();
      assertThat(MemberAgreement.read(database).orElseThrow().differing()).isZero();
      return FaultRecord.FILE.read(database);
    }
  }

  @Test
  @Nightly // DiskFaultRunIT maintains less data
  @RequiresDatabase("etcd")
  void members_of_etcd_are_defragmented_compacted_and_backed_up() throws Exception {
    String output = run(SCENARIO);
    List<FaultRecord> done = maintenance("etcd");
    assertThat(done).as(output).hasSize(3);
    assertThatMembersAreDefragmentedCompactedAndBackedUp(output, done, 3, "snapshot 1s");
  }

  static void assertThatMembersAreDefragmentedCompactedAndBackedUp(
      String output, List<FaultRecord> all, int count, String snapshot) {
    String number = "maintenance [1-%1$d] of %1$d: ".formatted(count);
    assertThat(output)
        .containsPattern(number + "defragment \\S+ \\(etcd-., etcd-., etcd-.\\): ")
        .containsPattern(number + "compact \\S+ \\(etcd-.\\): etcd-.: compacted up to")
        .containsPattern(number + snapshot + " \\(etcd-.\\): etcd-.: database ");
    List<FaultRecord> done =
        all.stream().filter(each -> each.kind().fault().maintenance().isPresent()).toList();
    assertThat(done).as(output).hasSize(3).allMatch(FaultRecord::tookEffect);
    assertThat(done).allMatch(each -> each.observed().isPresent());
    FaultRecord defragmented =
        done.stream()
            .filter(each -> each.kind().fault() == Fault.DEFRAGMENT)
            .findFirst()
            .orElseThrow();
    assertThat(defragmented.members())
        .hasSize(3)
        .doesNotHaveDuplicates()
        .endsWith(defragmented.leaderBefore().orElseThrow());
  }

  @Test
  @Nightly // FaultRunIT reads one of less data
  @RequiresDatabase("consul")
  void a_snapshot_of_consul_is_read() throws Exception {
    String output =
        run(
            SCENARIO
                .replace("[etcd]", "[consul]")
                .replace("defragment 1s, compact 1s, snapshot 1s", "snapshot 1s"));
    assertThat(maintenance("consul"))
        .as(output)
        .singleElement()
        .matches(FaultRecord::tookEffect)
        .extracting(each -> each.observed().orElseThrow())
        .asString()
        .matches("consul-.: [0-9,]{9,} compressed bytes received");
  }

  @Test
  @Nightly // the run with TLS adds one once, and FurtherMemberIT one twice
  @RequiresDatabase("etcd")
  void a_member_of_etcd_is_added_and_removed() throws Exception {
    String output =
        run(
            SCENARIO
                .replace("defragment 1s, compact 1s, snapshot 1s", "add-member 6s")
                .replace("times: 1", "times: 2"));
    List<FaultRecord> done = maintenance("etcd");
    assertThat(done).as(output).hasSize(2).allMatch(MaintenanceRunIT::isAdded);
    done.forEach(MaintenanceRunIT::assertThatAMemberOfEtcdIsAdded);
    assertThat(processes()).isEmpty();
  }

  private static void assertThatAMemberOfEtcdIsAdded(FaultRecord addition) {
    assertThat(addition).matches(MaintenanceRunIT::isAdded);
    assertThat(addition.members()).containsExactly("etcd-4");
    assertThat(addition.observed().orElseThrow())
        .matches(
            "etcd-4: database [0-9.]+ MB; caught up after [0-9.]+ s, voter after [0-9.]+ s,"
                + " removed after [0-9.]+ s");
    assertThat(addition.caughtUpNanos().orElseThrow())
        .isBetween(addition.startNanos(), addition.endNanos());
    assertThat(addition.endNanos() - addition.startNanos()).isGreaterThanOrEqualTo(6_000_000_000L);
  }

  @Test
  @Nightly // FurtherMemberIT adds one without load
  @RequiresDatabase("consul")
  void a_server_of_consul_is_added_and_removed() throws Exception {
    String output =
        run(
            SCENARIO
                .replace("[etcd]", "[consul]")
                // a server takes up to 10 s to leave
                .replace("recovery: 6s", "recovery: 20s")
                .replace("defragment 1s, compact 1s, snapshot 1s", "add-member"));
    FaultRecord done = maintenance("consul").get(0);
    assertThat(done).as(output).matches(MaintenanceRunIT::isAdded);
    assertThat(done.members()).containsExactly("consul-4");
    assertThat(done.observed().orElseThrow())
        .matches(
            "consul-4: caught up after [0-9.]+ s, voter after [0-9.]+ s, removed after [0-9.]+ s");
  }

  /**
   * Returns whether it had its effect; on a busy machine, a member may need longer than its time.
   */
  private static boolean isAdded(FaultRecord record) {
    return record.tookEffect() || record.problem().orElse("").contains("longer than its time");
  }

  @Test
  @Nightly // FurtherMemberIT adds one without load
  void an_observer_of_zookeeper_is_added_and_removed() throws Exception {
    String output =
        run(
            SCENARIO
                .replace("[etcd]", "[zookeeper]")
                .replace("defragment 1s, compact 1s, snapshot 1s", "add-member 10s"));
    FaultRecord done = maintenance("zookeeper").get(0);
    assertThat(done).as(output).matches(MaintenanceRunIT::isAdded);
    assertThat(done.observed().orElseThrow())
        .matches(
            "zookeeper-4: caught up after [0-9.]+ s, observer after [0-9.]+ s, removed after"
                + " [0-9.]+ s");
  }

  @Nightly
  @Test
  @RequiresDatabase("etcd")
  void a_run_that_is_interrupted_leaves_no_further_member() throws Exception {
    Files.writeString(
        directory.resolve("maintained.yaml"),
        SCENARIO.replace("defragment 1s, compact 1s, snapshot 1s", "add-member 500s"));
    try (QuorateProcess run =
        QuorateProcess.start(
            directory, Map.of(), "run", "maintained.yaml", "--results", "results")) {
      QuorateProcess.await(
          () -> processes().stream().anyMatch(MaintenanceRunIT::isFurther) || !isAlive(run),
          LIMIT,
          run::output);
      assertThat(isAlive(run)).as(run.output()).isTrue();
      run.handle().destroy();
      run.waitFor(LIMIT);
      assertThat(run.output()).contains("ending early (TERM): ");
      QuorateProcess.await(
          () -> processes().isEmpty(), LIMIT, () -> "still running: " + processes());
      assertThat(run.onlyRun("maintained").resolve("etcd/data")).doesNotExist();
    }
  }

  @Test
  @Nightly // the smaller ones: FurtherMemberIT, RenewedCertificateIT, and an interrupted
  // maintenance
  @RequiresDatabase("etcd")
  void the_certificates_of_etcd_are_replaced_a_member_is_added_and_all_are_maintained()
      throws Exception {
    String output =
        run(
            SCENARIO
                    .replace("size: 1KiB", "size: 64")
                    .replace("recovery: 6s", "recovery: 30s")
                    .replace("snapshot 1s", "snapshot 9s, reload-certificates 5s, add-member 60s")
                + "security: tls\n");
    List<FaultRecord> done = maintenance("etcd");
    assertThat(done).as(output).hasSize(5);
    assertThatMembersAreDefragmentedCompactedAndBackedUp(output, done, 5, "snapshot 9s");
    assertThatAMemberOfEtcdIsAdded(
        done.stream()
            .filter(each -> each.kind().fault() == Fault.ADD_MEMBER)
            .findFirst()
            .orElseThrow());
    assertThat(processes()).isEmpty();
    FaultRecord reloaded =
        done.stream()
            .filter(each -> each.kind().fault() == Fault.RELOAD_CERTIFICATES)
            .findFirst()
            .orElseThrow();
    assertThat(reloaded.tookEffect()).as(output).isTrue();
    assertThat(reloaded.members())
        .hasSize(3)
        .endsWith(reloaded.leaderBefore().orElseThrow())
        .doesNotHaveDuplicates();
    assertThat(reloaded.observed().orElseThrow())
        .matches("(etcd-[1-3]: new certificate after [0-9]+ ms(; )?){3}");
  }

  @Test
  void no_member_is_added_to_an_existing_cluster() throws Exception {
    Files.writeString(
        directory.resolve("maintained.yaml"),
        SCENARIO.replace("defragment 1s, compact 1s, snapshot 1s", "add-member"));
    InProcessRun refused =
        InProcessRun.run(directory, "run", "maintained.yaml", "--endpoints", "127.0.0.1:2379");
    assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
    assertThat(refused.output())
        .contains(
            "faults: found endpoints, and add-member, which Quorate does only in clusters that it");
  }

  private static boolean isAlive(QuorateProcess run) {
    return run.handle().isAlive();
  }

  private static boolean isFurther(ProcessHandle process) {
    return cwd(process).filter(path -> path.endsWith("data/etcd-4")).isPresent();
  }

  /** All processes that work below the directory of this test, which all of a run do. */
  private List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses()
        .filter(each -> cwd(each).filter(path -> path.startsWith(directory)).isPresent())
        .toList();
  }

  private static Optional<Path> cwd(ProcessHandle process) {
    try {
      return Optional.of(
          Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd")));
    } catch (IOException endedOrAnotherUsers) {
      return Optional.empty();
    }
  }
}
