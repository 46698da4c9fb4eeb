// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static io.quorate.report.PartsInOrder.partsInOrder;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a run with several operations, and that of an open loop. */
class MixedAndOpenRunTest {
  private static final List<String> DATABASES = List.of("etcd", "zookeeper");

  @TempDir Path results;

  @Test
  void theSmallTableOfAMixHasARowForEachOperationAndOneForAllTogether() throws IOException {
    assertThat(withPlots(SyntheticRun.mixed(DATABASES, 12, 400)))
        .is(
            partsInOrder(
                ">get</th></tr>",
                ">etcd</th>",
                ">ZooKeeper</th>",
                ">put</th></tr>",
                ">all requests</th>"))
        .contains("<td align=\"right\">0</td>")
        .contains(">etcd get<", ">etcd put<", ">ZooKeeper get<", ">ZooKeeper put<");
  }

  @Test
  void theLatenciesOfAnOpenLoopAreResponseTimesBesideServiceTimes() throws IOException {
    assertThat(withPlots(SyntheticRun.open(DATABASES, 12, 400, 200)))
        .contains("At 200/s etcd and ZooKeeper held the rate.")
        .contains("Response time by percentile of the requests (ms)")
        .contains(">etcd, service time<")
        .contains("Response times start at the scheduled time");
  }

  @Test
  void aRateIsNotHeldThroughAStandstill() throws IOException {
    assertThat(withoutSuccess("2100000000"))
        .contains(
            "At 200/s ZooKeeper held the rate; etcd completed 200/s, but no request succeeded for"
                + " 2.1\u00a0s.");
    assertThat(withoutSuccess("900000000")).contains("At 200/s etcd and ZooKeeper held the rate.");
  }

  @Test
  void aDatabaseWhoseStepIsNotComparedIsNotJudged() throws IOException {
    assertThat(without("etcd", "\"onFailure\"", "\"coldStart\" : true, \"onFailure\"", 200))
        .contains(
            "At 200/s ZooKeeper held the rate; etcd is not judged: the load generator's code was"
                + " not warm.");
    assertThat(without("etcd", "\"onFailure\"", "\"coldStart\" : true, \"onFailure\"", 800))
        .contains("etcd: the rate was not reached: ", "ZooKeeper: it could not sustain the rate: ");
    assertThat(without("zookeeper", "\"complete\"", "\"ended-early\"", 800))
        .contains(
            "Offered 800/s; succeeded: etcd 400/s; ZooKeeper is not judged: what ended early, or"
                + " goes on, covers a part of its load and is not compared.");
  }

  /** Returns the page of a run in which the manifest of a database is another one. */
  private String without(String id, String before, String after, int rate) throws IOException {
    Path run = SyntheticRun.open(DATABASES, 12, 400, rate).write(results.resolve(id + rate));
    Path manifest = run.resolve(id).resolve("manifest.json");
    Files.writeString(manifest, Files.readString(manifest).replace(before, after));
    String page = page(run).replace("&#39;", "'");
    assertThat(
            new RunSentences(
                    new FirstScreen(page),
                    new ObjectMapper().readTree(run.resolve("result.json").toFile()))
                .problems())
        .isEmpty();
    return page;
  }

  @Test
  void eachStepHasItsCosts() throws IOException {
    assertThat(page(SyntheticRun.open(DATABASES, 12, 400, 200, 800, 200).write(results)))
        .contains("etcd, 200/s<", "etcd, 800/s<", "etcd, step 3: 200/s<", "etcd, all steps<");
  }

  @Test
  void connectionsThatWereTooFewAreNamedWithAMissedRate() throws IOException {
    Path run = SyntheticRun.open(DATABASES, 12, 400, 800).write(results);
    DatabaseRun etcd = DatabaseRun.read(run.resolve("etcd"));
    Histogram wait = new Histogram(3);
    wait.recordValueWithCount(5_000_000_000L, etcd.latencies().all().getTotalCount());
    try (LatencyLog log =
        LatencyLog.create(etcd.directory().latencyLog(), etcd.manifest().start())) {
      etcd.latencies().byTag().forEach(log::append);
      log.append(LatencyTag.of(1, LatencyTag.Time.QUEUE), wait);
    }
    assertThat(page(run))
        .contains(
            "Offered 800/s; succeeded: etcd 400/s (requests waited for one of 5 connections),"
                + " ZooKeeper 400/s.");
  }

  /** Returns the page of a run in which etcd had no success for some time. */
  private String withoutSuccess(String nanos) throws IOException {
    return page(SyntheticRun.open(DATABASES, 12, 400, 200), "LONGEST-NANOS-WITHOUT-SUCCESS", nanos);
  }

  /** Returns the page of a run whose only step has another value in etcd's {@code steps.csv}. */
  private String page(SyntheticRun of, String column, String nanos) throws IOException {
    Path run = of.write(results.resolve(nanos));
    Path steps = run.resolve("etcd/steps.csv");
    List<String> lines = Files.readAllLines(steps);
    String[] cells = lines.get(1).split(",", -1);
    cells[List.of(lines.get(0).split(",")).indexOf(column)] = nanos;
    Files.writeString(steps, lines.get(0) + "\n" + String.join(",", cells) + "\n");
    return page(run);
  }

  /**
   * 990 requests in 1,050 ms are too few, but the last ones were sent within the first 1,000 ms.
   */
  @Test
  void theWaitForTheLastResponseOfAShortStepIsNoMissedRate() throws IOException {
    assertThat(page(SyntheticRun.open(DATABASES, 1, 990, 1000), "DURATION-NANOS", "1050000000"))
        .contains("At 1,000/s etcd and ZooKeeper held the rate.")
        .doesNotContain("could not sustain the rate");
  }

  @Test
  void theStepsOfAnOpenLoopAreRates() throws IOException {
    assertThat(withPlots(SyntheticRun.open(DATABASES, 12, 400, 200, 800)))
        .contains("<svg ", ">requests/s offered<", "Throughput by offered rate (requests/s)")
        .contains(
            "Offered 800/s; succeeded: etcd 400/s, ZooKeeper 400/s.", ">200/s</th>", ">800/s</th>")
        .contains("1,200 requests at 200/s on 5 connections");
  }

  @Test
  void aStoreIsNotBlamedForARateThatALateLoadGeneratorMissed() throws IOException {
    Duration late = Duration.ofMillis(11);
    assertThat(page(SyntheticRun.open(late, DATABASES, 12, 400, 200, 800).write(results)))
        .contains(
            "Offered 800/s; succeeded: etcd 400/s (the load generator was late),",
            ">400 \u2020</td>",
            "\u2020 The load generator sent requests late, so an unreached rate says nothing "
                + "about the database.")
        .contains("etcd: the rate was not reached: ", " of 800 requests per second succeeded")
        .doesNotContain("could not sustain the rate");
  }

  @Test
  void aLateLoadGeneratorIsNamedWhereAllResponsesAreSlowAndNoneStandsOut() throws IOException {
    Path written =
        SyntheticRun.open(Duration.ofMillis(13_500), List.of("etcd"), 12, 400, 200).write(results);
    StringBuilder tenths =
        new StringBuilder(
            "STEP,OPERATION,START-UNIX-MILLIS,END-UNIX-MILLIS,SUCCEEDED,P99-NANOS,MAX-NANOS\n");
    for (int i = 0; i < 120; i++) {
      long start = 1_000 * SyntheticRun.FIRST_SECOND + 100L * i;
      tenths.append("1,put,%d,%d,20,13500000000,13500000000%n".formatted(start, start + 100));
    }
    Files.writeString(written.resolve("etcd/tenths.csv"), tenths);

    assertThat(page(written))
        .containsPattern(
            "The load generator was late: at 200/s a response took"
                + " 13.5\\hs on average, and \\d+\\hms once its request was sent.")
        .doesNotContain("No stalls.");
  }

  private String withPlots(SyntheticRun run) throws IOException {
    Path written = run.write(results);
    new RunReport(ExperimentRun.read(written), RowLabels.LATER).write();
    return Files.readString(written.resolve("index.html"));
  }

  private static String page(Path written) throws IOException {
    GoldenRun.writeWithoutPlots(written);
    return Files.readString(written.resolve("index.html"));
  }
}
