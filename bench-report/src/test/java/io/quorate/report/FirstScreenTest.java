// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.page.PageTemplate;
import io.quorate.report.page.RunIndex;
import io.quorate.report.study.MatrixReport;
import io.quorate.report.study.MatrixResults;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.capacity.Searches;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.StepUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** No sentence of a page contradicts a table, a mark, or another sentence. */
class FirstScreenTest {
  private static final Path PUBLISHED = Path.of("..", "results", "example");
  private static final Path FROZEN = Path.of("src/test/resources/io/quorate/report/frozen");
  private static final List<String> TWO = List.of("etcd", "zookeeper");

  @TempDir Path home;

  @TestFactory
  Stream<DynamicTest> sentences_of_published_runs_agree_with_their_values() throws IOException {
    List<Path> results =
        TestRuns.files(PUBLISHED).stream()
            .filter(file -> file.getFileName().toString().equals("result.json"))
            .toList();
    assertThat(results).hasSizeGreaterThan(12);
    return results.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getParent().getFileName().toString(), () -> check(file.getParent())));
  }

  @TestFactory
  Stream<DynamicTest> sentences_of_frozen_runs_agree_with_their_values() {
    return Stream.of("closed", "open", "watch", "capacity")
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      Path run = home.resolve(name);
                      TestRuns.copy(FROZEN.resolve(name), run);
                      write(run);
                    }));
  }

  /** A way to make a run in an empty directory, whose report is not written yet. */
  private interface Maker {
    Path make(Path empty) throws IOException;
  }

  @TestFactory
  Stream<DynamicTest> sentences_of_made_up_runs_agree_with_their_values() {
    Map<String, Maker> runs =
        Map.ofEntries(
            Map.entry("unequal clients", home -> golden(home).directory().path()),
            Map.entry("equal clients", home -> golden(home).withEqualClients().directory().path()),
            Map.entry("a mix", home -> SyntheticRun.mixed(TWO, 12, 400).write(home)),
            Map.entry("a held rate", home -> SyntheticRun.open(TWO, 12, 400, 200).write(home)),
            Map.entry("drops", home -> SyntheticRun.open(TWO, 12, 400, 200, 800).write(home)),
            Map.entry(
                "a late load generator",
                home -> SyntheticRun.open(Duration.ofMillis(11), TWO, 12, 400, 800).write(home)),
            Map.entry(
                "steps with errors",
                home -> new SyntheticRun(TWO, 12, 400, List.of(1, 10), 8).write(home)),
            Map.entry("a tie", home -> new SyntheticRun(TWO, 40, 400, List.of(10), 40).write(home)),
            Map.entry("a busy machine", FirstScreenTest::busy),
            Map.entry("a delay", FirstScreenTest::delayed),
            Map.entry("a stall", FirstScreenTest::stalled),
            Map.entry("a capacity", home -> search(home, "", "")),
            Map.entry("an unstable search", home -> search(home, "\"found\"", "\"unstable\"")),
            Map.entry(
                "trials that disagree",
                home -> {
                  Path run = search(home, "\"found\"", "\"unstable\"");
                  replace(
                      run.resolve("etcd/trials.jsonl"),
                      "\"load\":8200,\"whole",
                      "\"load\":8700,\"whole");
                  return run;
                }),
            Map.entry("a wide range", home -> search(home, "\"load\":8610", "\"load\":9200")),
            Map.entry("a cliff", home -> search(home, "\"found\"", "\"cliff\"")),
            Map.entry("no load that fails", home -> search(home, "\"found\"", "\"none-fails\"")),
            Map.entry("no load that passes", home -> conclusion(home, "none-passes", 8_610)),
            Map.entry(
                "beyond the load generator",
                home -> conclusion(home, "limited-by-load-generator", 8_610)));
    return runs.entrySet().stream()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.getKey(),
                    () -> {
                      Path empty = Files.createDirectory(home.resolve(each.getKey()));
                      write(each.getValue().make(empty));
                    }));
  }

  @Test
  void sentences_of_published_matrices_and_indexes_agree_with_their_values() throws IOException {
    for (Path file : TestRuns.files(PUBLISHED)) {
      if (file.endsWith("matrix-result.json")) {
        assertThat(MatrixSentences.problems(file.getParent())).isEmpty();
      }
    }
    for (PublishedRuns each : PublishedRuns.below(Path.of("..", "results"))) {
      checkIndex(each.path());
    }
  }

  @Test
  void the_index_of_repeated_runs_and_of_searches_agrees_with_their_pages() throws IOException {
    Path wide = wideAndNarrow(home);
    checkIndex(wide);
    String page = Files.readString(wide.resolve("index.html"));
    assertThat(page).contains("; inconclusive, between ", "; no result");
    Map<String, String> lies =
        Map.of(
            "A/A band: throughput [\\d,]+%", "A/A band: throughput 1%",
            "(<span class=\"value\">)[\\d,]+", "$19,999",
            "--part:\\d+", "--part:12",
            "; no result", "; 9 writes/s",
            "run-1/index.html", "run-0/index.html");
    lies.forEach(
        (truth, lie) ->
            assertThat(indexProblems(page.replaceFirst(truth, lie), wide)).as(lie).isNotEmpty());
  }

  /**
   * Makes repeated runs in which one database varies by more than another differs from the best
   * one, and two searches.
   */
  private static Path wideAndNarrow(Path home) throws IOException {
    Path directory = Files.createDirectory(home.resolve("published"));
    List<RunIndex.Part> parts = new ArrayList<>();
    int[][] rates = {{500, 1_000, 1_600}, {505, 1_010, 2_200}, {495, 1_005, 1_500}};
    for (int[] of : rates) {
      Path made = home.resolve("made-" + parts.size());
      Path run = directory.resolve("run-" + parts.size());
      Files.createDirectory(run);
      for (int i = 0; i < of.length; i++) {
        String database = List.of("etcd", "zookeeper", "consul").get(i);
        Path one = new SyntheticRun(List.of(database), 4, of[i], List.of(10), 4).write(made);
        Files.move(one.resolve(database), run.resolve(database));
      }
      parts.add(part(run));
    }
    List<Maker> searches =
        List.of(
            made -> search(made, "", ""),
            made -> search(made, "\"found\"", "\"unstable\""),
            made -> conclusion(made, "none-passes", 8_610));
    for (Maker each : searches) {
      Path run = directory.resolve("search-" + parts.size());
      Files.move(each.make(Files.createDirectory(home.resolve("search-" + parts.size()))), run);
      parts.add(part(run));
    }
    Files.writeString(
        directory.resolve("index.html"),
        PageTemplate.html("published.html.ftl", RunIndex.of("Runs", parts, false)));
    return directory;
  }

  private static RunIndex.Part part(Path run) {
    GoldenRun.writeWithoutPlots(run);
    return new RunIndex.Run(
        run.getFileName().toString(), RunFigures.of(ExperimentRun.read(run)), List.of(), false);
  }

  @Test
  void sentences_of_matrices_agree_with_their_values() throws IOException {
    for (int repeats : List.of(1, 2, 5)) {
      Path results = Files.createDirectory(home.resolve("repeats-" + repeats));
      MatrixDirectory matrix = new SyntheticMatrix(repeats, 0.1).write(results);
      new MatrixReport(MatrixResults.read(matrix)).write(matrix);
      assertThat(MatrixSentences.problems(matrix.path())).isEmpty();
    }
  }

  @Test
  void a_run_that_ended_early_is_not_counted_as_complete() throws IOException {
    MatrixDirectory matrix = new SyntheticMatrix(2, 1).write(home);
    Path manifest =
        matrix.lastRun(SyntheticMatrix.HIGH, 2).orElseThrow().path().resolve("manifest.json");
    Files.writeString(
        manifest, Files.readString(manifest).replace("\"complete\"", "\"ended-early\""));
    MatrixReport report = new MatrixReport(MatrixResults.read(matrix));
    report.write(matrix);
    assertThat(report.text())
        .contains(
            "2 cells, each run 2 times; 3 of 4 runs are complete.",
            "002-etcd-high, repeat 2: ended early");
    assertThat(MatrixSentences.problems(matrix.path())).isEmpty();
  }

  @Test
  void a_wrong_number_name_or_direction_is_found() throws IOException {
    GoldenRun run = golden(home);
    run.writeWithoutPlots();
    String page = run.read("index.html");
    JsonNode result = new ObjectMapper().readTree(run.read("result.json"));
    assertThat(problems(page, result)).isEmpty();
    Map<String, String> lies =
        Map.of(
            "etcd, 412/s with", "etcd, 413/s with",
            "ZooKeeper 255/s with 7", "ZooKeeper 255/s with 8",
            "Highest throughput", "Lowest throughput",
            ">255 <", ">256 <",
            ">0.62<", ">1.62<");
    lies.forEach(
        (truth, lie) -> {
          assertThat(page).contains(truth);
          assertThat(problems(page.replace(truth, lie), result)).as(lie).isNotEmpty();
        });
  }

  private static GoldenRun golden(Path home) {
    return new GoldenRun(home, "etcd", "zookeeper", "consul");
  }

  private static Path busy(Path home) {
    GoldenRun run = golden(home);
    DatabaseDirectory directory = run.directory().createDatabase("etcd");
    long second = 1_000_000_000;
    StepUsage cost =
        new StepUsage(
            1,
            10,
            5000,
            10 * second,
            100 * second,
            second,
            OptionalDouble.of(0.9),
            0,
            0,
            OptionalLong.of(0));
    Manifest.read(directory.manifest()).withCosts(List.of(cost)).write(directory);
    return run.directory().path();
  }

  private static Path delayed(Path home) {
    GoldenRun run = golden(home);
    DatabaseRun database = DatabaseRun.read(run.directory().createDatabase("etcd").path());
    Histogram lag = new Histogram(3);
    lag.recordValueWithCount(3_000_000, database.latencies().all().getTotalCount());
    try (LatencyLog log =
        LatencyLog.create(database.directory().latencyLog(), database.manifest().start())) {
      database.latencies().byTag().forEach(log::append);
      log.append(LatencyTag.of(1, LatencyTag.Time.LAG), lag);
    }
    return run.directory().path();
  }

  private static Path stalled(Path home) throws IOException {
    Path run = SyntheticRun.open(TWO, 12, 400, 200).write(home);
    Path steps = run.resolve("etcd/steps.csv");
    List<String> lines = Files.readAllLines(steps);
    int column = List.of(lines.get(0).split(",")).indexOf("LONGEST-NANOS-WITHOUT-SUCCESS");
    String[] cells = lines.get(1).split(",", -1);
    cells[column] = "2100000000";
    Files.writeString(steps, lines.get(0) + "\n" + String.join(",", cells) + "\n");
    return run;
  }

  private static Path search(Path home, String before, String after) throws IOException {
    GoldenRun run = new GoldenRun(home, "etcd");
    Path etcd = run.directory().path().resolve("etcd");
    Searches.write(new DatabaseDirectory(etcd), 8_200);
    replace(etcd.resolve("trials.jsonl"), before, after);
    return run.directory().path();
  }

  private static Path conclusion(Path home, String outcome, long fails) throws IOException {
    Path run = search(home, "", "");
    Path trials = run.resolve("etcd/trials.jsonl");
    Files.writeString(
        trials,
        Files.readString(trials)
            .replaceFirst(
                "(?m)^.*\"conclusion\".*$",
                "{\"conclusion\":{\"outcome\":\"%s\",\"fails\":{\"load\":%d,\"passed\":0,\"trials\":2},\"trials\":8}}"
                    .formatted(outcome, fails)));
    return run;
  }

  private static void replace(Path file, String before, String after) throws IOException {
    String text = Files.readString(file);
    assertThat(text).contains(before);
    Files.writeString(file, text.replace(before, after));
  }

  private static void write(Path run) throws IOException {
    GoldenRun.writeWithoutPlots(run);
    check(run);
  }

  private static void check(Path run) throws IOException {
    JsonNode result = new ObjectMapper().readTree(Files.readString(run.resolve("result.json")));
    assertThat(problems(Files.readString(run.resolve("index.html")), result)).isEmpty();
  }

  private static void checkIndex(Path directory) throws IOException {
    assertThat(indexProblems(Files.readString(directory.resolve("index.html")), directory))
        .isEmpty();
  }

  private static List<String> indexProblems(String page, Path directory) {
    return new IndexSentences(new FirstScreen(page), directory).problems();
  }

  private static List<String> problems(String page, JsonNode result) {
    return new RunSentences(new FirstScreen(page), result).problems();
  }
}
