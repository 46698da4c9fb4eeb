// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.format.StrictJson;
import io.quorate.report.compare.CompareCommand;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.findings.Headline;
import io.quorate.report.study.MatrixReport;
import io.quorate.report.study.MatrixResults;
import io.quorate.results.ExperimentRun;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixManifest;
import io.quorate.results.manifest.BuildInfo;
import io.quorate.results.manifest.Manifests;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The same runs through the matrix page, a comparison, its gate and the page of a run. */
class SameAnswerTest {
  private static final String NOT_COMPARED = "not compared";
  private static final String WORDS =
      "(faster|slower|same|too close to call|too few runs|not compared)";

  @TempDir Path results;

  @ParameterizedTest
  @CsvSource({
    "1000, 1000, too close to call",
    "1000, 2000, faster",
    "2000, 1000, slower",
    "1000 1010 990, 1000 1010 990, too few runs",
    "1000 1010 990, 2000 2020 1980, faster",
    "1000, 500 510 490, slower",
    "1000 1040 970 1020 980, 1050 1090 1020 1070 1030, too close to call",
    "1000 1000 1000 1000 1000, 1000 1000 1000 1000 1000, same",
    "1000 1004 996 1002 998, 700 703 698 701 699, slower",
    "1000 1050 1000 1050 1000 1050 1000 1050, 1040 1041 1039 1040 1042, too close to call"
  })
  void the_throughput_of_the_same_runs_gets_the_same_word(String before, String after, String word)
      throws IOException {
    MatrixDirectory matrix = matrix(rates(before), rates(after), "");
    String compared = compare(matrix, "throughput >= -1%");
    assertThat(ofMatrix(matrix, "throughput")).isEqualTo(word);
    assertThat(word(compared, "throughput ")).isEqualTo(word);
    assertThat(word(compared, "gate ")).isEqualTo(word);
    if (rates(before).length + rates(after).length == 2) {
      String headline = headline(matrix);
      assertThat(headline)
          .matches(
              switch (word) {
                case "faster" -> ".*, ZooKeeper \\([0-9,]+/s\\) completed the most requests.*";
                case "slower" -> ".*, etcd \\([0-9,]+/s\\) completed the most requests.*";
                default -> ".* are within 10% of each other: too close to call\\.";
              });
    }
  }

  @ParameterizedTest
  @CsvSource({"1000, 1000, too close to call", "1000 1010 990, 1000 1010 990, too few runs"})
  void equal_latencies_get_the_same_word(String before, String after, String word)
      throws IOException {
    MatrixDirectory matrix = matrix(rates(before), rates(after), "");
    String compared = compare(matrix, "p99 <= +0%");
    assertThat(ofMatrix(matrix, "p99")).isEqualTo(word);
    assertThat(word(compared, "p99 ")).isEqualTo(word);
    assertThat(word(compared, "gate ")).isEqualTo(word);
  }

  @ParameterizedTest
  @CsvSource({"1000, 2000", "1000 1010 990 1000, 2000 2010 1990 2000"})
  void runs_of_a_cold_load_generator_are_not_compared_anywhere(String before, String after)
      throws IOException {
    MatrixDirectory matrix = matrix(rates(before), rates(after), "\"coldStart\" : true, ");
    String compared = compare(matrix, "throughput >= -1%");
    for (String column : List.of("mean latency", "p99", "throughput")) {
      assertThat(ofMatrix(matrix, column)).as(column).isEqualTo(NOT_COMPARED);
    }
    for (String row : List.of("throughput ", "p50 ", "p99 ", "server memory ", "gate ")) {
      assertThat(word(compared, row)).as(row).isEqualTo(NOT_COMPARED);
    }
    if (rates(before).length == 1) {
      assertThat(headline(matrix)).contains("are not compared: the load generator's code");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 1000, too close to call",
    "1000, 500, slower",
    "1000 1000 1000 1000, 500 510 490 500, slower",
    "500 510 490 500, 1000 1000 1000 1000, faster",
    "1000 1000 1000 1000, 1000 1000 1000 1000, same"
  })
  void whether_a_store_keeps_a_given_rate_gets_the_same_word(
      String before, String after, String word) throws IOException {
    MatrixDirectory matrix = plan(rates(before), rates(after));
    open(matrix, "etcd", 1_000, Duration.ZERO, rates(before));
    open(matrix, "zookeeper", 1_000, Duration.ZERO, rates(after));

    assertThat(ofMatrix(matrix, "throughput")).isEqualTo(word);
    assertThat(word(compare(matrix, "throughput >= -1%"), "throughput ")).isEqualTo(word);
  }

  @Test
  void a_rate_that_the_load_generator_missed_is_not_compared_anywhere() throws IOException {
    int[] kept = {1_000, 1_000, 1_000, 1_000};
    int[] missed = {500, 510, 490, 500};
    MatrixDirectory matrix = plan(kept, missed);
    open(matrix, "etcd", 1_000, Duration.ZERO, kept);
    open(matrix, "zookeeper", 1_000, Duration.ofMillis(15), missed);

    assertThat(ofMatrix(matrix, "throughput")).isEqualTo(NOT_COMPARED);
    assertThat(word(compare(matrix, "throughput >= -1%"), "throughput ")).isEqualTo(NOT_COMPARED);
  }

  @Test
  void rates_that_the_scenarios_set_have_no_ratio() throws IOException {
    MatrixDirectory matrix = plan(rates("500"), rates("1000"));
    open(matrix, "etcd", 500, Duration.ZERO, 500);
    open(matrix, "zookeeper", 1_000, Duration.ZERO, 1_000);

    assertThat(cell(matrix, "throughput")).isEqualTo(NOT_COMPARED);
  }

  private static int[] rates(String text) {
    return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
  }

  /**
   * Writes runs of etcd and ZooKeeper with these rates as a matrix.
   *
   * @param load what the load of ZooKeeper's runs has in addition
   */
  private MatrixDirectory matrix(int[] etcd, int[] zookeeper, String load) throws IOException {
    MatrixDirectory matrix = plan(etcd, zookeeper);
    write(matrix, "etcd", etcd, "");
    write(matrix, "zookeeper", zookeeper, load);
    return matrix;
  }

  private MatrixDirectory plan(int[] etcd, int[] zookeeper) throws IOException {
    MatrixDirectory matrix = new MatrixDirectory(results.resolve("both/20261122T080000Z"));
    Files.createDirectories(matrix.cells());
    MatrixManifest plan =
        new MatrixManifest(
            "both",
            "Both",
            "",
            Manifests.START,
            new BuildInfo(Optional.empty(), Optional.empty(), false),
            1,
            Math.max(etcd.length, zookeeper.length),
            List.of("database"),
            List.of(
                new MatrixManifest.Cell("etcd", Map.of("database", "etcd")),
                new MatrixManifest.Cell("zookeeper", Map.of("database", "zookeeper"))),
            Map.of(),
            "title: Both\n");
    Files.writeString(matrix.path().resolve("matrix.json"), StrictJson.text(plan));
    return matrix;
  }

  /** Writes runs of an open loop of which at most so many requests succeed each second. */
  private void open(MatrixDirectory matrix, String database, int rate, Duration lag, int... most)
      throws IOException {
    for (int i = 0; i < most.length; i++) {
      Path made = results.resolve("made-" + database + i);
      Path run = SyntheticRun.open(lag, List.of(database), 4, most[i], rate).write(made);
      Files.move(
          run, matrix.nextAttempt(database, i + 1).path(), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void write(MatrixDirectory matrix, String database, int[] rates, String load)
      throws IOException {
    for (int i = 0; i < rates.length; i++) {
      Path made = results.resolve("made-" + database + i);
      Path run = new SyntheticRun(List.of(database), 4, rates[i], List.of(10), 4).write(made);
      Path manifest = run.resolve(database).resolve("manifest.json");
      Files.writeString(
          manifest, Files.readString(manifest).replace("\"onFailure\"", load + "\"onFailure\""));
      Files.move(
          run, matrix.nextAttempt(database, i + 1).path(), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Returns the word in a column of the row of ZooKeeper on the page of a matrix. */
  private static String ofMatrix(MatrixDirectory matrix, String column) throws IOException {
    return word(cell(matrix, column), "");
  }

  private static String cell(MatrixDirectory matrix, String column) throws IOException {
    new MatrixReport(MatrixResults.read(matrix)).write(matrix);
    String page = Files.readString(matrix.page());
    if (!page.contains(">By database<")) {
      assertThat(page).contains("No pair has a value that may be compared.");
      return NOT_COMPARED;
    }
    String table = page.substring(page.indexOf(">By database<"));
    List<String> titles = cells(table.substring(0, table.indexOf("zookeeper / etcd")));
    if (!titles.contains(column)) {
      return NOT_COMPARED; // no row has a value
    }
    List<String> row = cells(table.substring(table.indexOf("zookeeper / etcd")));
    int place = titles.indexOf(column) - titles.indexOf("compared");
    return row.get(place).equals("-") ? NOT_COMPARED : row.get(place);
  }

  private static List<String> cells(String html) {
    return Pattern.compile("[^<>]*(?=</t[dh]>)")
        .matcher(html)
        .results()
        .map(MatchResult::group)
        .filter(text -> !text.isEmpty())
        .toList();
  }

  /** Returns the word in the first line that begins with a text. */
  private static String word(String text, String start) {
    String line =
        text.lines()
            .filter(each -> each.startsWith(start))
            .findFirst()
            .orElseThrow(() -> new AssertionError(start + ": " + text));
    Matcher word = Pattern.compile(WORDS).matcher(line);
    assertThat(word.find()).as(line).isTrue();
    return word.group();
  }

  private String compare(MatrixDirectory matrix, String rule) {
    StringWriter out = new StringWriter();
    new CommandLine(new CompareCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(out))
        .execute(
            matrix.path() + ":etcd",
            matrix.path() + ":zookeeper",
            "--anyway",
            "--fail-on",
            rule,
            "--output",
            results.resolve("compared").toString());
    return out.toString().replaceAll("\n  (?=\\S)", " ");
  }

  /** Returns the headline of a run that has the first runs of both. */
  private static String headline(MatrixDirectory matrix) throws IOException {
    Path run = matrix.lastRun("etcd", 1).orElseThrow().path().getParent();
    Path other = matrix.lastRun("zookeeper", 1).orElseThrow().path();
    Files.move(other, run.resolve("zookeeper"));
    return String.join(" ", Headline.sentences(RunFigures.of(ExperimentRun.read(run))));
  }
}
