// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files are what etcd's benchmark 3.6 really printed. */
class EtcdBenchmarkTextTest {
  private static final String REPORT =
      """
      Summary:
        Total:	0.4955 secs.
        Slowest:	0.0183 secs.
        Fastest:	0.0004 secs.
        Average:	0.0016 secs.
        Stddev:	0.0013 secs.
        Requests/sec:	6054.0082

      Response time histogram:
        0.0004 [1]	|
        0.0021 [2632]	|∎∎∎∎∎∎

      Latency distribution:
        50% in 0.0014 secs.
        99.9% in 0.0177 secs.

      Error distribution:
        [2]	etcdserver: request timed out
        [1]	context deadline exceeded
      """;

  @TempDir Path directory;

  private static String resource(String name) {
    return Golden.text("etcd-benchmark/" + name);
  }

  private static List<EtcdBenchmarkReport> read(String text) {
    return EtcdBenchmarkReport.EtcdBenchmarkText.reports(Path.of("x.txt"), text);
  }

  private static EtcdBenchmarkReport one(String text) {
    assertThat(read(text)).hasSize(1);
    return read(text).get(0);
  }

  @Test
  void aWholeReportIsRead() {
    EtcdBenchmarkReport put = one(resource("put.txt"));
    assertThat(put.totalSeconds()).hasValue(0.4955);
    assertThat(put.requestsPerSecond()).hasValue(6054.0082);
    assertThat(put.successes()).hasValue(3000);
    LatencySummary latency = put.latency().orElseThrow();
    assertThat(latency.slowestMs()).isEqualTo(18.3);
    assertThat(latency.fastestMs()).isEqualTo(0.4);
    assertThat(latency.averageMs()).isEqualTo(1.6);
    assertThat(latency.standardDeviationMs()).isEqualTo(1.3);
    assertThat(latency.percentilesMs().values())
        .containsExactly(0.9, 1.1, 1.4, 1.7, 2.4, 3.7, 6.3, 17.7);
  }

  @Test
  void timesBeforeTheLinesAndHardBlanksAreSkipped() {
    StringBuilder timed = new StringBuilder("\ufeff");
    List<String> lines = resource("put.txt").lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replace("\t", "\u00a0\u00a0");
      timed.append("2026-11-29T13:00:%02d.%07dZ %s%n".formatted(i, 111 * i, line));
    }
    assertThat(one(timed.toString())).isEqualTo(one(resource("put.txt")));
  }

  @Test
  void linesOfTwoPodsThatAlternateAreRefusedWithTheReason() {
    String mixed =
        REPORT
            .lines()
            .map(line -> "[pod/a/x] %s%n[pod/b/x] %s%n".formatted(line, line))
            .collect(Collectors.joining());
    assertThatThrownBy(() -> read(mixed))
        .hasMessage(
            "x.txt:2: found '[pod/b/x] Summary:', expected the first value of"
                + " '[pod/a/x] Summary:', after the same text");
  }

  @Test
  void whatTheTextDoesNotSayIsMissing() {
    EtcdBenchmarkReport put = one(resource("put.txt"));
    assertThat(put.requests()).isEmpty();
    assertThat(put.errors()).isEmpty();
    assertThat(put.part()).isEmpty();
    assertThat(one(resource("small.txt")).latency().orElseThrow().percentilesMs())
        .containsOnlyKeys(Percentile.P10, Percentile.P25);
  }

  @Test
  void aFigureOfZeroIsOneThatFourDecimalsCannotShow() {
    String fast = REPORT.replace("Fastest:\t0.0004", "Fastest:\t0.0000");
    assertThat(one(fast).latency().orElseThrow().fastestMs()).isNaN();
    String zero = REPORT.replace("50% in 0.0014", "50% in 0.0000");
    assertThat(one(zero).latency().orElseThrow().percentilesMs())
        .containsOnlyKeys(Percentile.P99_9);
  }

  @Test
  void thePreciseFormIsReadExactly() {
    EtcdBenchmarkReport put = one(resource("put-precise.txt"));
    assertThat(put.requests()).hasValue(400);
    assertThat(put.latency().orElseThrow().fastestMs()).isEqualTo(0.324124);
    assertThat(put.latency().orElseThrow().averageMs()).isEqualTo(0.9502521349999998);
    String small = REPORT.replace("Fastest:\t0.0004", "Fastest:\t4.5e-05");
    assertThat(one(small).latency().orElseThrow().fastestMs()).isEqualTo(0.045);
  }

  @Test
  void logLinesAndTheProgressBarAreNoPartOfTheReport() {
    EtcdBenchmarkReport range = one(resource("range.txt"));
    assertThat(range.requests()).hasValue(2000);
    assertThat(range.successes()).hasValue(2000);
    assertThat(range.requestsPerSecond()).hasValue(17110.3073);
  }

  @Test
  void theReportsOfAMixedBenchmarkAreToldApart() {
    List<EtcdBenchmarkReport> mixed = read(resource("txn-mixed.txt"));
    assertThat(mixed)
        .extracting(EtcdBenchmarkReport::part)
        .containsExactly(Optional.of("read"), Optional.of("write"));
    assertThat(mixed)
        .extracting(EtcdBenchmarkReport::requests)
        .containsExactly(OptionalLong.of(246), OptionalLong.of(254));
    assertThat(mixed)
        .extracting(EtcdBenchmarkReport::requestsPerSecond)
        .containsExactly(OptionalDouble.of(439.9946), OptionalDouble.of(453.9317));
  }

  @Test
  void whereEveryRequestFailedThereAreOnlyErrors() {
    EtcdBenchmarkReport failed = one(resource("errors.txt"));
    assertThat(failed.totalSeconds()).isEmpty();
    assertThat(failed.latency()).isEmpty();
    assertThat(failed.successes()).isEmpty();
    assertThat(failed.requests()).hasValue(5);
    assertThat(failed.errors().orElseThrow())
        .containsExactly(new ClientResults.ErrorCount("\"etcdserver: request is too large\"", 5));
    assertThat(read(resource("put.txt") + resource("errors.txt"))).hasSize(2);
  }

  @Test
  void errorsAreThoseOfTheirReport() {
    assertThat(one(REPORT).errors().orElseThrow())
        .containsExactly(
            new ClientResults.ErrorCount("\"etcdserver: request timed out\"", 2),
            new ClientResults.ErrorCount("\"context deadline exceeded\"", 1));
    assertThat(one(REPORT.replace("\n", "\r\n"))).isEqualTo(one(REPORT));
  }

  @Test
  void theLastStateOfTheProgressCounts() {
    String progress =
        " 5 / 3000 [>____] 0.17%\r 2900 / 3000 [--->_] 96.67%\r 3000 / 3000 [----] 100%\n";
    assertThat(one(progress + REPORT).requests()).hasValue(3000);
    assertThat(one("{\"level\":\"warn\"}\n" + REPORT + progress).requests()).isEmpty();
  }

  @Test
  void samplesOfSecondsAreSkippedAndPartsOfWatchesAreNamed() {
    String[] parts = REPORT.split("\n(?=Error)");
    String watch =
        "Watch creation summary:\n\n"
            + parts[0]
            + "\n"
            + "Sample in one second (unix latency throughput):\n"
            + "UNIX-SECOND,MIN-LATENCY-MS\n"
            + "1,0.4\n\n"
            + parts[1]
            + "Watch events received summary:\n Requests/sec:\t6054.0082\n";
    EtcdBenchmarkReport whole = one(REPORT);
    assertThat(read(watch))
        .containsExactly(
            new EtcdBenchmarkReport(
                Optional.of("watch-creation"),
                whole.totalSeconds(),
                whole.requestsPerSecond(),
                whole.latency(),
                whole.successes(),
                whole.requests(),
                whole.errors()),
            new EtcdBenchmarkReport(
                Optional.of("watch-events-received"),
                OptionalDouble.empty(),
                OptionalDouble.of(6054.0082),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\n 9 / 9 Booooo! 100.00% 2s\n\n",
        "\n 9 / 9 [-----] 100.00% 12500 p/s\n\n",
        "\n\n",
        "\n+ benchmark put\n\n",
        "$ benchmark put\n"
      })
  void errorsOfAFailedRunAreNotThoseOfTheRunBeforeIt(String between) {
    String[] parts = REPORT.split("\n(?=Error)");
    List<EtcdBenchmarkReport> two = read(parts[0] + between + parts[1]);
    assertThat(two).hasSize(2);
    assertThat(two.get(0).errors()).isEmpty();
    assertThat(two.get(1).latency()).isEmpty();
    assertThat(two.get(1).errors()).isEqualTo(one(REPORT).errors());
    assertThat(two.get(1).requests().isPresent()).isEqualTo(between.contains("9 / 9"));
  }

  @Test
  void aReportIsReadAsPeoplePasteIt() {
    EtcdBenchmarkReport whole = one(REPORT);
    assertThat(one(REPORT.replace("\t", "        "))).isEqualTo(whole);
    assertThat(one(REPORT.replace("\n", "  \n"))).isEqualTo(whole);
    for (String prefix : List.of("> ", "    ", "[pod/bench-0/bench] ", "bench-1  | ", "\t", "# ")) {
      String quoted = prefix + REPORT.replace("\n", "\n" + prefix);
      assertThat(one(quoted)).as(prefix).isEqualTo(whole);
      assertThat(one(quoted.replace(prefix + "\n", prefix.strip() + "\n"))).isEqualTo(whole);
    }
    assertThat(one("```\n" + REPORT + "```\n")).isEqualTo(whole);
    EtcdBenchmarkReport older = one(REPORT.replaceFirst("  Stddev.*\n", ""));
    assertThat(older.latency().orElseThrow().standardDeviationMs()).isNaN();
    assertThat(older.successes()).isEqualTo(whole.successes());
  }

  @Test
  void eachOfSeveralPodsIsRead() {
    String other = REPORT.replaceFirst("Slowest:.*", "Slowest:\t0.9999 secs.");
    String first = ("[pod/bench-0/bench] " + REPORT).replace("\n", "\n[pod/bench-0/bench] ");
    String second = ("[pod/bench-1/bench] " + other).replace("\n", "\n[pod/bench-1/bench] ");
    assertThat(read(first + "\n" + second)).containsExactly(one(REPORT), one(other));

    for (String mixedAt : List.of("Average", "0.0021", "99.9%")) {
      int at = first.indexOf("[pod/bench-0/bench]   " + mixedAt);
      assertThatThrownBy(() -> read(first.substring(0, at) + second + "\n" + first.substring(at)))
          .as(mixedAt)
          .hasMessageMatching("x.txt:\\d+: found .*, expected .*");
    }
  }

  @Test
  void moreTextsBeforeTheLinesThanToolsHaveAreRefused() {
    String text =
        IntStream.range(0, 1_001)
            .mapToObj(i -> "%d Summary:\n%d   Total:\n".formatted(i, i))
            .collect(Collectors.joining());
    assertThatThrownBy(() -> read(text))
        .hasMessage(
            "x.txt: found more than 1000 texts before 'Summary:', expected the same in many lines");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE"})
  void aFileOfPowerShellIsRead(String charset) throws IOException {
    for (String mark : List.of("", "\ufeff")) {
      Path file = directory.resolve("x.txt");
      Files.writeString(file, mark + REPORT.replace("\n", "\r\n"), Charset.forName(charset));
      assertThat(ImportedRun.reports(file)).containsExactly(one(REPORT));
      RunDirectory run = new RunDirectory(directory.resolve(charset + mark.length()));
      assertThat(ImportedRun.write(run, "x", Optional.empty(), file, 1).report())
          .isEqualTo(one(REPORT));
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '#',
      delimiter = '~',
      textBlock =
          """
          Slowest:\t0.0183 ~ Slowest:\tNaN ~ x.txt:3: found '  Slowest:\\tNaN secs.', expected a line such as '  Slowest:\\t0.0016 secs.'
          Total:\t0.4955 ~ Total:\t1e400 ~ x.txt:2: found '  Total:\\t1e400 secs.', expected a line such as '  Total:\\t0.0016 secs.'
          Total:\t0.4955 ~ Total:\t-0.4955 ~ x.txt:2: found '  Total:\\t-0.4955 secs.', expected a line such as '  Total:\\t0.0016 secs.'
          Stddev:\t0.0013 ~ Average:\t0.0016 ~ x.txt:6: found '  Average:\\t0.0016 secs.', expected a line such as '  Stddev:\\t0.0016 secs.'
          Requests/sec:\t6054.0082 ~ Requests/sec:\tx ~ x.txt:7: found '  Requests/sec:\\tx', expected a line such as '  Requests/sec:\\t0.0016'
          [2632] ~ [-1] ~ x.txt:11: found '  0.0021 [-1]\\t|∎∎∎∎∎∎', expected a line of the histogram such as '  0.0021 [2632]\\t|'
          50% in 0.0014 secs. ~ 50% ~ x.txt:14: found '  50%', expected a line of the distribution such as '  99% in 0.0063 secs.'
          Response time ~ Response ~ x.txt:9: found 'Response histogram:', expected 'Response time histogram:'
          Summary: ~ Sumary: ~ x.txt:9: found 'Response time histogram:', expected 'Summary:' before it
          [2]\tetcdserver: ~ oops: ~ x.txt:18: found '  oops: request timed out', expected a line of the errors such as '  [5]\\tetcdserver: request is too large'
          """)
  void aLineThatTheToolDoesNotPrintIsRefused(String found, String damage, String message) {
    String wrong = REPORT.replace(found, damage);
    assertThat(wrong).isNotEqualTo(REPORT);
    assertThatThrownBy(() -> read(wrong)).isInstanceOf(QuorateException.class).hasMessage(message);
  }

  @Test
  void aReportThatIsCutOffIsRefused() {
    assertThatThrownBy(() -> read(REPORT.substring(0, REPORT.indexOf("\n\nResponse"))))
        .hasMessage(
            "x.txt:7: found the end of the file, expected an empty line before 'Response time"
                + " histogram:'");
    assertThatThrownBy(() -> read(REPORT.replace("\n", "\n> ")))
        .hasMessageStartingWith("x.txt:2: found '>   Total:\\t0.4955 secs.', expected a line such");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "hello\n", "{}", "TOTAL-SECONDS,1\n"})
  void aTextWithoutAReportIsRefused(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "x.txt: found no report of etcd's benchmark, expected lines such as 'Summary:' and"
                + " 'Requests/sec:'");
  }

  @Test
  void aSecondListOfErrorsIsRefused() {
    String errors = REPORT.substring(REPORT.indexOf("Error distribution:"));
    assertThatThrownBy(() -> read(REPORT + "\n" + errors))
        .hasMessageStartingWith("x.txt:23: found ")
        .hasMessageEndingWith(", expected one list of errors for each report");
  }

  @Test
  void whatIsShownOfALineIsEscapedAndShort() {
    assertThatThrownBy(() -> read("Summary:\n" + "\u001b[2J".repeat(1000) + "\n"))
        .hasMessageContaining("found '\\x1b[2J\\x1b[2J")
        .message()
        .hasSizeLessThan(500);
  }

  @Test
  void anImportedRunIsReadAgainFromItsDirectory() throws IOException {
    Path text = directory.resolve("txn.txt");
    Files.writeString(text, resource("txn-mixed.txt"));
    RunDirectory run = new RunDirectory(directory.resolve("run"));
    ImportedRun written = ImportedRun.write(run, "txn-write", Optional.of("Mixed"), text, 2);
    assertThat(ExperimentRun.read(run.path()).imports()).containsExactly(written);
    assertThat(ExperimentRun.read(run.path()).title()).isEqualTo("Mixed");
    assertThat(written.report().part()).contains("write");
    assertThat(written.source()).isEqualTo("txn.txt");
    assertThat(run.path().resolve("txn-write/etcd-benchmark.txt")).hasSameTextualContentAs(text);
    assertThatThrownBy(() -> ImportedRun.write(run, "txn-write", Optional.empty(), text, 1))
        .hasMessageContaining("run/txn-write: cannot be made: ");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '#',
      delimiter = '|',
      textBlock =
          """
          "report" : 1 | "report" : 3 | imported.json: report: found 3, expected 1 to 1
          "formatVersion" : 1 | "formatVersion" : 2 | imported.json: found formatVersion 2, expected 1: it was written by a newer version of Quorate; update Quorate to read it
          "etcd-benchmark" | "wrk" | imported.json:7:1: expected origin etcd-benchmark and a report from 1
          """)
  void aWrongNoteIsNamed(String found, String damage, String message) throws IOException {
    Path text = directory.resolve("put.txt");
    Files.writeString(text, REPORT);
    RunDirectory run = new RunDirectory(directory.resolve("run"));
    ImportedRun.write(run, "put", Optional.empty(), text, 1);
    Path note = run.path().resolve("put/imported.json");
    Files.writeString(note, Files.readString(note).replace(found, damage));
    assertThatThrownBy(() -> ExperimentRun.read(run.path())).hasMessageEndingWith(message);
  }
}
