// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.QuorateException;
import io.quorate.cli.Quorate;
import io.quorate.results.RunDirectory;
import io.quorate.results.RunPlan;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests {@code quorate report} on runs that were made to do harm. */
class HostileRunTest {
  private static final String TAG = "etcd-v3.3.0-go1.9.3";
  private static final RunPlan PLAN = new RunPlan("quick.yaml", "title: Quick", Map.of());

  @TempDir Path temporary;
  private RunDirectory run;
  private Path outside;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeRun() throws IOException {
    run = RunDirectory.create(temporary.resolve("results"), "quick", 1, Manifests.START);
    TestRuns.write(run.path(), "etcd", TAG, 1, 5000, Golden.steps(TAG));
    outside = Files.createDirectory(temporary.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "password\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"plots", "all-aggregated.txt", "all-aggregated.csv", "index.html", "result.json"})
  void aLinkInThePlaceOfAnOutputIsRefusedAndNothingIsWritten(String name) throws IOException {
    boolean directory = name.equals("plots");
    Path target = directory ? outside : outside.resolve("secret");
    Files.createSymbolicLink(run.path().resolve(name), target);
    Map<Path, String> before = files();

    assertThat(report()).isEqualTo(Quorate.FAILED);

    assertThat(err.toString())
        .isEqualTo(
            run.path().resolve(name)
                + ": found a symbolic link, expected "
                + (directory ? "a directory" : "a file that can be replaced")
                + ": nothing was written");
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void aLinkToAFileThatIsNotThereYetIsNotWrittenThrough() throws IOException {
    Files.createSymbolicLink(run.path().resolve("etcd/summary.txt"), outside.resolve("new"));
    assertThat(report()).isEqualTo(Quorate.FAILED);
    assertThat(err.toString()).contains("etcd/summary.txt: found a symbolic link");
    assertThat(outside.resolve("new")).doesNotExist();
    assertThat(run.tableText()).doesNotExist();
  }

  @Test
  void aPageOfGatlingThatIsALinkIsNotLinked() throws IOException {
    Path gatling = run.path().resolve("etcd/gatling");
    Files.createDirectories(gatling.resolve("one"));
    Files.createSymbolicLink(gatling.resolve("one/index.html"), outside.resolve("secret"));
    Files.writeString(outside.resolve("index.html"), "password");
    Files.createSymbolicLink(gatling.resolve("two"), outside);

    assertThat(report()).isZero();

    assertThat(Files.readString(run.page())).doesNotContain("etcd/gatling");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "\"requests\" : 5000 => \"requests\" : 18446744073709551617 => :70:42: load.steps[0].requests:"
            + " found 18446744073709551617, expected a whole number from -2^63 to 2^63 - 1",
        "\"clients\" : 10 => \"clients\" : 5.5 => :67:23: load.steps[0].model.clients: found 5.5, expected"
            + " a whole number from -2^31 to 2^31 - 1",
        "\"scale\" : 1.0 => \"scale\" : 1e400 => :22:3: scenario: scale: found Infinity, expected a number"
            + " above 0 and at most 1",
        "\"scale\" : 1.0 => \"scale\" : 0 => :22:3: scenario: scale: found 0.0, expected a number above 0"
            + " and at most 1",
        "\"scale\" : 1.0 => \"scale\" : \"x\" => :14:15: scenario.scale: found the text 'x', expected a"
            + " number",
        "\"requestTimeout\" : \"PT5S\" => \"requestTimeout\" : \"PT0S\" => :90:3: load: requestTimeout:"
            + " found PT0S, expected more than 0",
        "\"requestTimeout\" : \"PT5S\" => \"requestTimeout\" : \"PT9999999999999H\" => :60:24:"
            + " load.requestTimeout: found the text 'PT9999999999999H', expected a duration up to 292"
            + " years such as PT5S",
        "\"end\" : \"2026 => \"end\" : \"2025 => :125:1: end: found 2025-11-21T07:52:06Z, expected a time"
            + " that is not before start, 2026-11-21T07:51:46Z",
        "\"start\" : \"2026 => \"start\" : \"+999999999 => :4:13: start: found the text"
            + " '+999999999-11-21T07:51:46Z', expected a time from 1970 to 2262 such as 2026-11-21T07:51:46Z",
        "\"id\" : \"etcd\" => \"id\" : \"consul\" => : database.id: found \"consul\", expected \"etcd\" as its"
            + " directory is named",
      })
  void aManifestWithImpossibleValuesIsRefused(String found, String replacement, String message)
      throws IOException {
    change("manifest.json", found, replacement);
    assertThat(report()).isEqualTo(Quorate.FAILED);
    assertThat(err.toString()).isEqualTo(run.path().resolve("etcd/manifest.json") + message);
    assertThat(run.tableText()).doesNotExist();
  }

  @Test
  void latenciesOfNoStepAreNamedAndLeftOut() throws IOException {
    change("latency.hlog", "Tag=step=1;", "Tag=stop=1;");
    assertThat(report()).isEqualTo(Quorate.FAILED);
    assertThat(run.tableText())
        .content()
        .contains(
            "etcd: etcd/latency.hlog:6: found the tag 'stop=1;op=put', expected one such as step=1;op=put");
  }

  @Test
  void aTagThatIsLongerThanNamesOfFilesMayBeIsCutInThem() throws IOException {
    change("manifest.json", TAG, "x".repeat(300));
    assertThat(report()).isZero();
    assertThat(Files.readString(run.tableCsv())).startsWith("," + "x".repeat(300) + "\n");
  }

  @Test
  void aDatabaseThatWasKilledBeforeItsFirstManifestIsNamed() {
    PLAN.write(run);
    run.createDatabase("consul");
    assertThat(report()).isZero();
    assertThat(out.toString()).contains("\nconsul: not in the table: manifest.json is missing");
  }

  @Test
  void aRunThatWasKilledBeforeItsFirstManifestIsNamed() throws IOException {
    run = RunDirectory.create(temporary.resolve("results"), "quick", 1, Manifests.START);
    PLAN.write(run);
    run.createDatabase("consul");
    assertThat(report()).isZero();
    assertThat(out.toString())
        .startsWith(
            "\nRun 20261121T075146Z-2\n\nconsul: not in the table: manifest.json is missing");
    assertThat(Files.readString(run.page()))
        .contains("No verdict: the run ended before its manifest was written");
  }

  private void change(String name, String found, String replacement) throws IOException {
    Path file = run.path().resolve("etcd").resolve(name);
    String text = Files.readString(file);
    assertThat(text).contains(found);
    Files.writeString(file, text.replace(found, replacement));
  }

  /** Returns the files of the run and next to it; a link as its target. */
  private Map<Path, String> files() throws IOException {
    Map<Path, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(temporary)) {
      for (Path file : all.toList()) {
        boolean link = Files.isSymbolicLink(file);
        boolean regular = Files.isRegularFile(file);
        files.put(file, link ? "link" : regular ? Files.readString(file) : "directory");
      }
    }
    return files;
  }

  private int report() {
    return new CommandLine(new ReportCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(
            (failure, line, parsed) -> {
              err.write(failure.getMessage());
              return failure instanceof QuorateException ? Quorate.FAILED : Quorate.DEFECT;
            })
        .execute(run.path().toString());
  }
}
