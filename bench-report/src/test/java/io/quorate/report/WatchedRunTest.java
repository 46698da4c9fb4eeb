// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.quorate.report.figures.RunFigures;
import io.quorate.report.page.RunIndex;
import io.quorate.results.ExperimentRun;
import io.quorate.results.requests.OperationSteps;
import io.quorate.results.requests.WatchedSteps;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report about a run whose puts had watchers. */
class WatchedRunTest {
  private static GoldenRun run;

  @BeforeAll
  static void report(@TempDir Path results) {
    run = new GoldenRun(results);
    WatchedSteps.write(run.directory(), "etcd");
    WatchedSteps.write(run.directory(), "consul");
    run.report().write();
  }

  @Test
  void the_table_has_rows_for_events_and_watch_latencies() {
    String table = run.read("all-aggregated.txt");
    assertThat(table.lines().map(line -> line.replaceAll("\\s+", " ")))
        .contains(
            "| WATCH-EVENTS | 44 | 44 |",
            "| WATCH-EVENTS-COALESCED | 6 | 6 |",
            "| WATCH-EVENTS-LOST | 4 | 4 |");
    assertThat(table).contains("Watch p50, first", "Watch p99, last");
  }

  @Test
  void what_was_lost_is_told_below_the_table() {
    assertThat(run.read("all-aggregated.txt"))
        .contains(
            "etcd: of 40 events of watchers 30 were delivered; 4 were lost, 6 were coalesced with"
                + " later ones of the same key, 2 came again, 1 came out of order; watches were cut 10 times (")
        .doesNotContain("(step ");
  }

  @Test
  void the_page_has_a_table_of_the_watchers_of_each_step() {
    assertThat(run.read("index.html").replaceAll(" data-label=\"[^\"]*\"", ""))
        .contains(
            "<th scope=\"row\" align=\"left\">Consul, 1 watcher on 1 stream</th>",
            "<th scope=\"row\" align=\"left\">etcd, 10 watchers on 5 streams</th>"
                + "<td align=\"right\">1.00 ms</td><td align=\"right\">2.00 ms</td>"
                + "<td align=\"right\">5.00 ms</td><td align=\"right\">9.00 ms</td>"
                + "<td align=\"right\">30 of 40</td><td align=\"right\">6</td>"
                + "<td align=\"right\">4</td><td align=\"right\">2</td><td align=\"right\">20</td>"
                + "<td align=\"right\">30.0 ms</td>");
  }

  @Test
  void the_first_sentences_say_that_events_are_missing() {
    assertThat(run.read("index.html").replace('\u00a0', ' '))
        .contains(
            "Watches did not report each change: etcd reported 34 of 44 changes (6 merged, 4 lost); Consul"
                + " reported 34 of 44 changes (6 merged, 4 lost).");
  }

  @Test
  void the_watch_latency_of_the_most_watchers_is_plotted_by_percentile() {
    assertThat(run.read("plots/WATCH-LATENCY-DISTRIBUTION-MS.svg"))
        .contains(
            "Watch latency by percentile of the puts",
            "etcd first: 1 for half of them, 1 for 99%, 1 for the slowest.",
            "Consul last: 5 for half of them, 9 for 99%, 9 for the slowest.");
  }

  @Test
  void the_watch_latency_is_no_load(@TempDir Path results) {
    GoldenRun other = new GoldenRun(results);
    Path manifest = WatchedSteps.write(other.directory(), "etcd").manifest();
    String name = "etcd/" + manifest.getFileName();
    other.write(name, other.read(name).replaceFirst("\"clients\" : 2", "\"clients\" : 1"));
    RunFigures read = RunFigures.of(ExperimentRun.read(other.directory().path()));
    List<RunIndex.Part> parts = List.of(new RunIndex.Run("run", read, List.of(), false));
    assertThat(RunIndex.of("index", parts, false).loads())
        .extracting(RunIndex.Load::load, RunIndex.Load::picture)
        .containsExactly(tuple("2 clients (the last of 2 loads)", ""));
  }

  @Test
  void a_run_without_watchers_says_nothing_of_them(@TempDir Path results) {
    GoldenRun other = new GoldenRun(results);
    OperationSteps.write(other.directory(), "etcd");
    other.report().write();
    assertThat(other.read("index.html")).doesNotContain("watcher", "WATCH-LATENCY");
    assertThat(other.read("all-aggregated.txt")).doesNotContain("WATCH", "Watch");
  }
}
