// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.HistoryFile;
import io.quorate.history.RecordedRequest;
import io.quorate.report.TestRuns;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.study.RepeatFigures.MemberTimes;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.FaultRecord;
import io.quorate.results.requests.Golden;
import io.quorate.scenario.FaultPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepeatFiguresTest {
  private static final String TAG = "etcd-v3.3.0-go1.9.3";
  private static final long SECOND = 1_000_000_000;

  @TempDir private Path run;

  @Test
  void a_restart_from_files_that_were_not_cold_has_no_time_and_late_maintenance_has_one() {
    TestRuns.write(run, "etcd", TAG, 1, 5000, Golden.steps(TAG));
    DatabaseDirectory etcd = new DatabaseDirectory(run.resolve("etcd"));
    add(etcd, 1, "kill-all", Optional.empty(), Optional.empty());
    add(etcd, 2, "kill-all-cold", Optional.of("no effect: x"), Optional.of("1 GB in memory"));
    add(etcd, 3, "snapshot", Optional.of("took longer"), Optional.of("1 GB"));
    add(etcd, 4, "kill-leader", Optional.empty(), Optional.empty());
    add(etcd, 5, "kill-leader", OptionalLong.empty(), Optional.empty(), Optional.empty());
    add(etcd, 6, "kill-all 30s", Optional.empty(), Optional.empty());
    try (HistoryFile file = HistoryFile.create(FaultRecord.history(etcd))) {
      HistoryFile.Recorder recorder = file.recorder();
      recorder.add(
          new RecordedRequest(
              0,
              RecordedRequest.Action.PUT,
              7,
              41,
              0,
              0,
              SECOND,
              SECOND + 1,
              RecordedRequest.Outcome.OK,
              0));
      recorder.flush();
    }

    MemberTimes times =
        RepeatFigures.of(1, DatabaseFigures.of(DatabaseRun.read(etcd.path())))
            .orElseThrow()
            .times();

    assertThat(times.seconds())
        .containsEntry("kill-all until all serve (s)", 2.0)
        .containsEntry("snapshot (s)", 10.0)
        .containsEntry("kill-all 30s until all serve (s)", 2.0)
        .doesNotContainKey("kill-leader until all serve (s)")
        .doesNotContainKey("kill-all-cold until all serve (s)");
    assertThat(times.missing())
        .contains(
            "kill-all-cold: no effect: x",
            "kill-leader: 1 of 2 times not all members served again in its time");
  }

  /** Adds a fault of 10 s, after which all members serve 2 s later. */
  private static void add(
      DatabaseDirectory etcd,
      int number,
      String kind,
      Optional<String> problem,
      Optional<String> observed) {
    OptionalLong serving = OptionalLong.of((100 * number + 12) * SECOND);
    add(etcd, number, kind, serving, problem, observed);
  }

  private static void add(
      DatabaseDirectory etcd,
      int number,
      String kind,
      OptionalLong serving,
      Optional<String> problem,
      Optional<String> observed) {
    long start = 100 * number * SECOND;
    FaultRecord.FILE.append(
        etcd,
        new FaultRecord(
            number,
            FaultPlan.Kind.parse(kind).orElseThrow(),
            List.of("etcd-1"),
            start,
            start,
            start + 10 * SECOND,
            start + 20 * SECOND,
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            serving,
            OptionalLong.empty(),
            problem,
            observed,
            Optional.empty()));
  }
}
