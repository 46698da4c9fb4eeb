// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.format.StrictJson;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.LimitResult;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.RunEvent;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.Golden;
import io.quorate.results.requests.OperationSteps;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The report of a run whose scenario states limits. */
class ScenarioLimitsTest {
  private static final String LIMITS =
      "\"p99 < 50 ms\", \"errors = 0\", \"errors < 1%\", \"throughput >= 250/s\", \"step 1 "
          + "put p99.9 <= 4 s\"";

  @TempDir Path results;
  private RunDirectory run;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void makeRun() {
    run = RunDirectory.create(results, "quick", 1, Manifests.START);
  }

  @Test
  void brokenLimitsAreToldEverywhereAndEndWithTheirOwnCode() throws IOException {
    measured("zookeeper", "zookeeper-r3.5.3-beta-java8");
    limit("zookeeper", LIMITS);

    assertThat(report()).isEqualTo(3);

    String sentences =
        """
        ZooKeeper: the threshold p99 < 50 ms was broken: found 66.159 ms
        ZooKeeper: the threshold errors = 0 was broken: found 22
        ZooKeeper: the threshold step 1 put p99.9 <= 4 s was broken: found 0.440% failed or were dropped
        """;
    assertThat(out.toString())
        .contains(
            """

            \u2717 p99 < 50 ms   ZooKeeper 66.159 ms
            \u2717 errors = 0   ZooKeeper 22
            \u2717 step 1 put p99.9 <= 4 s   ZooKeeper 0.440% failed or were dropped
            \u2713 2 of 5 thresholds kept

            """);
    assertThat(read("all-aggregated.txt")).endsWith(sentences);
    assertThat(read("index.html"))
        .contains("<th scope=\"row\">p99 &lt; 50 ms</th><td>66.159 ms <strong>broken</strong></td>")
        .contains("<th scope=\"row\">errors = 0</th><td>22 <strong>broken</strong></td>")
        .contains("<th scope=\"row\">errors &lt; 1%</th><td>0.440% kept</td>")
        .contains("<th scope=\"row\">throughput &gt;= 250/s</th><td>255/s kept</td>")
        .contains(
            "<th scope=\"row\">step 1 put p99.9 &lt;= 4 s</th>"
                + "<td>0.440% failed or were dropped <strong>broken</strong></td>");
    assertThat(read("junit.xml"))
        .isEqualTo(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="thresholds of quick" tests="5" failures="3" errors="0" skipped="0">
              <testcase classname="quick.zookeeper-r3.5.3-beta-java8" name="p99 &lt; 50 ms"><failure type="threshold" message="found 66.159 ms"></failure></testcase>
              <testcase classname="quick.zookeeper-r3.5.3-beta-java8" name="errors = 0"><failure type="threshold" message="found 22"></failure></testcase>
              <testcase classname="quick.zookeeper-r3.5.3-beta-java8" name="errors &lt; 1%"></testcase>
              <testcase classname="quick.zookeeper-r3.5.3-beta-java8" name="throughput &gt;= 250/s"></testcase>
              <testcase classname="quick.zookeeper-r3.5.3-beta-java8" name="step 1 put p99.9 &lt;= 4 s"><failure type="threshold" message="found 0.440% failed or were dropped"></failure></testcase>
            </testsuite>
            """);
    JsonNode limits =
        new ObjectMapper().readTree(read("result.json")).at("/databases/0/thresholds");
    assertThat(limits.get(0))
        .hasToString(
            "{\"threshold\":\"p99 < 50 ms\",\"found\":66.1586,\"unit\":\"ms\",\"kept\":false}");
    assertThat(limits.get(3))
        .hasToString(
            "{\"threshold\":\"throughput >="
                + " 250/s\",\"found\":254.5826,\"unit\":\"/s\",\"kept\":true}");
  }

  @Test
  void whatWasDroppedBreaksLimitsOfLatenciesAndErrors() throws IOException {
    DatabaseDirectory etcd = OperationSteps.write(run, "etcd");
    limit(
        etcd.id(),
        "\"p99 < 500 ms\", \"errors = 0\", \"dropped = 0\", \"dropped < 40%\", \"step 1 p99 < 500 "
            + "ms\", \"step 2 p50 < 500 ms\", \"step 2 p60 < 500 ms\", \"step 1 dropped = 0\"");

    assertThat(report()).isEqualTo(3);

    assertThat(read("all-aggregated.txt"))
        .endsWith(
            """
            etcd: the threshold p99 < 500 ms was broken: found 42.857% failed or were dropped
            etcd: the threshold errors = 0 was broken: found 6
            etcd: the threshold dropped = 0 was broken: found 4
            etcd: the threshold step 1 p99 < 500 ms was broken: found 33.333% failed or were dropped
            etcd: the threshold step 2 p60 < 500 ms was broken: found 50.000% failed or were dropped
            """);
    assertThat(read("index.html").replace('\u00a0', ' '))
        .contains(
            "<p class=\"verdict\">etcd broke 5 of 8 thresholds. ",
            "42.857% failed or were dropped <strong>broken</strong>")
        .contains("<th scope=\"col\">errors</th><th scope=\"col\">dropped</th>");
    assertThat(read("all-aggregated.txt")).contains("CLIENT-DROPPED-COUNT");
  }

  @Test
  void limitsThatOnlyTheLoadGeneratorBrokeAreUndecided() throws IOException {
    run =
        new RunDirectory(
            SyntheticRun.open(Duration.ofMillis(900), List.of("etcd"), 4, 1000, 500)
                .write(results));
    String limits = "\"p50 < 500 ms\", \"max < 700 ms\", \"mean < 500 ms\", \"errors = 0\"";
    limit("etcd", limits);

    assertThat(report()).isEqualTo(4);

    String lag = " ms, and [0-9.]+ ms without the load generator's delay";
    assertThat(read("all-aggregated.txt"))
        .containsPattern("etcd: the threshold p50 < 500 ms is undecided: found 90[0-9.]+" + lag)
        .containsPattern("etcd: the threshold max < 700 ms is undecided: found [0-9.]+" + lag)
        .containsPattern("etcd: the threshold mean < 500 ms is undecided: found 90[0-9.]+" + lag)
        .doesNotContain("broken");
    assertThat(out.toString()).containsPattern("\n~ p50 < 500 ms   etcd 90[0-9.]+" + lag + ":");
    assertThat(read("junit.xml"))
        .contains("failures=\"0\"", "skipped=\"3\"")
        .containsPattern("<skipped message=\"found 90[0-9.]+" + lag + "\">");
    assertThat(read("index.html")).contains(" ms undecided</td>", "thresholds undecided");
    assertThat(read("all-aggregated.txt")).contains("is undecided: found ");
    JsonNode json =
        new ObjectMapper().readTree(read("result.json")).at("/databases/0/thresholds/0");
    assertThat(json.get("kept").asBoolean()).isFalse();
    assertThat(json.get("withoutDelay").asDouble()).isLessThan(500);

    limit("etcd", limits + ", \"throughput >= 9000/s\", \"p50 < 1 us\"", limits);
    assertThat(report()).isEqualTo(4);
    assertThat(read("all-aggregated.txt"))
        .containsPattern(
            "the threshold throughput >= 9000/s is undecided: found .* but the load gen")
        .doesNotContain("broken");
  }

  @Test
  void limitsOfClientsThatOnlyLateSendingBrokeAreUndecided() throws IOException {
    measured("etcd", "etcd-v3.3.0-go1.9.3");
    limit("etcd", "\"max < 95 ms\", \"throughput >= 420/s\", \"mean < 20 ms\"");
    DatabaseRun etcd = DatabaseRun.read(run.createDatabase("etcd").path());
    Histogram lag = new Histogram(3);
    lag.recordValueWithCount(5_000_000, etcd.latencies().all().getTotalCount());
    try (LatencyLog log = LatencyLog.create(etcd.directory().latencyLog(), Manifests.START)) {
      etcd.latencies().byTag().forEach(log::append);
      log.append(LatencyTag.of(1, LatencyTag.Time.LAG), lag);
    }

    assertThat(report()).isEqualTo(4);
    assertThat(read("all-aggregated.txt").lines().filter(line -> line.contains("the threshold ")))
        .hasSize(3)
        .allMatch(line -> line.contains(" is undecided: found "));

    String limits = "\"max < 95 ms\"";
    limit("etcd", limits + ", \"throughput >= 9000/s\", \"p50 < 1 us\"", limits);
    assertThat(report()).isEqualTo(3);
    assertThat(read("all-aggregated.txt"))
        .contains(
            "the threshold throughput >= 9000/s was broken", "the threshold p50 < 1 us was broken");
  }

  @Test
  void requestsThatWereDroppedAfterStallsOfTheLoadGeneratorAreItsOwn() throws IOException {
    DatabaseDirectory etcd = OperationSteps.write(run, "etcd");
    limit(etcd.id(), "\"dropped = 0\", \"dropped < 2\", \"errors < 3\"");
    RunEvent stall = RunEvent.stall(2, 1, 2, 3);
    StrictJson.append(RunEvent.FILE.file(etcd), List.of(stall));

    assertThat(report()).isEqualTo(3);
    assertThat(read("all-aggregated.txt"))
        .endsWith(
            """
            etcd: the threshold dropped = 0 was broken: found 4
            etcd: the threshold errors < 3 was broken: found 6
            etcd: the threshold dropped < 2 is undecided: found 4, and 1 without the load generator's delay
            """);
  }

  @Test
  void keptLimitsEndWell() throws IOException {
    measured("etcd", "etcd-v3.3.0-go1.9.3");
    limit("etcd", "\"mean < 1 s\", \"max < 10 s\"");

    assertThat(report()).isZero();

    assertThat(err.toString()).isEmpty();
    assertThat(read("junit.xml")).contains("tests=\"2\" failures=\"0\"");
    assertThat(read("all-aggregated.txt")).doesNotContain("threshold");
  }

  @Test
  void aRunThatDidNotComeToItsEndKeepsNoLimit() throws IOException {
    DatabaseDirectory etcd = run.createDatabase("etcd");
    Manifests.of("etcd", "etcd", 1, 5000).failed(Manifests.START, "no leader").write(etcd);
    limit("etcd", "\"errors = 0\"");

    assertThat(report()).isEqualTo(3);

    assertThat(out.toString()).contains("\u2717 errors = 0   etcd was not measured\n");
    assertThat(read("index.html")).contains("<td>- <strong>broken</strong></td>");
    assertThat(read("junit.xml")).contains("message=\"was not measured\"");
  }

  @Test
  void limitsOfStepsThatHaveNotBegunAreLeftOutWhileTheRunGoesOn() throws IOException {
    measured("etcd", "etcd-v3.3.0-go1.9.3");
    DatabaseDirectory etcd = run.createDatabase("etcd");
    Manifests.withLoad(Manifest.read(etcd.manifest()), OperationSteps.load()).write(etcd);
    limit("etcd", "\"step 1 p99 < 500 ms\", \"step 2 p99 < 500 ms\"");
    assertThat(found(etcd)).hasSize(2);

    Manifest.read(etcd.manifest()).withHost(HostInfo.ofThisMachine()).write(etcd);
    Files.writeString(
        etcd.manifest(),
        Files.readString(etcd.manifest()).replace("\"complete\"", "\"interrupted\""));
    assertThat(found(etcd))
        .extracting(each -> each.limit().step())
        .containsExactly(OptionalInt.of(1));
  }

  private static List<LimitResult> found(DatabaseDirectory etcd) {
    return DatabaseFigures.of(DatabaseRun.read(etcd.path())).limits();
  }

  @Test
  void aScenarioWithoutLimitsHasNoneInItsFiles() {
    measured("etcd", "etcd-v3.3.0-go1.9.3");

    assertThat(report()).isZero();

    assertThat(run.junitXml()).doesNotExist();
    assertThat(run.page()).content().doesNotContain("Thresholds of the scenario");
    assertThat(run.resultJson()).content().doesNotContain("\"limits\"");
  }

  private void measured(String id, String tag) {
    TestRuns.write(run.path(), id, tag, 1, 5000, Golden.steps(tag));
  }

  private void limit(String id, String limits) throws IOException {
    Path manifest = run.path().resolve(id).resolve("manifest.json");
    String text = Files.readString(manifest);
    Files.writeString(manifest, text.replace("\"limits\" : [ ]", "\"limits\" : [" + limits + "]"));
  }

  private void limit(String id, String limits, String before) throws IOException {
    Path manifest = run.path().resolve(id).resolve("manifest.json");
    String text = Files.readString(manifest);
    Files.writeString(manifest, text.replace("\"limits\" : [" + before, "\"limits\" : [" + limits));
  }

  private int report() {
    return new CommandLine(new ReportCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(run.path().toString());
  }

  private String read(String name) throws IOException {
    return Files.readString(run.path().resolve(name));
  }
}
