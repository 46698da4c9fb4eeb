package io.quorate.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
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
    return EtcdBenchmarkText.reports(Path.of("x.txt"), text);
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
    ClientResults.Latency latency = put.latency().orElseThrow();
    assertThat(latency.slowestMs()).isEqualTo(18.3);
    assertThat(latency.fastestMs()).isEqualTo(0.4);
    assertThat(latency.averageMs()).isEqualTo(1.6);
    assertThat(latency.standardDeviationMs()).isEqualTo(1.3);
    assertThat(latency.percentilesMs().values())
        .containsExactly(0.9, 1.1, 1.4, 1.7, 2.4, 3.7, 6.3, 17.7);
  }

  @Test
  void whatTheTextDoesNotSayIsMissing() {
    EtcdBenchmarkReport put = one(resource("put.txt"));
    assertThat(put.requests()).isEmpty();
    assertThat(put.errors()).isEmpty();
    assertThat(put.part()).isEmpty();
    assertThat(one(resource("small.txt")).latency().orElseThrow().percentilesMs())
        .containsOnlyKeys(Percentile.P10, Percentile.P25);
    String summary = REPORT.substring(0, REPORT.indexOf("\nResponse"));
    assertThat(one(summary).successes()).isEmpty();
    assertThat(one(summary.replace("  Stddev:\t0.0013 secs.\n", "")).latency()).isPresent();
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
    assertThat(one(REPORT + "  caused by: a second line\n").errors().orElseThrow().get(1))
        .isEqualTo(
            new ClientResults.ErrorCount(
                "\"context deadline exceeded\\ncaused by: a second line\"", 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"    ", "> ", "\t", "> > "})
  void linesMayBeIndentedOrQuoted(String before) {
    String pasted = REPORT.replaceAll("(?m)^(?=.)", before).replace("\t", "    ");
    assertThat(one(pasted)).isEqualTo(one(REPORT));
  }

  @Test
  void aPasteHasFencesProseAndEndsOfLinesOfWindows() {
    String pasted =
        "\uFEFFHere it is:\n\n```console\n$ benchmark put --total 3000\n 3000 / 3000 [---] 100.00%Summary:\n"
            + REPORT.substring("Summary:\n".length())
            + "```\nWhy is it so slow?\n\n- Average: too slow\n";
    EtcdBenchmarkReport report = one(pasted.replace("\n", "\r\n"));
    assertThat(report.requests()).hasValue(3000);
    assertThat(report.latency()).isEqualTo(one(REPORT).latency());
    assertThat(report.errors()).isEqualTo(one(REPORT).errors());
  }

  @Test
  void everyProblemIsNamedWithItsPlace() {
    String wrong =
        REPORT
            .replace("Slowest:\t0.0183", "Slowest:\tNaN")
            .replace("[2632]", "[-1]")
            .replace("99.9% in 0.0177", "99.9% in 0.0001")
            .replace("  Requests/sec:\t6054.0082\n", "");
    assertThatThrownBy(() -> read(wrong))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            x.txt:3:12: found 'NaN', expected a number of 0 or more
            x.txt:7:1: found the end of the summary, expected also Requests/sec
            x.txt:10:11: found '-1', expected a whole number of 0 or more
            x.txt:14:12: found 0.0001, expected no less than in the line before""");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '#',
      delimiter = '~',
      textBlock =
          """
          Average:\t0.0016 ~ Average:\t0.9 ~ x.txt:5:12: found 0.9, expected Fastest, Average, Slowest and Total, none above the next
          Stddev:\t0.0013 ~ Average:\t0.0016 ~ x.txt:6:12: found 0.0016, expected 'Average' once
          Stddev:\t0.0013 secs. ~ Std ~ x.txt:6:3: found 'Std', expected a line of the summary such as 'Average: 0.0016 secs.'
          [2632] ~ 2632 ~ x.txt:11:3: found '0.0021 2632\\t|∎∎∎∎∎∎', expected a line of the histogram such as '0.0021 [2632] |'
          50% in 0.0014 secs. ~ 50% ~ x.txt:14:3: found '50%', expected a line of the distribution such as '99% in 0.0063 secs.'
          [2]\tetcdserver: ~ oops: ~ x.txt:18:3: found 'oops: request timed out', expected a line of the errors
          """)
  void aLineThatCannotBeOfAReportIsNamed(String found, String damage, String message) {
    String wrong = REPORT.replace(found, damage);
    assertThat(wrong).isNotEqualTo(REPORT);
    assertThatThrownBy(() -> read(wrong))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith(message);
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
  void aDistributionAloneIsNotEnough() {
    assertThatThrownBy(() -> read(REPORT.substring(REPORT.indexOf("Latency"))))
        .hasMessageStartingWith(
            "x.txt:1:1: found 'Latency distribution:' without a summary before it, expected"
                + " 'Summary:' first");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '#',
      delimiter = '~',
      textBlock =
          """
          50% in ~ 99.9% in ~ x.txt:15:3: found 99.9%, expected a percentage above 99.9, that of a line before
          50% in ~ 110% in ~ x.txt:14:3: found 110%, expected a percentage above 0 and at most 100
          50% in ~ 0% in ~ x.txt:14:3: found 0%, expected a percentage above 0 and at most 100
          50% in ~ -5% in ~ x.txt:14:3: found '-5', expected a number of 0 or more
          50% in ~ NaN% in ~ x.txt:14:3: found 'NaN', expected a number of 0 or more
          50% in 0.0014 ~ 50% in 9.9 ~ x.txt:14:10: found 9.9, expected at most the slowest, 0.0183
          0.0004 [1] ~ 0.9 [1] ~ x.txt:11:3: found 0.0021, expected no less than in the line before
          [2632] ~ [9999] ~ x.txt:1:1: found 10000 requests in the histogram, expected at most 3000 as of Total and Requests/sec
          Total:	0.4955 ~ Total:	1e400 ~ x.txt:2:10: found '1e400', expected a number of 0 or more
          Total:	0.4955 ~ Total:	1e99 ~ x.txt:2:10: found '1e99', expected at most 10^12
          Total:	0.4955 ~ Total:	-0.4955 ~ x.txt:2:10: found '-0.4955', expected a number of 0 or more
          Average:	0.0016 secs. ~ Averge:	0.0016 secs. ~ x.txt:5:3: found 'Averge:\\t0.0016 secs.', expected a line of the summary such as 'Average: 0.0016 secs.'
          Average:	0.0016 ~ Average:	x ~ x.txt:5:12: found 'x', expected a number of 0 or more
          Average:	0.0016 ~ Average:	0.4 ~ x.txt:5:12: found 0.4, expected Fastest, Average, Slowest and Total, none above the next
          Summary: ~ Sumary: ~ x.txt:9:1: found 'Response time histogram:' without a summary before it, expected 'Summary:' first
          [1]	context ~ [x]	context ~ x.txt:19:4: found 'x', expected a whole number of 0 or more
          """)
  void aBadLineIsOneProblem(String found, String replacement, String message) {
    assertThat(REPORT).contains(found);
    String text = REPORT.replace(found, replacement) + "  caused by: a second line\n";
    assertThatThrownBy(() -> read(text)).isInstanceOf(QuorateException.class).hasMessage(message);
  }

  @Test
  void aSecondReportWithoutItsSummaryIsNotAddedToTheFirst() {
    String second = REPORT.replace("Summary:", "Sumary:");
    assertThatThrownBy(() -> read(REPORT + "\n" + second))
        .hasMessage(
            "x.txt:29:1: found 'Response time histogram:' without a summary before it, expected"
                + " 'Summary:' first");
  }

  @Test
  void moreRequestsThanWereAskedForAreRefused() {
    assertThatThrownBy(() -> read(" 5 / 3 [---->] 166.67% 1s" + REPORT))
        .hasMessage(
            "x.txt:1:2: found the progress 5 / 3, expected at most as many as there are in all");
    assertThatThrownBy(() -> read(" 2000 / 2000 [---->] 100.00% 1s" + REPORT))
        .hasMessage(
            "x.txt:1:1: found 2633 requests in the histogram and 3 errors, expected at most the 2000"
                + " that were asked for");
    assertThat(one(" 3100 / 3100 [---->] 100.00% 1s" + REPORT).requests()).hasValue(3100);
  }

  @Test
  void hostileTextEndsSoon() {
    assertThatThrownBy(() -> read("Summary:\n" + "x\n".repeat(1_000_000)))
        .hasMessageEndingWith("\nx.txt: and more; is this the text of etcd's benchmark?");
    assertThatThrownBy(() -> read(REPORT.repeat(200)))
        .hasMessage("x.txt:1901: found more than 100 reports");
    assertThatThrownBy(() -> read("Summary:\n" + "\u001b[2J".repeat(1000) + "\n"))
        .hasMessageContaining("found '\\x1b[2J\\x1b[2J")
        .message()
        .hasSizeLessThan(2000);
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
          "report" : 1 | "report" : 3 | imported.json:6:14: report: found 3, expected 1 to 1
          "formatVersion" : 1 | "formatVersion" : 2 | imported.json: found formatVersion 2, expected 1: it was written by another version of Quorate; use that one to read it
          "etcd-benchmark" | "wrk" | imported.json:3:14: origin: found "wrk", expected etcd-benchmark
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
