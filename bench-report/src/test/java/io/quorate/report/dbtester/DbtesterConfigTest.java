// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.dbtester;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cli.Quorate;
import io.quorate.report.ReferenceDirectory;
import io.quorate.report.ReportCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Tests how a configuration of the reference is read, and where its files are found and written.
 */
class DbtesterConfigTest {
  @TempDir Path temporary;
  private ReferenceDirectory run;

  @BeforeEach
  void copy() {
    run = new ReferenceDirectory(temporary).plots("MAX-CPU");
  }

  @Test
  void anUnknownKeyIsPassedOverAndOfTwoEqualKeysTheLastOneCounts() {
    run.replace("config.yaml", "      type: write\n", "      type: write\n      snap: 1\n");
    run.replace("config.yaml", "test_title:", "test_title: first\ntest_title:");
    assertThat(run.report()).isZero();
    assertThat(run.out()).startsWith("Write 5K keys");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void anUnknownDatabaseIsRefused() {
    run.replace("config.yaml", "- etcd__v3_3", "- etcd__v4");
    fails(at(18) + "found databaseID \"etcd__v4\" is unknown, expected one of cetcd__beta, ");
  }

  @Test
  void aMissingKeyIsNamed() {
    run.replace("config.yaml", "    all_aggregated_output_path: all-aggregated.csv\n", "");
    fails("found no value of 'all_aggregated_output_path', expected one");
  }

  @Test
  void whatIsNoNumberIsRefused() {
    run.replace("config.yaml", "request_number: 5000", "request_number: many");
    fails(at(33) + "found 'many', expected a whole number of 0 or more");
  }

  @Test
  void clientsOfOtherDatabasesThanEtcdHaveAConnectionEach() {
    run.replace("config.yaml", "connection_number: 7", "connection_number: 8");
    fails("found \"zookeeper__r3_5_3_beta\" got connected 8 != clients 7, expected");
  }

  @Test
  void anUnknownTypeOfImageIsRefused() {
    run.replace("config.yaml", "type: remote", "type: far");
    fails("found the type 'far', which is not supported, expected local, remote");
  }

  @Test
  void anUnknownPlotIsRefused() {
    run.replace("config.yaml", "column: MAX-CPU", "column: MIN-CPU");
    fails("analyze_plot_list: found the column 'MIN-CPU', expected one of UNIX-SECOND, SECOND,");
  }

  @Test
  void withoutPlotsThereIsNoDirectoryForThem() {
    String text = run.read("config.yaml");
    int from = text.indexOf("analyze_plot_list:");
    run.write(
        "config.yaml", text.substring(0, from) + text.substring(text.indexOf("analyze_readme:")));
    fails("found no plot in analyze_plot_list, expected one or more");
  }

  @Test
  void brokenYamlIsNamedWithItsLine() {
    run.replace("config.yaml", "all_database_id_list:", "all_database_id_list: [");
    fails(run.path("config.yaml") + ":");
    run.write("config.yaml", "- a\n");
    fails(at(1) + "found a list, expected a map");
    run.write("config.yaml", "");
    fails("config.yaml:1: found an empty file");
  }

  @Test
  void filesAreFoundByABase() throws IOException {
    Path elsewhere = temporary.resolve("elsewhere");
    Files.createDirectory(elsewhere);
    Files.move(run.path(ReferenceDirectory.SCENARIO), elsewhere.resolve("a-write-fixed-clients"));
    fails("found no a-write-fixed-clients/etcd-v3.3.0-go1.9.3-client-latency-throughput-timeser");
    assertThat(run.err()).endsWith("expected it there: --base says where its files are");

    assertThat(run.report("--as-published", "--base", elsewhere.toString())).isZero();
    assertThat(ReferenceDirectory.expected()).containsAllEntriesOf(run.written());
  }

  @Test
  void absolutePathsAreWrittenBelowTheOutputToo() throws IOException {
    String text = run.read("config.yaml");
    run.write(
        "config.yaml",
        text.replace("x: a-write-fixed-clients", "x: " + temporary.resolve("a-write-fixed-clients"))
            .replace(
                "h: a-write-fixed-clients/R", "h: " + temporary.resolve("a-write-fixed-clients/R"))
            .replace(
                "csv: a-write-fixed-clients", "csv: " + temporary.resolve("a-write-fixed-clients"))
            .replace(
                "txt: a-write-fixed-clients",
                "txt: " + temporary.resolve("a-write-fixed-clients")));
    assertThat(run.report("--as-published")).isZero();
    assertThat(run.read("config-report/README.md"))
        .isEqualTo(ReferenceDirectory.expected().get("README.md"));
    assertThat(run.path("a-write-fixed-clients/README.md")).doesNotExist();
  }

  @Test
  void nothingIsWrittenAboveTheOutput() {
    run.replace("config.yaml", "output_path: a-write", "output_path: ../../a-write");
    assertThat(run.report()).isZero();
    assertThat(temporary.getParent().resolve("a-write-fixed-clients")).doesNotExist();
  }

  @Test
  void whatIsThereIsReplacedOnlyIfItWasMadeByThisCommand() {
    String readme = "config-report/a-write-fixed-clients/README.md";
    run.write(readme, "mine\n");
    fails(run.path(readme) + ": exists and was not created by this command. Choose another");
    assertThat(run.read(readme)).isEqualTo("mine\n");
    assertThat(run.path("config-report/a-write-fixed-clients/all-aggregated.csv")).doesNotExist();

    assertThat(run.report("--force")).isZero();
    assertThat(run.read(readme)).contains("##### Write 5K keys");
    assertThat(run.report("--as-published")).isZero();
  }

  @Test
  void aLinkDoesNotLeadOutOfTheOutput() throws IOException {
    Path outside = Files.createDirectories(temporary.resolve("outside"));
    Files.createDirectories(run.path("config-report"));
    Files.createSymbolicLink(run.path("config-report/a-write-fixed-clients"), outside);
    fails(
        "a-write-fixed-clients: found a symbolic link, expected a directory: nothing was written");
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void aRunOrAReferenceIsNeeded() {
    assertThat(new CommandLine(new ReportCommand()).setErr(nowhere()).execute())
        .isEqualTo(Quorate.USAGE);
    assertThat(run.report("results/x")).isEqualTo(Quorate.USAGE);
  }

  private static PrintWriter nowhere() {
    return new PrintWriter(Writer.nullWriter());
  }

  private String at(int line) {
    return run.path("config.yaml") + ":" + line + ": ";
  }

  private void fails(String message) {
    assertThat(run.report()).isEqualTo(Quorate.FAILED);
    assertThat(run.err()).contains(message);
  }
}
