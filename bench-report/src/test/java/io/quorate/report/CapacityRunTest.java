// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.quorate.cli.Colors;
import io.quorate.report.compare.CompareCommand;
import io.quorate.report.figures.CapacityStatement;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.page.RunIndex;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.capacity.Searches;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.scenario.CapacityGoal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The report about a run in which capacities were searched. */
class CapacityRunTest {
  @TempDir static Path unchanged;
  private static GoldenRun reported;

  @TempDir Path results;
  private GoldenRun run;
  private DatabaseDirectory etcd;

  @BeforeAll
  static void report() {
    reported = run(unchanged);
    reported.report().write();
  }

  @BeforeEach
  void write() {
    run = run(results);
    etcd = new DatabaseDirectory(run.directory().path().resolve("etcd"));
  }

  private static GoldenRun run(Path results) {
    GoldenRun run = new GoldenRun(results, "etcd");
    Searches.write(new DatabaseDirectory(run.directory().path().resolve("etcd")), 8_200);
    return run;
  }

  @Test
  void theStatementCanBeQuotedAndNamesWhatGaveWay() {
    List<CapacityStatement> statements =
        DatabaseFigures.of(DatabaseRun.read(etcd.path())).capacities();

    assertThat(statements).hasSize(1);
    assertThat(statements.get(0).headline())
        .isEqualTo(
            "etcd 3.6.16, 2 members, 8 B keys, 256 B values: 8,200 writes/s within p99 <= 20 ms"
                + " and no errors (held 3 of 3; 8,610 failed 3 of 3)");
    assertThat(statements.get(0).gaveWay())
        .isEqualTo(
            "bottleneck: host CPU, 99% against 85% busy (servers 1.50, load generator 0.40 "
                + "of 2 cores); the WAL's fsync, p99 31 ms against 7.5 ms; 8 trials, 4 min");
    assertThat(statements.get(0).details())
        .containsExactly(
            "the 3 trials that decided about 8,200 writes/s had a p99 of 14 to 16 ms",
            "the 3 trials that decided about 8,610 writes/s had a p99 of 40 to 42 ms",
            "after 5 s at 12,300/s, at 6,560/s: within the thresholds again 4 s after the overload",
            "pauses of the database that are rarer than one in 60 s may be missed, as the load that"
                + " held was measured for so long");
  }

  @Test
  void aSearchIsNotComparedByItsProbe() {
    StringWriter err = new StringWriter();
    String path = run.directory().path().toString();
    int exitCode =
        new CommandLine(new CompareCommand())
            .setErr(new PrintWriter(err))
            .setExecutionExceptionHandler(
                (failure, command, parsed) -> {
                  err.write(String.valueOf(failure.getMessage()));
                  return 1;
                })
            .execute(path, path);
    assertThat(exitCode).isOne();
    assertThat(err.toString())
        .contains("is a search for a capacity, whose trials are not compared");
  }

  @Test
  void theStatementIsAlsoInTheUnitThatSendsTheRequests() {
    Searches.write(etcd, 8_200, Optional.of(new CapacityGoal.Unit("node", Duration.ofSeconds(6))));
    CapacityStatement statement =
        DatabaseFigures.of(DatabaseRun.read(etcd.path())).capacities().stream()
            .reduce((first, last) -> last)
            .orElseThrow();

    assertThat(statement.headline())
        .isEqualTo(
            "etcd 3.6.16, 2 members, 8 B keys, 256 B values: 49,200 nodes with 8,200 writes/s"
                + " within p99 <= 20 ms and no errors (held 3 of 3; 8,610 failed 3 of 3)");
    assertThat(statement.details())
        .contains("it serves 49,200 nodes, and not 51,660, each with one request in 6 s");
  }

  @Test
  void aSearchOnAMachineThatOthersUsedHasNoVerdict() {
    run.replace("etcd/trials.jsonl", "\"serverCores\":1.2", "\"serverCores\":0.1");
    assertThat(headline())
        .startsWith(
            "etcd 3.6.16, 2 members, 8 B keys, 256 B values: no verdict, as other processes used ");
    assertThat(statement().gaveWay()).isEqualTo("8 trials, 4 min");
    assertThat(statement().details()).isEmpty();
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .anyMatch(line -> line.startsWith("Do not use this run: other"));
    run.report().write();
    assertThat(count(run.read("plots/CAPACITY.svg"), "<circle"))
        .isLessThan(count(reported.read("plots/CAPACITY.svg"), "<circle"));
    assertThat(run.read("result.json")).contains("\"disturbance\" : \"other processes used ");
    assertThat(RunList.read(run.directory().path().getParent().getParent()).lines())
        .anyMatch(line -> line.endsWith(" no verdict"));
  }

  @Test
  void aSearchThatGoesOnWasNotInterrupted() {
    conclusion("");
    assertThat(headline()).endsWith(": the search was interrupted after 8 trials");
    Manifest.read(etcd.manifest()).withHost(HostInfo.ofThisMachine()).write(etcd);
    run.replace("etcd/manifest.json", "\"complete\"", "\"interrupted\"");
    assertThat(headline()).endsWith(": the search goes on, 8 trials so far");
  }

  @Test
  void aLoadThatWasNotGeneratedIsNoLoadThatIsNotServed() {
    Searches.write(etcd, 8_200, Optional.of(new CapacityGoal.Unit("node", Duration.ofSeconds(6))));
    run.replace("etcd/trials.jsonl", "\"found\"", "\"limited-by-load-generator\"");
    assertThat(DatabaseFigures.of(DatabaseRun.read(etcd.path())).capacities())
        .last()
        .satisfies(
            last ->
                assertThat(last.details())
                    .contains("it serves at least 49,200 nodes, each with one request in 6 s"));
  }

  @Test
  void aSearchWhoseProbeWasMostlyTheLoadGeneratorsDelayHasNoVerdict() {
    DatabaseRun read = DatabaseRun.read(etcd.path());
    Histogram lag = new Histogram(3);
    lag.recordValueWithCount(20_000_000, read.latencies().all().getTotalCount());
    try (LatencyLog log = LatencyLog.create(etcd.latencyLog(), read.manifest().start())) {
      read.latencies().byTag().forEach(log::append);
      log.append(LatencyTag.of(1, LatencyTag.Time.LAG), lag);
    }
    assertThat(headline()).contains(": no verdict, as the load generator's delay is ");
    assertThat(new CommandLine(new ReportCommand()).execute(run.directory().path().toString()))
        .isEqualTo(4);
  }

  @Test
  void onlyTheTrialsThatDecidedTellWhatOthersUsed() {
    String trials = run.read("etcd/trials.jsonl");
    String others = "\"serverCores\":0.1";
    run.write(
        "etcd/trials.jsonl",
        trials
            .lines()
            .map(
                line ->
                    line.contains("\"load\":8200,\"whole") || line.contains("\"load\":8610,\"whole")
                        ? line
                        : line.replaceAll("\"serverCores\":[0-9.]+", others))
            .collect(joining("\n", "", "\n")));
    assertThat(headline()).contains("8,200 writes/s within");
  }

  @Test
  void nothingGaveWayWhereNothingStandsOutAndASnapshotThatWasNotSeenIsTold() {
    run.replace("etcd/trials.jsonl", "\"machineBusy\":0.99", "\"machineBusy\":0.5");
    run.replace("etcd/trials.jsonl", ":31.0}", ":8.0}");
    run.replace("etcd/trials.jsonl", "\"standstills\":1", "\"standstills\":0");
    CapacityStatement statement =
        DatabaseFigures.of(DatabaseRun.read(etcd.path())).capacities().get(0);

    assertThat(statement.gaveWay()).isEqualTo("bottleneck: none identified; 8 trials, 4 min");
    assertThat(statement.details())
        .contains("no snapshot was seen in the trials that held, so what one costs is not in this");
  }

  @Test
  void theNetworkGaveWayWhereAnInterfaceUsesMostOfItsSpeed() {
    run.replace("etcd/trials.jsonl", "\"networkBusy\":0.35", "\"networkBusy\":0.96");

    assertThat(DatabaseFigures.of(DatabaseRun.read(etcd.path())).capacities().get(0).gaveWay())
        .contains("; the network, 96% against 30% of its speed; ");
  }

  @Test
  void theStatementSaysWhereTheCurveExceedsTheLimitsBelowTheCapacity() {
    verdictOnCurve(4_100, "fail");
    assertThat(headline())
        .endsWith(
            "8,610 failed 3 of 3), but its curve exceeds the thresholds at 4,100/s: not stable");

    verdictOnCurve(7_380, "fail");
    assertThat(headline()).endsWith("at 4,100/s, 7,380/s: not stable");

    verdictOnCurve(6_150, "spoiled");
    assertThat(headline()).endsWith("its curve exceeds the thresholds from 4,100/s on: not stable");
    run.report().write();
    assertThat(run.read("index.html")).contains("from 4,100/s on: not stable");
  }

  @Test
  void anUnknownCapacityHasTheRangeThatIsKnown() {
    run.replace("etcd/trials.jsonl", "\"found\"", "\"unstable\"");
    assertThat(headline())
        .endsWith(
            ": inconclusive, between 8,200 and 8,610 writes/s: trials between them decide too"
                + " little");

    run.replace(
        "etcd/trials.jsonl", "\"load\":8200,\"wholeSeconds\"", "\"load\":8700,\"wholeSeconds\"");
    assertThat(headline())
        .endsWith(": inconclusive, trials disagree: 8,610 writes/s failed, 8,700 passed");
  }

  @Test
  void aLoadFarBelowThatOfTheProbeIsNotTheCauseOfAFailure() {
    conclusion("none-passes", 1);
    assertThat(headline())
        .endsWith(
            ": no result, even 1 write/s exceeded p99 <= 20 ms and no errors, so the load is not the"
                + " cause: look for stalls and other processes");

    run.write(
        "etcd/trials.jsonl",
        run.read("etcd/trials.jsonl")
            .replace("\"load\":8610,\"whole", "\"load\":1,\"whole")
            .replace("\"violatingPart\":0.04", "\"violatingPart\":0.9"));
    assertThat(headline())
        .endsWith(
            ": no load within p99 <= 20 ms and no errors was found, even 1 write/s exceeds it");

    conclusion("none-passes", 500);
    assertThat(headline()).endsWith("no errors was found, even 500 writes/s exceeds it");
  }

  @Test
  void aLoadThatOtherProcessesSpoiledIsNotBeyondTheLoadGenerator() {
    conclusion("limited-by-load-generator", 4_100);
    assertThat(headline())
        .endsWith(": no result, the load generator could not generate 4,100 writes/s");

    run.replace(
        "etcd/trials.jsonl",
        "\"load\":4100,\"wholeSeconds\":31.5,\"measuredSeconds\":20,\"verdict\":\"pass\"",
        "\"load\":4100,\"wholeSeconds\":31.5,\"measuredSeconds\":20,\"verdict\":\"spoiled\","
            + "\"remark\":\"other processes used 1.9 of 2 CPUs\"");
    assertThat(headline())
        .endsWith(
            ": no result, other processes disturbed 1 of 1 trials of 4,100 writes/s: stop them and"
                + " search again");
  }

  @Test
  void aCapacityOfASlowStoreIsARange() {
    run.replace("etcd/trials.jsonl", "\"load\":8610", "\"load\":9200");
    CapacityStatement statement =
        DatabaseFigures.of(DatabaseRun.read(etcd.path())).capacities().get(0);

    assertThat(statement.headline())
        .endsWith(
            ": between 8,200 and 9,200 writes/s within p99 <= 20 ms and no errors"
                + " (8,200 held 3 of 3; 9,200 failed 3 of 3)");
    assertThat(statement.details())
        .contains(
            "the trials that decided had up to 164,000 requests, and differ too much to be accurate"
                + " to 5%");
  }

  @Test
  void aLoadThatNoTrialPassedIsOnlyTheEndOfARange() {
    assertThat(statement().range()).isEqualTo("8,200 writes/s within p99 <= 20 ms and no errors");
    run.replace(
        "etcd/trials.jsonl",
        "\"load\":8200,\"wholeSeconds\":31.5,\"measuredSeconds\":20,\"verdict\":\"pass\"",
        "\"load\":8200,\"wholeSeconds\":31.5,\"measuredSeconds\":20,\"verdict\":\"undecided\"");
    run.replace(
        "etcd/trials.jsonl",
        "\"load\":8200,\"passed\":3,\"trials\":3",
        "\"load\":8200,\"passed\":0,\"trials\":0");

    assertThat(headline())
        .endsWith(
            ": between 4,100 and 8,200 writes/s within p99 <= 20 ms and no errors: 4,100 passed,"
                + " 8,200 was undecided (p99 14 to 16 ms), 8,610 failed");
    assertThat(statement().range())
        .isEqualTo("4,100 to 8,200 writes/s within p99 <= 20 ms and no errors");
    assertThat(statement().details()).noneMatch(detail -> detail.contains("8,200"));
    run.replace("etcd/trials.jsonl", "\"standstills\":1", "\"standstills\":0");
    assertThat(statement().details())
        .contains(
            "no snapshot was seen in the trials at that load, so what one costs is not in this");
    run.report().write();
    assertThat(run.read("index.html").replace('\u00a0', ' '))
        .contains("<li>trial 1: 4,100/s, 20 s, p99 2.00 ms: passed</li>")
        .contains("<li>trial 3: 8,200/s, 20 s, p99 14.0 ms: undecided</li>")
        .contains("<li>trial 4: 8,610/s, 20 s, p99 40.0 ms: failed (drowned: cut short)</li>");
  }

  @Test
  void theIndexHasTheOutcomeInsteadOfTheProbe() {
    RunIndex index =
        RunIndex.of(
            "index",
            List.of(
                new RunIndex.Run(
                    "run",
                    RunFigures.of(ExperimentRun.read(run.directory().path())),
                    List.of(),
                    false)),
            false);
    assertThat(index.loads().get(0).rows())
        .extracting(RunIndex.Entry::outcome, RunIndex.Entry::cells)
        .containsExactly(tuple("8,200 writes/s within p99 <= 20 ms and no errors", List.of()));
  }

  /** Ends the search with an outcome, without a load that holds. */
  private void conclusion(String outcome, long fails) {
    conclusion(
        "{\"conclusion\":{\"outcome\":\"%s\",\"fails\":{\"load\":%d,\"passed\":0,\"trials\":2},\"trials\":8}}"
            .formatted(outcome, fails));
  }

  private void conclusion(String line) {
    String file = run.read("etcd/trials.jsonl");
    String found = file.lines().filter(each -> each.contains("\"conclusion\"")).findFirst().get();
    run.replace("etcd/trials.jsonl", found + (line.isEmpty() ? "\n" : ""), line);
  }

  private String headline() {
    return statement().headline();
  }

  private CapacityStatement statement() {
    return DatabaseFigures.of(DatabaseRun.read(etcd.path())).capacities().get(0);
  }

  /** Makes one trial of the curve end in another way. */
  private void verdictOnCurve(long load, String verdict) {
    String trial =
        "\"stage\":\"curve\",\"load\":%d,\"wholeSeconds\":31.5,\"measuredSeconds\":20,"
                .formatted(load)
            + "\"verdict\":\"";
    run.replace("etcd/trials.jsonl", trial + "pass", trial + verdict);
  }

  @Test
  void aCapacityThatIsNotKnownHasNoDotOnTheCard() {
    String known = reported.read("plots/CAPACITY.svg");
    run.replace("etcd/trials.jsonl", "\"found\"", "\"unstable\"");
    run.report().write();

    assertThat(count(run.read("plots/CAPACITY.svg"), "<circle"))
        .isLessThan(count(known, "<circle"));
  }

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }

  @Test
  void thePageHasTheStatementAndTheCardAtTheTop() {
    assertThat(reported.read("index.html"))
        .contains("<h2 id=\"capacity-title\">Capacity</h2>")
        .contains("8,200 writes/s within p99 &lt;= 20\u00a0ms and no errors (held 3 of 3;")
        .contains("Bottleneck: host CPU,")
        .contains("id=\"CAPACITY-title\"")
        .contains("Achieved by offered load")
        .contains("CPU cores by offered load");
  }

  @Test
  void thePageDescribesTheSearchAndNotTheLoadOfTheScenario() {
    String search =
        "a search of up to 15 trials for the most requests per second within p99 %s= 20 ms and no"
            + " errors: 8 trials made, from 4,100 to 8,610/s; 7 trials of the curve, from 820 to"
            + " 9,020/s; an overload of 12,300/s";
    assertThat(reported.read("all-aggregated.txt"))
        .contains("\netcd: " + search.formatted("<") + "\n")
        .contains("\netcd: all other values are from the probe before the search\n");
    assertThat(reported.read("index.html").replace('\u00a0', ' '))
        .contains("Capacity search: quick")
        .contains("The load of the scenario was not run.")
        .containsPattern("a search of up to 15 trials [^:]*: 8 trials made, from 4,100 to 8,610/s")
        .contains("probe before the search")
        .contains("Probe before the search")
        .contains("Trials sent requests on schedule")
        .contains("Latency in the probe before the search")
        .contains("./quorate capacity quick --threshold ")
        .doesNotContain("./quorate run")
        .doesNotContain("Verdict")
        .doesNotContain("coordinated omission")
        .doesNotContain("Of the databases of the scenario");
  }

  @Test
  void thePlotHasTheLimitAndALineForEachPercentile() {
    Path plots = reported.directory().path().resolve("plots");

    assertThat(plots.resolve("CAPACITY.png")).exists();
    assertThat(reported.read("plots/CAPACITY.svg"))
        .contains(">p99 &lt;= 20 ms<")
        .contains("12 (10.8 to 15) at 7,380, 15 (12.6 to 20) at 8,200, 15 (13.5 to 18.8) at 9,020");
  }

  @Test
  void thePointsOfTheCurveShowTheirIntervalAndAreHollowIfTheLoadGeneratorSpoiledThem() {
    assertThat(reported.read("plots/CAPACITY.svg"))
        .contains("p99 with its 95% confidence interval")
        .doesNotContain("hollow");

    verdictOnCurve(6_150, "spoiled");
    run.report().write();
    assertThat(run.read("plots/CAPACITY.svg"))
        .contains("A hollow mark is an invalid trial:")
        .contains(">hollow: invalid trial<")
        .contains(
            "7 (6.3 to 8.75) at 4,100, 10 (9 to 12.5) at 6,150 (hollow), 12 (10.8 to 15) at 7,380");
  }

  @Test
  void aRunWithoutASearchHasNoSuchSection() throws Exception {
    Files.delete(etcd.path().resolve("trials.jsonl"));
    run.writeWithoutPlots();

    assertThat(run.read("index.html")).doesNotContain("capacity-title").doesNotContain("CAPACITY");
  }
}
