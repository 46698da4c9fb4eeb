// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.cli.CommandProvider;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReportCommandTest {
  private static final String GOLDEN_TABLE = PublishedTable.resource("golden-table.txt");

  @TempDir Path results;
  private RunDirectory run;

  @BeforeEach
  void makeRun() {
    run = RunDirectory.create(results.resolve("results"), "quick", 1, Manifests.START);
  }

  @Test
  void theGoldenScenarioGetsItsTable() {
    writeGolden();

    String printed = report("--table", "--summary");

    assertThat(read("all-aggregated.txt")).isEqualTo(GOLDEN_TABLE);
    assertThat(read("all-aggregated.csv"))
        .startsWith(
            """
            ,etcd-v3.3.0-go1.9.3,zookeeper-r3.5.3-beta-java8,consul-v1.0.2-go1.9.3
            TOTAL-SECONDS,12.1427 sec,19.5536 sec,25.8156 sec
            TOTAL-REQUEST-NUMBER,"5,000","5,000","5,000"
            """);
    assertThat(printed)
        .contains("\netcd-v3.3.0-go1.9.3\n" + read("etcd/summary.txt"))
        .contains("\nQuick look\n" + GOLDEN_TABLE)
        .endsWith(
            "\npage    %s\nrepeat  ./quorate run quick --repeats 6\n"
                .formatted(run.path().resolve("index.html")));
  }

  @Test
  void the_last_lines_are_the_answer() {
    writeGolden();

    assertThat(report())
        .isEqualTo(
            """

            put, 8 B keys, 256 B values \u00b7 2 members \u00b7 1 run

                         /s      p50      p99   errors
            etcd        412  22.0 ms  61.6 ms        0
            ZooKeeper   255  20.0 ms  58.8 ms       22
            Consul      194  23.3 ms  65.7 ms        0

            Highest throughput: etcd, 412/s with 10 clients (ZooKeeper 255/s with 7, Consul 194/s
              with 5). Unequal loads: this compares them, not the databases.

            page    %s
            repeat  ./quorate run quick --repeats 6
            """
                .formatted(run.path().resolve("index.html")));
  }

  @Test
  void settings_of_servers_that_differ_stand_above_the_table_and_on_the_page() throws IOException {
    writeGolden();
    choose("etcd", "\"snapshot-count\" : \"1000\", \"quota-backend-bytes\" : \"8GB\"");

    report();

    String settings = "snapshot-count 1000, quota-backend-bytes 8GB";
    assertThat(read("all-aggregated.txt"))
        .isEqualTo("etcd-v3.3.0-go1.9.3: servers with " + settings + "\n" + GOLDEN_TABLE);
    assertThat(read("index.html")).contains("settings of the servers", settings);
    assertThat(read("result.json")).contains("\"quota-backend-bytes\" : \"8GB\"");
  }

  private void choose(String database, String settings) throws IOException {
    Path manifest = run.path().resolve(database).resolve("manifest.json");
    String text = Files.readString(manifest);
    assertThat(text).contains("\"settings\" : { }");
    Files.writeString(
        manifest, text.replace("\"settings\" : { }", "\"settings\" : {" + settings + "}"));
  }

  @Test
  void aTableIsTheSameOnAnotherDay() {
    writeGolden();
    report();
    String before = read("all-aggregated.txt");
    Golden.inLocale("de", this::report);
    assertThat(read("all-aggregated.txt")).isEqualTo(before);
  }

  @Test
  void aDatabaseWhoseManifestIsGoneIsNamed() throws IOException {
    writeGolden();
    Files.delete(run.path().resolve("etcd/manifest.json"));
    assertThat(report()).contains("\netcd: not in the table: manifest.json is missing\n");
  }

  @Test
  void gatlingsReportsAreNamed() throws IOException {
    writeGolden();
    Path page = run.path().resolve("etcd/gatling/simulation-1/index.html");
    Files.createDirectories(page.getParent());
    Files.createFile(page);
    report();
    assertThat(read("index.html")).contains("etcd/gatling/simulation-1/index.html");
    assertThat(page.resolveSibling("js/global_stats.json"))
        .content()
        .startsWith("{\"name\":\"All Requests\",\"numberOfRequests\":{");
  }

  @Test
  void whatIsNotCompleteIsNamedBelowTheTable() {
    TestRuns.write(run.path(), "etcd", "etcd-v3", 1, 5000, steps("etcd-v3.3.0-go1.9.3"));
    DatabaseDirectory zookeeper = run.createDatabase("zookeeper");
    List<StepMeasurement> measured = steps("zookeeper-r3.5.3-beta-java8");
    TestRuns.measure(zookeeper, measured);
    Manifests.withSteps(Manifests.of("zookeeper", "zookeeper-v3", 1, 9000), measured)
        .write(zookeeper);
    DatabaseDirectory consul = run.createDatabase("consul");
    Manifests.of("consul", "consul-v1", 1, 5000)
        .failed(Manifests.START, "no leader\u001b[2J")
        .write(consul);

    report();

    assertThat(read("all-aggregated.txt"))
        .startsWith(
            "+----------------------+--------------+\n|                      |   etcd-v3    |")
        .endsWith(
            """
            +

            ZooKeeper: interrupted after 19.6 s, not in the table: results/quick/20261121T075146Z/zookeeper
            Consul: failed before the first request was measured (no leader\\x1b[2J), not in the table: results/quick/20261121T075146Z/consul
            """);
    assertThat(read("all-aggregated.csv")).startsWith(",etcd-v3\n").doesNotContain("zookeeper");
    assertThat(read("zookeeper/summary.txt"))
        .startsWith("\nZooKeeper: interrupted after 19.6 s\n\nSummary:\n  Total:\t19.5536 secs.\n");
    assertThat(run.path().resolve("consul/summary.txt")).doesNotExist();
  }

  @Test
  void withoutACompleteRunThereIsNoTable() {
    Manifests.of("etcd", "etcd", 1, 5000).write(run.createDatabase("etcd"));
    report();
    assertThat(read("all-aggregated.txt"))
        .isEqualTo(
            "etcd: interrupted before the first request was measured, not in the table: "
                + "results/quick/20261121T075146Z/etcd\n");
  }

  @Test
  void aScaledRunSaysSoEverywhere() {
    TestRuns.write(run.path(), "etcd", "etcd-v3", 0.01, 5000, steps("etcd-v3.3.0-go1.9.3"));
    report();
    assertThat(read("all-aggregated.txt"))
        .endsWith("\n\nscaled to 1% of the scenario's requests\n");
    assertThat(read("all-aggregated.csv")).startsWith(",etcd-v3\nSCALE,0.01\n");
    assertThat(read("etcd/summary.txt"))
        .startsWith("\nscaled to 1% of the scenario's requests\n\nSummary:\n");
  }

  @Test
  void aCompleteRunWithoutAllItsRequestsSaysSo() {
    TestRuns.write(run.path(), "etcd", "etcd-v3", 1, 6000, steps("etcd-v3.3.0-go1.9.3"));
    report();
    assertThat(read("all-aggregated.txt"))
        .endsWith("\n\netcd: 5,000 of 6,000 requests were measured\n");
  }

  @Test
  void aFileThatCannotBeReadIsNamedAndTheRestIsShown() throws Exception {
    writeGolden();
    Files.writeString(run.path().resolve("etcd/errors.csv"), "STEP\n");
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(new ReportCommand())
            .setOut(new PrintWriter(new StringWriter()))
            .setErr(new PrintWriter(err))
            .execute(run.path().toString());
    assertThat(code).isEqualTo(1);
    assertThat(err.toString())
        .startsWith(
            "unreadable: etcd/errors.csv:1: found a header without OPERATION, UNIX-SECOND,");
    assertThat(run.tableText())
        .content()
        .contains("etcd/errors.csv:1: found a header without OPERATION, UNIX-SECOND,")
        .contains("AVG-THROUGHPUT");
  }

  @Test
  void aWrongSetOfLabelsIsNamed() {
    writeGolden();
    CommandLine command = new CommandLine(new ReportCommand());
    assertThatThrownBy(() -> command.parseArgs(run.path().toString(), "--labels", "oldest"))
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageContaining("--labels")
        .hasMessageContaining("earlier")
        .hasMessageContaining("later");
  }

  @Test
  void a_directory_that_does_not_exist_is_not_watched() {
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(new ReportCommand())
            .setErr(new PrintWriter(err))
            .execute(results.resolve("none").toString(), "--watch", "127.0.0.1:0");
    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).contains("none: is not a directory");
  }

  @Test
  void isFoundByTheCommandLine() {
    assertThat(ServiceLoader.load(CommandProvider.class))
        .flatExtracting(CommandProvider::commands)
        .hasAtLeastOneElementOfType(ReportCommand.class);
  }

  private void writeGolden() {
    List<String> ids = List.of("etcd", "zookeeper", "consul");
    for (int i = 0; i < 3; i++) {
      String tag = Golden.TAGS.get(i);
      TestRuns.write(run.path(), ids.get(i), tag, 1, 5000, steps(tag));
    }
  }

  private static List<StepMeasurement> steps(String tag) {
    return Golden.steps(tag);
  }

  private String report(String... options) {
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new ReportCommand())
            .setOut(new PrintWriter(out))
            .execute(
                Stream.concat(Stream.of(run.path().toString()), Stream.of(options))
                    .toArray(String[]::new));
    assertThat(code).isZero();
    return out.toString();
  }

  private String read(String name) {
    try {
      return Files.readString(run.path().resolve(name));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
