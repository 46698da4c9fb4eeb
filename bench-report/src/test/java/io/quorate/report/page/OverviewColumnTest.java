// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.SyntheticRun;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.WatchedSteps;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverviewColumnTest {
  @Test
  void repeated_runs_mark_what_the_limits_of_their_run_decide(@TempDir Path directory) {
    RunFigures run = run(directory.resolve("slow"), 200);
    RunFigures faster = run(directory.resolve("fast"), 400);
    assertThat(shade(run)).isEqualTo("worse");
    assertThat(shade(run.withRepeats(List.of(run, faster)))).isEmpty();
  }

  @Test
  void percentiles_of_watches_are_of_the_puts_that_all_watchers_received(@TempDir Path results) {
    RunDirectory run = RunDirectory.create(results, "watch", 1, Manifests.START);
    DatabaseRun etcd = DatabaseRun.read(WatchedSteps.write(run, "etcd").path());
    assertThat(OverviewRow.ofWatches(DatabaseFigures.of(etcd)))
        .hasValueSatisfying(row -> assertThat(row.requests()).isEqualTo(3));
  }

  /** Returns how the lower throughput is marked if two runs had 100/s and 150/s each. */
  private static String shade(RunFigures run) {
    List<OverviewRow> rows = new Overview(run).comparable().get(0).rows();
    List<OverviewRow> changed =
        IntStream.range(0, 2).mapToObj(i -> with(rows.get(i), 100 + 50 * i)).toList();
    Overview.Group group = new Overview.Group(run, "", changed);
    return OverviewColumn.THROUGHPUT.median(rows.get(0).database(), List.of(group, group)).shade();
  }

  private static OverviewRow with(OverviewRow row, double requestsPerSecond) {
    return new OverviewRow(
        row.database(),
        row.requests(),
        OptionalDouble.of(requestsPerSecond),
        row.p50Ms(),
        row.p99Ms(),
        row.errors(),
        row.dropped(),
        row.cpuPercent(),
        row.basis(),
        row.rateBasis());
  }

  private static RunFigures run(Path directory, int requestsPerSecond) {
    return RunFigures.of(
        ExperimentRun.read(
            new SyntheticRun(List.of("etcd", "zookeeper"), 6, requestsPerSecond, List.of(1, 10), 6)
                .write(directory)));
  }
}
