// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.format.StrictJson;
import io.quorate.report.TestRuns;
import io.quorate.report.history.MadeUpHistory.Printed;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixManifest;
import io.quorate.results.manifest.BuildInfo;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryUpdateTest {
  private static final String ETCD = "etcd-v3.3.0-go1.9.3";
  private static final String START = Manifests.START.toString();
  private static final String COSTS =
      """
      "loadGeneratorCosts" : [ {"step": 1, "clients": 1, "requests": 5000, "elapsedNanos": 1000, \
      "requestNanos": 1000, "cpuNanos": 1000, "machineLoad": 1.0, "gcPauseNanos": 0, \
      "longestGcPauseNanos": 0} ]\
      """;

  @TempDir Path home;

  private MadeUpHistory history() {
    return new MadeUpHistory(home.resolve("perf"));
  }

  private String added(Path... runs) {
    return history()
        .history(
            Stream.of(runs).flatMap(run -> Stream.of("--add", run + "")).toArray(String[]::new))
        .out();
  }

  /** Writes a run of a database that started at this time. */
  private static Path run(Path run, String database, String start) throws IOException {
    Files.createDirectories(run);
    TestRuns.write(run, database, ETCD, 1, 5000, Golden.steps(ETCD));
    MadeUpHistory.change(run.resolve(database), START, start);
    return run;
  }

  @Test
  void aRunThatSaysNothingIsLeftOut() throws IOException {
    Path cold = run(home.resolve("cold"), "etcd", START);
    MadeUpHistory.change(
        cold.resolve("etcd"), "\"onFailure\"", "\"coldStart\" : true, \"onFailure\"");
    String out = added(cold, run(home.resolve("warm"), "zookeeper", START));
    assertThat(out)
        .contains("left out: " + cold.resolve("etcd") + " says nothing: the load generator's code")
        .contains("added 1 run to");
  }

  private static Path copied(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    try (Stream<Path> files = Files.walk(from)) {
      for (Path each : files.toList()) {
        Files.copy(each, to.resolve(from.relativize(each)));
      }
    }
    return to;
  }

  /** Writes a matrix of two cells with two repeats that has not begun. */
  private static MatrixDirectory matrix(Path path) throws IOException {
    MatrixDirectory matrix = new MatrixDirectory(path);
    Files.createDirectories(matrix.cells());
    MatrixManifest plan =
        new MatrixManifest(
            "study",
            "Study",
            "",
            Manifests.START,
            new BuildInfo(Optional.empty(), Optional.empty(), false),
            1,
            2,
            List.of("database", "load"),
            List.of(
                new MatrixManifest.Cell("001-etcd-low", Map.of("database", "etcd, low")),
                new MatrixManifest.Cell("002-etcd-high", Map.of("database", "etcd, high"))),
            Map.of(),
            "title: Study\n");
    Files.writeString(path.resolve("matrix.json"), StrictJson.text(plan));
    return matrix;
  }

  private static Path repeat(MatrixDirectory matrix, String cell, int repeat, String start)
      throws IOException {
    return run(matrix.nextAttempt(cell, repeat).path(), "etcd", start);
  }

  @Test
  void runs_with_values_of_another_size_are_another_series() throws IOException {
    Path small = run(home.resolve("small"), "etcd", "2026-11-21T07:51:46Z");
    Path large = run(home.resolve("large"), "etcd", "2026-11-21T07:51:47Z");
    MadeUpHistory.change(large.resolve("etcd"), "\"valueBytes\" : 256", "\"valueBytes\" : 1024");
    assertThat(added(small, large)).contains("No change in 8 series of 2 runs\n");
  }

  @Test
  void two_runs_may_have_directories_of_the_same_name() throws IOException {
    Path monday = run(home.resolve("monday/baseline"), "etcd", "2026-11-21T07:51:46Z");
    Path friday = run(home.resolve("friday/baseline"), "etcd", "2026-11-21T07:51:47Z");
    assertThat(history().history("--add", monday + "", "--build", "71").out())
        .startsWith("added 1 run to ");
    assertThat(history().history("--add", friday + "", "--build", "72", "--by", "build").out())
        .startsWith("added 1 run to ")
        .contains("in 4 series of 2 runs\n");
    assertThat(history().text()).hasLineCount(2).contains("\"71\"", "\"72\"");
  }

  @Test
  void a_run_in_two_directories_is_added_once() throws IOException {
    Path run = run(home.resolve("20261121T075146Z"), "etcd", START);
    Path copy = copied(run, home.resolve("baselines/main"));
    assertThat(added(run, copy)).startsWith("added 1 run to ");
    assertThat(added(copy)).startsWith("quick/main is already in the history\n");
    assertThat(history().text()).hasLineCount(1).contains("\"run\":\"quick/20261121T075146Z\"");
  }

  @Test
  void a_run_with_other_values_than_in_the_history_is_named() throws IOException {
    Path run = run(home.resolve("first"), "etcd", START);
    Path copy = copied(run, home.resolve("second"));
    MadeUpHistory.change(copy.resolve("etcd"), "\"loadGeneratorCosts\" : [ ]", COSTS);
    assertThat(added(run)).startsWith("added 1 run to ");
    assertThat(added(copy))
        .startsWith("quick/second is in the history with other values, which are kept\n");
    assertThat(history().text()).hasLineCount(1);
  }

  @Test
  void jobs_that_start_in_the_same_second_do_not_conflict() throws IOException {
    Path one = run(home.resolve("one/20261121T075146Z"), "etcd", "2026-11-21T07:51:46.1Z");
    Path two = run(home.resolve("two/20261121T075146Z"), "etcd", "2026-11-21T07:51:46.100000001Z");
    assertThat(added(one, two)).startsWith("added 2 runs to ").contains("series of 2 runs\n");
    assertThat(history().text())
        .contains(
            "\"start\":\"2026-11-21T07:51:46.100Z\"",
            "\"start\":\"2026-11-21T07:51:46.100000001Z\"");
  }

  @Test
  void databases_of_a_run_are_one_run() throws IOException {
    Path run = run(home.resolve("baseline"), "etcd", "2026-11-21T07:51:46Z");
    run(run, "zookeeper", "2026-11-21T07:51:48Z");
    Path next = run(home.resolve("next/baseline"), "zookeeper", "2026-11-21T07:51:50Z");
    assertThat(added(run, next)).startsWith("added 2 runs to ").contains("in 8 series of 2 runs\n");
    assertThat(history().text().split("\"runStart\":\"2026-11-21T07:51:46Z\"", -1)).hasSize(3);
  }

  @Test
  void a_resumed_matrix_in_the_directory_is_completed() throws IOException {
    MatrixDirectory matrix = matrix(history().directory().resolve("20261121T075146Z"));
    repeat(matrix, "001-etcd-low", 1, "2026-11-21T07:51:46Z");
    repeat(matrix, "002-etcd-high", 1, "2026-11-21T07:51:47Z");
    Path broken = repeat(matrix, "001-etcd-low", 2, "2026-11-21T07:51:48Z");
    MadeUpHistory.change(broken.resolve("etcd"), "\"complete\"", "\"interrupted\"");
    assertThat(history().history().out())
        .contains(
            "left out: ", "001-etcd-low/2/etcd is not complete (interrupted).\nadded 2 runs to ");

    repeat(matrix, "001-etcd-low", 2, "2026-11-21T07:52:06Z");
    repeat(matrix, "002-etcd-high", 2, "2026-11-21T07:52:05Z");
    assertThat(history().history().out())
        .startsWith("added 2 runs to ")
        .contains("series of 4 runs\n");
    assertThat(history().history().out()).startsWith("The longest series has 2 runs.");
    assertThat(history().text())
        .hasLineCount(4)
        .contains("\"run\":\"study/20261121T075146Z/001-etcd-low/2-2\"")
        .contains("\"scenario\":\"study\",\"database\":\"etcd, high\"");
  }

  @Test
  void a_database_that_is_complete_later_is_added_to_its_run() throws IOException {
    Path run = run(history().directory().resolve("20261121T075146Z"), "etcd", START);
    assertThat(history().history().out()).startsWith("added 1 run to ");
    run(run, "zookeeper", "2026-11-21T07:51:47Z");
    assertThat(history().history().out())
        .startsWith("added 1 run to ")
        .contains("series of 1 run\n")
        .doesNotContain("already");
    assertThat(history().text()).hasLineCount(2);
  }

  @Test
  void a_run_of_a_cell_is_the_same_alone_and_with_its_matrix() throws IOException {
    MatrixDirectory matrix = matrix(home.resolve("study/20261121T075146Z"));
    Path run = repeat(matrix, "002-etcd-high", 1, START);
    assertThat(added(matrix.path())).startsWith("added 1 run to ");
    assertThat(added(run))
        .startsWith("study/20261121T075146Z/002-etcd-high/1 is already in the history\n");
    assertThat(history().text()).hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--commit", "--build"})
  void ids_have_1_to_300_characters(String option) throws IOException {
    String run = run(home.resolve("run"), "etcd", START).toString();
    String expected = " characters, expected an id of 1 to 300 that are not all blank\n";
    assertThat(history().history("--add", run, option, "").err())
        .startsWith(option + ": found 0" + expected);
    assertThat(history().history("--add", run, option, " \t ").err())
        .startsWith(option + ": found 3" + expected);
    Printed printed = history().history("--add", run, option, "x".repeat(301));
    assertThat(printed.err()).startsWith(option + ": found 301" + expected);
    assertThat(printed.code()).isEqualTo(2);
    assertThat(history().directory()).doesNotExist();
    assertThat(history().history("--add", run, option, "x".repeat(300)).code()).isZero();
  }

  @Test
  void blank_variables_are_absent_and_long_ones_are_refused() throws IOException {
    String run = run(home.resolve("run"), "etcd", START).toString();
    Map<String, String> variables = Map.of("GIT_COMMIT", "x".repeat(301), "BUILD_NUMBER", " ");
    Printed printed = history().history(variables, "--add", run);
    assertThat(printed.err())
        .startsWith("GIT_COMMIT: found 301 characters, expected an id of 1 to 300");
    assertThat(printed.code()).isEqualTo(2);
    assertThat(history().history(variables, "--add", run, "--commit", "beef").code()).isZero();
    assertThat(history().text()).contains("\"commit\":\"beef\",\"scenario\"");
  }

  @Test
  void a_cell_with_a_long_label_is_named_by_its_id() throws IOException {
    MatrixDirectory matrix = matrix(home.resolve("study"));
    repeat(matrix, "002-etcd-high", 1, START);
    Path plan = matrix.path().resolve("matrix.json");
    Files.writeString(plan, Files.readString(plan).replace("etcd, high", "x".repeat(301)));
    assertThat(added(matrix.path())).startsWith("added 1 run to ");
    assertThat(history().text()).contains("\"database\":\"002-etcd-high\"");
  }

  @Test
  void long_conditions_are_cut() throws IOException {
    Path run = run(home.resolve("run"), "etcd", START);
    MadeUpHistory.change(
        run.resolve("etcd"), "17.0.15+6", "j".repeat(19_999) + "\ud83d\ude00" + "k");
    assertThat(added(run)).startsWith("added 1 run to ");
    assertThat(history().text()).contains("\"java\":\"" + "j".repeat(19_999) + "\"");
  }
}
