// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cli.Colors;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.page.RunIndex;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.StepUsage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs whose values are those of other processes, or of the load generator's own delay. */
class DisturbedRunTest {
  private static final long SECOND = 1_000_000_000;
  private static final String OTHERS =
      "Do not use this run: other processes used 85% of the load generator's CPUs while etcd was"
          + " measured.";

  @TempDir Path results;
  private GoldenRun run;

  @BeforeEach
  void aRunOfThreeDatabases() {
    run = new GoldenRun(results, "etcd", "zookeeper", "consul").withEqualClients();
  }

  @Test
  void aRunOnAMachineThatOthersUseHasNoVerdict() {
    use("etcd", 0.9, 10 * SECOND);
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .contains(OTHERS)
        .noneMatch(line -> line.contains(" completed ") || line.contains(" +"));
    run.writeWithoutPlots();
    assertThat(run.read("index.html"))
        .contains(
            "<b>" + OTHERS.replace("'", "&#39;") + "</b>",
            ">412 \u2021</td>",
            "\u2021 Other processes used more")
        .doesNotContain("completed the most", "class=\"ratio\"", "<b>412");
    assertThat(run.read("all-aggregated.txt"))
        .startsWith(OTHERS + "\n\n+--")
        .contains("411 req/sec \u2021 |", "\n\u2021 Other processes used more");
    assertThat(index().loads().get(0).rows()).allMatch(row -> ratios(row).isEmpty());
  }

  @Test
  void brokenLimitsOfARunThatMayNotBeUsedAreUndecided() {
    use("etcd", 0.9, 10 * SECOND);
    run.replace(
        "etcd/manifest.json",
        "\"limits\" : [ ]",
        "\"limits\" : [\"p99 < 50 ms\", \"p99 < 900 s\", \"throughput >= 9000/s\", \"errors = 0\"]");
    StringWriter out = new StringWriter();
    CommandLine report = new CommandLine(new ReportCommand()).setOut(new PrintWriter(out, true));
    assertThat(report.execute(run.directory().path().toString())).as(out.toString()).isEqualTo(4);
    String reason = "other processes used 85% of the load generator's CPUs while etcd was measured";
    assertThat(out.toString().replace("\n  ", " ").lines().filter(line -> line.startsWith("~ ")))
        .hasSize(2)
        .allMatch(line -> line.endsWith(", but " + reason + ": undecided"));
    assertThat(run.read("junit.xml")).contains("failures=\"0\"", "skipped=\"2\"", reason);
    assertThat(run.read("result.json")).contains("\"disturbance\" : \"" + reason);
    assertThat(run.read("all-aggregated.txt")).doesNotContain("p99 < 900 s");
  }

  @Test
  void theCpuOfAKilledMemberIsNotThatOfOthersButNamedProgramsAre() {
    use("etcd", 0.9, 10 * SECOND);
    run.replace("etcd/manifest.json", "10.0.0.2:", "127.0.0.1:");
    String steps = "etcd/2-server-system-metrics-steps.csv";
    run.write(steps, run.read(steps).lines().limit(2).collect(joining("\n", "", "\n")));
    busiest("etcd 1900", "");
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .noneMatch(line -> line.startsWith("Do not use"));

    busiest("cc1 1900", "");
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .anyMatch(
            line ->
                line.matches(
                    "Do not use this run: other processes used at least 9\\d% of the load"
                        + " generator's CPUs while etcd was measured\\."));
  }

  @Test
  void anExistingClusterAtAnAddressOfTheMachineIsNoStranger() throws IOException {
    use("etcd", 0.9, 10 * SECOND);
    run.replace("etcd/manifest.json", "\"agents\"", "\"hosting\" : \"given\", \"agents\"");
    for (int member = 1; member <= 2; member++) {
      Files.delete(
          run.directory()
              .path()
              .resolve("etcd/%d-server-system-metrics-steps.csv".formatted(member)));
    }
    busiest("etcd 1900", "eth0");
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .anyMatch(line -> line.startsWith("Do not use"));

    for (String here : List.of("lo", "docker0", "br-1f2e3d4c5b6a", "veth7")) {
      busiest("etcd 1900", here);
      assertThat(run.report().consoleSummary(Colors.NONE).lines())
          .noneMatch(line -> line.startsWith("Do not use"));
      for (String stranger : List.of("cc1 1900", "java 1900")) {
        busiest(stranger, here);
        assertThat(run.report().consoleSummary(Colors.NONE).lines())
            .anyMatch(line -> line.startsWith("Do not use"));
      }
    }
  }

  /** Sets the busiest program of each second, and the interface to the members. */
  private void busiest(String program, String network) {
    String file = "etcd/client-system-metrics.csv";
    String added = ",CPUS,PROCESS-CPU-OTHERS,OTHERS-TIME-MILLISECONDS,INTERFACE";
    String[] rows = run.read(file).split("\n");
    if (rows[0].endsWith(added)) {
      Arrays.setAll(rows, i -> rows[i].replaceFirst("(,[^,]*){4}$", ""));
    }
    rows[0] += added;
    for (int i = 1; i < rows.length; i++) {
      rows[i] += ",2,%s,1000,%s".formatted(program, network);
    }
    run.write(file, String.join("\n", rows) + "\n");
  }

  @Test
  void aQuarterOfTheCpusAndTimesBelowASecondAreNotDisturbed() {
    use("etcd", 0.3, 10 * SECOND);
    use("consul", 1, SECOND / 2);
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .noneMatch(line -> line.startsWith("Do not use"))
        .contains("In this one run, etcd (412/s) completed the most requests.");
    assertThat(index().loads().get(0).rows().get(0)).matches(row -> !ratios(row).isEmpty());
  }

  @Test
  void aDelayOfMostOfTheMedianIsTheResultOfTheLoadGenerator() {
    delay("etcd", 100, 12_000_000);
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .anyMatch(
            line ->
                line.matches(
                    "Do not use this run: the load generator's delay is 5\\d% of the median latency"
                        + " of etcd\\."));
  }

  @Test
  void theThroughputOfClientsIsNotComparedIfTheirLatencyIsNot() {
    delay("etcd", 100, 3_000_000);
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .noneMatch(line -> line.startsWith("Do not use"))
        .contains(
            "etcd (412/s), ZooKeeper (255/s) and Consul (194/s) are not compared: the load"
                + " generator's delay exceeds a tenth of the latency.");
    run.writeWithoutPlots();
    assertThat(run.read("index.html"))
        .contains(">412 *</td>", "<td align=\"right\">411 req/sec *</td>")
        .doesNotContain("completed the most", "<b>412", ">255 <small class=\"ratio\"");
    assertThat(index().loads().get(0).rows())
        .allMatch(row -> row.cells().get(0).ratio().isEmpty() && !ratios(row).isEmpty());
  }

  @Test
  void aDelayOfOneRequestInAThousandLeavesTheThroughput() {
    delay("etcd", 0.1, 300_000_000);
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .contains("In this one run, etcd (412/s) completed the most requests.");
  }

  @Test
  void aStepInWhichTheJvmCompiledIsMarkedAndNotCompared() {
    use("etcd", 0.2, 10 * SECOND, SECOND / 2 + 1);
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .contains(
            "etcd (412/s), ZooKeeper (255/s) and Consul (194/s) are not compared: the load"
                + " generator's code was not warm.");
    run.writeWithoutPlots();
    assertThat(run.read("index.html"))
        .contains(">412 \u00a7</td>", "\u00a7 The JVM")
        .doesNotContain("class=\"ratio\"");
    use("etcd", 0.2, 10 * SECOND, SECOND / 2);
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .contains("In this one run, etcd (412/s) completed the most requests.");
  }

  @Test
  void aRunWithoutWarmUpIsMarkedAndNotCompared() {
    run.replace("consul/manifest.json", "\"onFailure\"", "\"coldStart\" : true, \"onFailure\"");
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .anyMatch(
            line -> line.endsWith("are not compared: the load generator's code was not warm."))
        .anyMatch(line -> line.startsWith("\u00a7 "));
  }

  private RunIndex index() {
    ExperimentRun read = ExperimentRun.read(run.directory().path());
    return RunIndex.of(
        "index", List.of(new RunIndex.Run("run", RunFigures.of(read), List.of(), false)), false);
  }

  private static List<String> ratios(RunIndex.Entry row) {
    return row.cells().stream().map(cell -> cell.ratio()).filter(text -> !text.isEmpty()).toList();
  }

  /** Sets how busy the machine of the load generator was, which used a twentieth itself. */
  private void use(String id, double busy, long nanos) {
    use(id, busy, nanos, 0);
  }

  private void use(String id, double busy, long nanos, long compileNanos) {
    DatabaseDirectory directory = run.directory().createDatabase(id);
    StepUsage cost =
        new StepUsage(
            1,
            10,
            5000,
            nanos,
            10 * nanos,
            nanos / 10,
            OptionalDouble.of(busy),
            0,
            0,
            OptionalLong.of(compileNanos));
    Manifest.read(directory.manifest()).withCosts(List.of(cost)).write(directory);
  }

  /** Sets a delay of sending for a part of the requests. */
  private void delay(String id, double percent, long nanos) {
    DatabaseRun database = DatabaseRun.read(run.directory().createDatabase(id).path());
    long requests = database.latencies().all().getTotalCount();
    long delayed = Math.round(requests * percent / 100);
    Histogram lag = new Histogram(3);
    lag.recordValueWithCount(1, requests - delayed);
    lag.recordValueWithCount(nanos, delayed);
    try (LatencyLog log =
        LatencyLog.create(database.directory().latencyLog(), database.manifest().start())) {
      database.latencies().byTag().forEach(log::append);
      log.append(LatencyTag.of(1, LatencyTag.Time.LAG), lag);
    }
  }
}
