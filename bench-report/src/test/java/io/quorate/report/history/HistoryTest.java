// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.TestRuns;
import io.quorate.report.history.MadeUpHistory.Printed;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
  private static final String ETCD = "etcd-v3.3.0-go1.9.3";

  @TempDir Path home;

  private MadeUpHistory history() {
    return new MadeUpHistory(home.resolve("perf"));
  }

  private Path run(String name) {
    RunDirectory run = RunDirectory.create(home.resolve(name), "quick", 1, Manifests.START);
    TestRuns.write(run.path(), "etcd", ETCD, 1, 5000, Golden.steps(ETCD));
    return run.path();
  }

  private static List<HistoryEntry> shifted(int runs, int change) {
    return MadeUpHistory.runs("etcd", MadeUpHistory.levels(1, runs, change, 5, 6));
  }

  @Test
  void a_run_is_added_with_its_commit_and_build() {
    Path run = run("results");
    Printed printed =
        history().history("--add", run.toString(), "--commit", "abc", "--build", "17");
    assertThat(printed.err()).isEmpty();
    assertThat(printed.out())
        .isEqualTo(
            """
            added 1 run to %s
            The longest series has 1 run. Changes are reliable from 10 runs on.
            No change in 4 series of 1 run
            page: %s
            """
                .formatted(history().file(), history().directory().resolve("history.html")));
    assertThat(history().text())
        .startsWith(
            "{\"formatVersion\":1,\"run\":\"quick/20261121T075146Z\",\"runStart\":\"2026-11-21T07:51:46Z\","
                + "\"start\":\"2026-11-21T07:51:46Z\","
                + "\"commit\":\"abc\",\"build\":\"17\",\"scenario\":\"quick\",\"database\":\"etcd\",\"title\":\"etcd"
                + " 3.6.16\",\"conditions\":{\"operations\":")
        .contains("{\"throughput\":411.7")
        .hasLineCount(1);
  }

  @Test
  void a_run_is_added_once() {
    String run = run("results").toString();
    history().history("--add", run);
    String before = history().text();
    Printed printed = history().history("--add", run, "--add", run);
    assertThat(printed.out()).startsWith("quick/20261121T075146Z is already in the history\n");
    assertThat(history().text()).isEqualTo(before);
  }

  @Test
  void variables_of_ci_servers_name_commit_and_build() {
    String run = run("results").toString();
    Map<String, String> jenkins =
        Map.of("GITHUB_SHA", " ", "GIT_COMMIT", "cafe", "BUILD_NUMBER", "7");
    history().history(jenkins, "--add", run);
    assertThat(history().text()).contains("\"commit\":\"cafe\",\"build\":\"7\"");
  }

  @Test
  void options_precede_variables() {
    String run = run("results").toString();
    history().history(Map.of("GITHUB_SHA", "cafe"), "--add", run, "--commit", "beef");
    assertThat(history().text()).contains("\"commit\":\"beef\",\"scenario\"");
  }

  @Test
  void runs_in_the_directory_are_added_without_links() throws IOException {
    Path run = run("perf");
    Files.createSymbolicLink(home.resolve("perf/link"), run("elsewhere").getParent());
    Printed printed = history().history(Map.of("GITHUB_SHA", "cafe"));
    assertThat(printed.out()).startsWith("added 1 run to ");
    assertThat(history().text()).hasLineCount(1).doesNotContain("cafe");

    Files.move(run, run.resolveSibling("20261122T075146Z"));
    assertThat(history().history().out()).startsWith("The longest series has 1 run.");
    Path manifest = run("perf").resolve("etcd/manifest.json");
    Files.writeString(manifest, Files.readString(manifest).replace(":51:46Z", ":51:47Z"));
    assertThat(history().history().out()).startsWith("added 1 run to ");
    assertThat(history().history().out()).startsWith("The longest series has 2 runs.");
    assertThat(history().text()).hasLineCount(2);
  }

  @Test
  void without_a_run_there_is_a_next_step() throws IOException {
    String expected =
        "%s: found no history. Add a run that may be compared: ./quorate history %s --add results/<scenario>/<run>\n"
            .formatted(history().directory(), history().directory());
    assertThat(history().history()).isEqualTo(new Printed(1, "", expected));
    Files.createDirectory(history().directory());
    assertThat(history().history()).isEqualTo(new Printed(1, "", expected));
    assertThat(history().directory()).isEmptyDirectory();
  }

  @Test
  void an_incomplete_run_is_named() throws IOException {
    Path manifest = run("perf").resolve("etcd/manifest.json");
    Files.writeString(
        manifest, Files.readString(manifest).replace("\"complete\"", "\"interrupted\""));
    assertThat(history().history().err())
        .contains(
            "left out: ",
            "etcd is not complete (interrupted).",
            "found no history. Add a run that may be compared");
  }

  @Test
  void a_run_that_ended_early_is_left_out() throws IOException {
    Path manifest = run("perf").resolve("etcd/manifest.json");
    Files.writeString(
        manifest, Files.readString(manifest).replace("\"complete\"", "\"ended-early\""));
    assertThat(history().history().err())
        .contains("what ended early, or goes on, covers a part of its load and is not compared");
  }

  @Test
  void a_change_has_its_size_date_commits_and_build() {
    history().add(shifted(20, 12));
    Printed printed = history().history();
    assertThat(printed.out())
        .isEqualTo(
            """
            slower: p99 of etcd, 10 clients, put (quick): 4.95 ms -> 6.00 ms (+21%%) since 2026-11-13
              02:00, commits abcdef0b..abcdef0c, build 13
            1 change in 1 series of 20 runs
            page: %s
            """
                .formatted(history().directory().resolve("history.html")));
  }

  @Test
  void changes_near_the_ends_are_pending_and_short_ones_have_their_length() {
    history().add(shifted(20, 17));
    assertThat(history().history().out().replace("\n  ", " "))
        .contains("since 2026-11-18 02:00", ", pending\n");

    MadeUpHistory early = new MadeUpHistory(home.resolve("early")).add(shifted(20, 3));
    assertThat(early.history().out().replace("\n  ", " "))
        .contains("since 2026-11-04 02:00", ", pending\n");

    double[] values = MadeUpHistory.levels(2, 28, 20, 5, 10);
    System.arraycopy(MadeUpHistory.levels(3, 5, 0, 5, 5), 0, values, 23, 5);
    MadeUpHistory other =
        new MadeUpHistory(home.resolve("other")).add(MadeUpHistory.runs("etcd", values));
    assertThat(other.history().out())
        .contains("2 changes in 1 series of 28 runs", ", lasted 3 runs\n")
        .doesNotContain("pending");
  }

  @Test
  void a_change_of_throughput_upwards_is_faster_and_of_counts_has_no_percentage() {
    List<HistoryEntry> entries = new ArrayList<>();
    for (int day = 0; day < 20; day++) {
      Map<String, Double> metrics = new LinkedHashMap<>();
      metrics.put("throughput", day < 10 ? 1000.0 + day : 1200.0 + day);
      metrics.put("errors", day < 10 ? day % 2 : 20.0 + day % 2);
      entries.add(MadeUpHistory.run(day, "etcd", metrics));
    }
    history().add(entries);
    assertThat(history().history().out())
        .contains("faster: throughput of etcd, 10 clients, put (quick): 1,005/s -> 1,215/s (+21%)")
        .contains("more: errors of etcd, 10 clients, put (quick): 0.5 -> 20.5 (+20)");
    assertThat(history().page()).contains("1 more, 1 faster");
  }

  @Test
  void without_a_change_there_is_one_sentence() {
    history().add(shifted(12, 12));
    assertThat(history().history().out()).startsWith("No change in 1 series of 12 runs\n");
    assertThat(history().page()).contains("1 without change").doesNotContain("<table");
  }

  @Test
  void values_that_are_always_zero_have_no_plot() {
    List<HistoryEntry> entries = new ArrayList<>();
    for (int day = 0; day < 3; day++) {
      entries.add(MadeUpHistory.run(day, "etcd", Map.of("errors", 0.0, "p99", 5.0)));
    }
    history().add(entries).history();
    assertThat(history().page())
        .contains("Without a plot, as all values are 0: errors.", "quick: p99, 10 clients, put")
        .doesNotContain("quick: errors");
  }

  @Test
  void two_runs_have_no_plots() {
    history().add(shifted(2, 2)).history();
    assertThat(history().page())
        .contains("<h2 id=\"changes-title\">2 runs: nothing to compare yet</h2>")
        .doesNotContain("<svg");
  }

  @Test
  void runs_of_different_loads_are_different_series() {
    List<HistoryEntry> entries = new ArrayList<>(shifted(10, 10));
    for (int day = 10; day < 20; day++) {
      entries.add(
          MadeUpHistory.run(
              day, "etcd", "etcd 3.6.16", "100 clients", Map.of("p99", 50.0 + day % 2)));
    }
    history().add(entries);
    assertThat(history().history().out()).startsWith("No change in 2 series of 20 runs\n");
    assertThat(history().page())
        .contains("etcd, load 10 clients, 1000 requests", "etcd, load 100 clients");
  }

  @Test
  void the_page_names_what_else_changed() {
    List<HistoryEntry> entries = new ArrayList<>(shifted(20, 10));
    for (int day = 10; day < 20; day++) {
      double p99 = entries.get(day).rows().values().iterator().next();
      entries.set(
          day,
          MadeUpHistory.run(
              day, "etcd", "etcd 3.7.0", "10 clients, 1000 requests", Map.of("p99", p99)));
    }
    history().add(entries).history();
    assertThat(history().page())
        .contains("<h2 id=\"changes-title\">1 slower</h2>", "database: etcd 3.6.16 to etcd 3.7.0");
  }

  @Test
  void metrics_and_databases_restrict_the_series() {
    history().add(shifted(12, 12)).add(MadeUpHistory.runs("consul", 1, 2));
    assertThat(history().history("--database", "consul").out()).contains("in 1 series of 2 runs");
    assertThat(history().history("--metric", "p50").err())
        .contains("no run has these metrics and databases. Its databases are 'consul', 'etcd'");
    assertThat(history().history("--metric", "p98").err())
        .startsWith("--metric: found 'p98', expected throughput, p50, p90,");
    assertThat(history().history("--by", "day").err())
        .startsWith("--by: found 'day', expected commit, build, date");
  }

  @Test
  void plots_are_by_commit_build_or_date() {
    history().add(shifted(12, 12));
    assertThat(history().history().code()).isZero();
    assertThat(history().page()).contains("runs of quick by commit", "2026-11-01 02:00, commit ");
    history().history("--by", "build");
    assertThat(history().page()).contains("runs of quick by build", "\"text\":\"12\"");
    history().history("--by", "date");
    assertThat(history().page()).contains("runs of quick by date", "\"text\":\"2026-11-01\"");
  }

  @Test
  void hostile_texts_are_escaped() {
    String evil = "<script>alert(1)</script>\u001b[31m\u202e";
    List<HistoryEntry> entries = new ArrayList<>();
    for (HistoryEntry each : MadeUpHistory.runs(evil, MadeUpHistory.levels(1, 20, 10, 5, 6))) {
      entries.add(
          new HistoryEntry(
              each.run(),
              each.runStart(),
              each.start(),
              each.commit().map(id -> evil + id),
              each.build().map(id -> evil + id),
              evil,
              evil,
              evil + each.run(),
              Map.of("Java", evil + each.run()),
              each.values()));
    }
    history().add(entries);
    assertThat(history().history().out())
        .contains("1 change in 1 series", "\\x1b[31m")
        .doesNotContain("\u001b", "\u202e");
    assertThat(history().page())
        .contains("&lt;script&gt;alert", "\\x1b[31m")
        .doesNotContain("<script>alert", "\u001b", "\u202e");
    assertThat(history().history("--format", "go").out()).doesNotContain("\u001b", "<");
  }

  @Test
  void a_thousand_runs_of_three_databases_fit_into_small_files() throws IOException {
    List<HistoryEntry> entries = new ArrayList<>();
    Map<String, Double> metrics = new LinkedHashMap<>();
    for (int day = 0; day < 1_000; day++) {
      for (String database : List.of("etcd", "zookeeper", "consul")) {
        int number = entries.size();
        List.of("throughput", "p50", "p90", "p99", "p99.9", "max", "errors", "server-cpu")
            .forEach(id -> metrics.put(id, 1234.56 + number % 100));
        HistoryEntry run = MadeUpHistory.run(day, database, metrics);
        List<HistoryEntry.Group> groups = new ArrayList<>();
        for (int step = 1; step <= 3; step++) {
          groups.add(
              MadeUpHistory.group(
                  "step %d: %d clients, put".formatted(step, 10 * step),
                  OptionalInt.of(step),
                  metrics));
        }
        entries.add(
            new HistoryEntry(
                run.run(),
                run.runStart(),
                run.start(),
                run.commit(),
                run.build(),
                run.scenario(),
                database,
                run.title(),
                Map.of("Java", "17.0.15+6-Debian-1deb12u1 ".repeat(27)),
                groups));
      }
    }
    history().add(entries);
    assertThat(history().history().code()).isZero();
    assertThat(Files.size(history().file())).isLessThan(5_000_000);
    assertThat(history().page()).hasSizeLessThan(5_000_000);
  }
}
