// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.QuorateException;
import io.quorate.cli.Quorate;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.Latencies;
import io.quorate.measure.Measurements;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.SuccessGaps;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Tests {@code quorate report} on a directory of ours that is damaged, or of which there is little
 * to say. {@link ReferenceInputTest} is the same for directories of dbtester.
 */
class BadInputTest {
  private static final String ETCD_TAG = "etcd-v3.3.0-go1.9.3";
  private static final String CONSUL_TAG = "consul-v1.0.2-go1.9.3";
  private static final String ERRORS = "errors.csv";
  private static final String WITHOUT_ERRORS = "errors by kind and second are left out";
  private static final long BEGINNING = 1_519_000_000L;

  @TempDir Path temporary;
  private RunDirectory run;
  private DatabaseDirectory etcd;
  private List<StepMeasurement> measured = List.of();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeRun() {
    run = RunDirectory.create(temporary.resolve("results"), "quick", 1, Manifests.START);
    etcd = run.createDatabase("etcd");
    TestRuns.write(run.path(), "etcd", ETCD_TAG, 1, 5000, Golden.steps(ETCD_TAG));
    TestRuns.write(run.path(), "consul", CONSUL_TAG, 1, 5000, Golden.steps(CONSUL_TAG));
  }

  @Test
  void aLastLineThatWasCutOff() {
    String text = read("seconds.csv");
    write("seconds.csv", text.substring(0, text.length() - 4));
    showsNoRequests("seconds.csv: found no line break at its end: the file was cut");
    write(
        "manifest.json",
        read("manifest.json").replace("\"status\" : \"complete\"", "\"status\" : \"interrupted\""));
    assertThat(report()).as(err.toString()).isZero();
    assertThat(text()).contains("etcd: the incomplete last line of seconds.csv was left out\n");
  }

  @Test
  void aCutFileWithoutCountsInTheManifest() {
    String text = read("seconds.csv");
    write("seconds.csv", text.substring(0, text.lastIndexOf('\n', text.length() - 2) + 1));
    assertThat(report()).isEqualTo(1);
    assertThat(text())
        .containsPattern(
            "etcd/seconds.csv: found 4,.* latencies, expected 5,000 as in latency.hlog");
  }

  @Test
  void anotherHeader() {
    write(ERRORS, read(ERRORS).replace("KIND", "SORT"));
    shows(
        ERRORS,
        ":1: found a header without KIND and the unknown column SORT, expected the header STEP,"
            + "OPERATION,UNIX-SECOND,KIND,MESSAGE,COUNT,TOTAL-NANOS; update Quorate if a newer version"
            + " wrote the file",
        WITHOUT_ERRORS);
  }

  @Test
  void aMissingFile() throws IOException {
    Files.delete(etcd.path().resolve(ERRORS));
    shows(ERRORS, ": found no such file, expected one of a run", WITHOUT_ERRORS);
  }

  @Test
  void withoutTheDurationOfAStepThereAreNoResults() {
    write("steps.csv", read("steps.csv").replaceFirst("\n1,[0-9]+", "\n1,NaN"));
    assertThat(report()).as(err.toString()).isEqualTo(Quorate.FAILED);
    assertThat(text())
        .contains(
            CONSUL_TAG,
            "etcd: etcd/steps.csv:2: found 'NaN', expected a whole number of 0 or more;"
                + " the results of its requests are left out\n")
        .doesNotContain(ETCD_TAG);
  }

  @Test
  void anotherVersionOfTheFormat() {
    write("manifest.json", read("manifest.json").replace("Version\" : 3", "Version\" : 2"));
    fails(
        "manifest.json",
        ": found formatVersion 2, expected 3: it was written by another version of Quorate; use that one"
            + " to read it");
  }

  @Test
  void aLineOfTheErrorsWithANegativeTimeIsNamed() throws IOException {
    Path errors = etcd.path().resolve(ERRORS);
    Files.writeString(
        errors, "1,put,1519000000,timeout,no leader,1,-128049\n", StandardOpenOption.APPEND);
    shows(
        ERRORS,
        ":%d: found '-128049', expected a whole number of 0 or more"
            .formatted(Files.readAllLines(errors).size()),
        WITHOUT_ERRORS);
  }

  @Test
  void percentilesNeverComeFromALogWithALostLine() throws IOException {
    String text = read("latency.hlog");
    write("latency.hlog", text.replace(",HISTFAAA", ",HISTFAAB"));
    String log = "percentiles by step and operation, watch latencies and send lag are left out";
    assertThat(report()).as(err.toString()).isEqualTo(Quorate.FAILED);
    assertThat(text()).contains("etcd: etcd/latency.hlog:6: found", "; " + log + "\n");
    DatabaseRun damaged = DatabaseRun.read(etcd.path());
    assertThat(damaged.latencies().byTag()).isEmpty();
  }

  @Test
  void allFilesThatAreWrongAreNamedAtOnce() {
    write(ERRORS, "STEP\n");
    write("steps.csv", "STEP\n");
    write("latency.hlog", read("latency.hlog").replace(",HISTFAAA", ",HISTFAAB"));
    assertThat(report()).as(err.toString()).isEqualTo(Quorate.FAILED);
    assertThat(text().lines().map(line -> line.replaceFirst(": found.*", "")))
        .contains("etcd: etcd/errors.csv:1", "etcd: etcd/steps.csv:1", "etcd: etcd/latency.hlog:6");
  }

  @Test
  void aFileThatIsTooLargeIsNotRead() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(etcd.path().resolve(ERRORS).toFile(), "rw")) {
      file.setLength(10_000_000_000L);
    }
    shows(ERRORS, ": found 10,000,000,000 bytes, expected at most 536,870,912", WITHOUT_ERRORS);
  }

  @Test
  void aDirectoryInThePlaceOfAFile() throws IOException {
    Files.delete(etcd.path().resolve(ERRORS));
    Files.createDirectory(etcd.path().resolve(ERRORS));
    shows(ERRORS, ": found a directory, expected a file", WITHOUT_ERRORS);
  }

  @Test
  void aDeepManifest() {
    write("manifest.json", "[".repeat(1_000_000));
    assertThat(report()).isEqualTo(Quorate.FAILED);
    assertThat(err.toString())
        .startsWith(etcd.path().resolve("manifest.json") + ":1:")
        .hasSizeLessThan(1000);
  }

  @Test
  void aTitleAndANameWithControlCharacters() {
    write(
        "manifest.json",
        read("manifest.json").replace(ETCD_TAG, "a\\u001b[2Jb").replace("Quick look", "\\u0007"));
    StringWriter out = new StringWriter();
    assertThat(command(out).execute(run.path().toString(), "--table")).isZero();
    assertThat(out.toString())
        .contains("|  a\\x1b[2Jb   |", "\n\\a\n")
        .doesNotContain("\u001b", "\u0007");
  }

  @Test
  void aRunWithoutARequest() {
    measure(List.of());
    Manifests.of("etcd", ETCD_TAG, 1, 7).completed(Manifests.START.plusSeconds(1)).write(etcd);
    showsNoRequests(
        "steps.csv: found 0 steps, expected 1 as in manifest.json: the file was changed or cut");
  }

  @Test
  void aRunOfOneSecond() {
    Histogram latencies = new Histogram(3);
    latencies.recordValue(2_000_000);
    latencies.recordValue(4_000_000);
    Latencies exact = new Latencies(2, 6_000_000, 2_000_000, 4_000_000, 20e12);
    measure(
        List.of(
            Measurements.ofPuts(
                1,
                500_000_000,
                exact,
                latencies,
                List.of(new SecondMeasurement(BEGINNING, exact, List.of())),
                new SuccessGaps(0, List.of()))));
    assertThat(table(2))
        .contains("|        TOTAL-SECONDS |  0.5000 sec |")
        .contains("|       MAX-THROUGHPUT |           - |")
        .contains("|       MIN-THROUGHPUT |           - |")
        .contains("|       AVG-THROUGHPUT |   4 req/sec |")
        .contains("|          AVG-LATENCY |   3.0000 ms |")
        .contains("|        Latency p99.9 | 4.000000 ms |")
        .contains("|   CLIENT-ERROR-COUNT |           0 |")
        .endsWith(
            "\netcd: MAX-THROUGHPUT and MIN-THROUGHPUT are unknown: no step has a full "
                + "one-second interval (all requests took 0.500 s)\n");
  }

  @Test
  void aRunInWhichEveryRequestFailed() {
    measure(
        List.of(
            Measurements.ofPuts(
                1,
                2_000_000_000,
                Latencies.NONE,
                new Histogram(3),
                List.of(
                    new SecondMeasurement(
                        BEGINNING,
                        Latencies.NONE,
                        List.of(new ErrorTally("timeout", "no leader", 3, 1_500_000)))),
                new SuccessGaps(0, List.of()))));
    assertThat(table(3))
        .contains("|        TOTAL-SECONDS | 2.0000 sec |")
        .contains("|       AVG-THROUGHPUT |  0 req/sec |")
        .contains("|      FASTEST-LATENCY |          - |")
        .contains("|          Latency p50 |          - |")
        .contains("|   CLIENT-ERROR-COUNT |          3 |")
        .endsWith(
            "\netcd errors:\n\"no leader\" (count 3)\n\netcd: MAX-THROUGHPUT and "
                + "MIN-THROUGHPUT are unknown: no step has a full one-second interval (all "
                + "requests took 2.0 s)\n");
  }

  private void measure(List<StepMeasurement> steps) {
    measured = steps;
    TestRuns.measure(etcd, steps);
  }

  private String table(long requests) {
    Manifests.withSteps(Manifests.of("etcd", "etcd", 1, requests), measured)
        .completed(Manifests.START.plusSeconds(1))
        .write(etcd);
    assertThat(report()).as(err.toString()).isZero();
    return text();
  }

  /**
   * Checks that the report has all columns, and names the problem below the table and on the page.
   */
  private void shows(String file, String message, String consequence) {
    err.getBuffer().setLength(0);
    assertThat(report()).as(err.toString()).isEqualTo(Quorate.FAILED);
    assertThat(text())
        .contains(ETCD_TAG, CONSUL_TAG)
        .contains("etcd: etcd/" + file + message + "; " + consequence + "\n");
    try {
      assertThat(Files.readString(run.page())).contains("etcd/" + file, consequence);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void showsNoRequests(String message) {
    assertThat(report()).isEqualTo(Quorate.FAILED);
    assertThat(text())
        .doesNotContain(ETCD_TAG)
        .contains("etcd: etcd/" + message + "; the results of its requests are left out\n");
  }

  private String text() {
    try {
      return Files.readString(run.tableText());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void fails(String file, String message) {
    err.getBuffer().setLength(0);
    assertThat(report()).isEqualTo(Quorate.FAILED);
    assertThat(err.toString()).isEqualTo(etcd.path().resolve(file) + message);
    assertThat(run.tableText()).doesNotExist();
  }

  private int report() {
    return command(new StringWriter()).execute(run.path().toString());
  }

  private CommandLine command(StringWriter out) {
    return new CommandLine(new ReportCommand())
        .setOut(new PrintWriter(out))
        .setExecutionExceptionHandler(
            (failure, line, parsed) -> {
              err.write(failure.getMessage());
              return failure instanceof QuorateException ? Quorate.FAILED : Quorate.DEFECT;
            });
  }

  private String read(String name) {
    try {
      return Files.readString(etcd.path().resolve(name));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void write(String name, String text) {
    try {
      Files.writeString(etcd.path().resolve(name), text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
