package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.history.HistoryFile;
import io.quorate.history.RecordedRequest;
import io.quorate.history.UniqueValues;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.FaultRecord;
import io.quorate.results.MemberAgreement;
import io.quorate.scenario.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Maintenance of servers with 5 MB of data under load. */
class MaintenanceRunIT {
  private static final String SCENARIO =
      """
      title: Maintenance
      mix: {put: 1, get: 1}
      keys: {size: 16, count: 5_000, order: uniform}
      values: {size: 1KiB}
      load: {rate: 100/s, connections: 6}
      databases: [etcd]
      faults:
        inject: [defragment 1s, compact 1s, snapshot 1s]
        times: 1
        recovery: 3s
        sessions: 0
        watches: 0
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  /** Runs a scenario; returns the output of the run. */
  private String run(String text) throws Exception {
    Files.writeString(directory.resolve("maintained.yaml"), text);
    QuorateProcess run =
        QuorateProcess.run(directory, Map.of(), "run", "maintained.yaml", "--results", "results");
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).contains("5000 keys read from each member, 0 of them differ");
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
      return FaultRecord.read(database);
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void members_of_etcd_are_defragmented_compacted_and_backed_up() throws Exception {
    String output = run(SCENARIO);
    assertThat(output)
        .containsPattern("maintenance [1-3] of 3: defragment \\S+ \\(etcd-., etcd-., etcd-.\\): ")
        .containsPattern("maintenance [1-3] of 3: compact 1s \\(etcd-.\\): etcd-.: compacted up to")
        .containsPattern("maintenance [1-3] of 3: snapshot 1s \\(etcd-.\\): etcd-.: database ");
    List<FaultRecord> done = maintenance("etcd");
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
}
