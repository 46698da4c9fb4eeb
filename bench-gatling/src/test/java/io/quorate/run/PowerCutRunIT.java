// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.PowerCutDisks;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.FaultRecord;
import io.quorate.results.manifest.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cuts the power of real members. */
@RequiresDatabase("etcd")
class PowerCutRunIT {
  private static final String SCENARIO =
      """
      title: Power cuts
      mix: {put: 9, get: 1}
      cold-start: true
      databases: [etcd]
      keys: {size: 16, count: 50, distribution: uniform}
      values: {size: 1KiB}
      load: {rate: 100/s, connections: 6}
      faults: {inject: [%s], times: 1, quiet: 1s, jitter: 0s, recovery: 9s, sessions: 0, watches: 0%s}
      """;

  @TempDir private Path directory;

  @BeforeAll
  static void requireHelper() {
    PowerCutDisks.require();
  }

  private InProcessRun run(String options, String faults) throws IOException {
    Files.writeString(directory.resolve("cut.yaml"), SCENARIO.formatted(faults, options));
    return InProcessRun.run(directory, "run", "cut.yaml", "--results", "results");
  }

  private static DatabaseDirectory results(InProcessRun run) throws IOException {
    return new DatabaseDirectory(run.onlyRun("cut").resolve("etcd"));
  }

  @Test
  void etcd_loses_nothing_that_it_acknowledged() throws Exception {
    InProcessRun run = run("", "power-cut-all 1s");
    List<FaultRecord> faults = FaultRecord.FILE.read(results(run));
    assertThat(faults).as(run.output()).hasSize(1);
    assertThat(faults.get(0).members()).containsExactly("etcd-1", "etcd-2", "etcd-3");
    assertThat(faults.get(0).observed().orElseThrow())
        .matches(
            "[1-3] of 3 members lost something \\(seed 1000004\\):"
                + " etcd-1 lost .+; etcd-2 lost .+; etcd-3 lost .+");
    assertThat(faults.get(0).notStarted()).isEmpty();
    assertThat(run.output())
        .contains("acknowledged keys verified, all correct")
        .contains("lost, stale or unexplained values in the load: none seen");
    assertThat(Manifest.read(results(run).manifest()).host().disk().orElseThrow())
        .startsWith("a file system that can lose power (strict, entries as in ext4), above ");
    assertThat(results(run).path().resolve("data")).doesNotExist();
  }

  @Test
  void a_follower_whose_disk_fails_ends_starts_again_and_loses_nothing() throws Exception {
    InProcessRun run =
        run("", "slow-fsync-follower 2s, disk-full-follower 3s, failed-fsync-follower 3s");
    List<FaultRecord> faults = FaultRecord.FILE.read(results(run));
    assertThat(faults).as(run.output()).hasSize(3);
    for (FaultRecord each : faults) {
      assertThat(each.problem()).as(run.output()).isEmpty();
      assertThat(each.members()).hasSize(1);
      assertThat(each.notStarted()).isEmpty();
      assertThat(each.observed().orElseThrow())
          .matches(
              switch (each.kind().fault()) {
                case SLOW_FSYNC_FOLLOWER -> "no process ended";
                default -> "etcd-[123] ended: .+";
              });
    }
    assertThat(run.output())
        .contains("acknowledged keys verified, all correct")
        .contains("lost, stale or unexplained values in the load: none seen");
  }

  @Test
  void a_disk_that_lies_loses_acknowledged_writes() throws Exception {
    InProcessRun run = run(", disk: lying", "power-cut-all 1s");
    assertThat(run.exitCode()).as(run.output()).isNotZero();
    assertThat(FaultRecord.FILE.read(results(run)).get(0).problem()).isEmpty();
    assertThat(run.output()).containsPattern("etcd: [0-9,]+ lost write");
    assertThat(run.onlyRun("cut").resolve("index.html"))
        .content()
        .contains("lost write", "a file system that can lose power")
        .contains("which makes each write slower");
  }
}
