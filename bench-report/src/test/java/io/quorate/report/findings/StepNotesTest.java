// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.RunReport;
import io.quorate.report.TestRuns;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.Golden;
import io.quorate.results.requests.OneShotSteps;
import io.quorate.results.requests.OperationSteps;
import io.quorate.results.requests.StmSteps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The notes about single steps. Step 2 of the run is an open loop of 8 requests a second, of which
 * 3 may be in flight.
 */
class StepNotesTest {
  private static final String DROPPED =
      "etcd: 4 of 8 scheduled requests were dropped: 3 were already in flight (at 8/s)";
  private static final String LATE =
      "etcd: load generator late: send lag p99 20.00 ms; p99 response time 6.00 ms, p99 "
          + "service time 2.00 ms (at 8/s)";
  private static final String NOT_REACHED =
      "etcd: the rate was not reached: 4 of 8 requests per second succeeded (at 8/s)";

  private static final Histogram MICROSECONDS = new Histogram(3);

  static {
    MICROSECONDS.recordValueWithCount(100_000, 2);
  }

  @TempDir Path results;
  private DatabaseDirectory etcd;

  @BeforeEach
  void writeRun() {
    etcd = OperationSteps.write(results);
  }

  @Test
  void whatTheRateDidIsToldInWords() {
    assertThat(notes(etcd)).containsExactly(DROPPED, LATE, NOT_REACHED);
  }

  @Test
  void theyStandBelowTheTable() {
    String text =
        new RunReport(ExperimentRun.read(etcd.path().getParent()), RowLabels.LATER).text();
    assertThat(text).contains("\n" + DROPPED + "\n", "\n" + LATE + "\n", "\n" + NOT_REACHED + "\n");
    assertThat(text).doesNotContain("requests were measured");
  }

  @Test
  void aStoreThatDoesNotTakeTheRateOfALoadGeneratorThatIsOnTimeIsOfferedTooMuch() {
    try (LatencyLog log = LatencyLog.create(etcd.latencyLog(), Manifests.START)) {
      log.append(LatencyTag.response(1, "get"), histogram(1, 2, 3));
      log.append(LatencyTag.response(1, "put"), histogram(5));
      log.append(LatencyTag.response(2, "get"), histogram(4, 4, 4));
      log.append(LatencyTag.response(2, "put"), histogram(6));
      log.append(LatencyTag.service(2, "get"), histogram(3, 3, 3));
      log.append(LatencyTag.service(2, "put"), histogram(5));
      log.append(LatencyTag.of(2, LatencyTag.Time.LAG), histogram(1, 1, 1, 1));
    }
    assertThat(notes(etcd))
        .containsExactly(
            DROPPED,
            "etcd: it could not sustain the rate: 4 of 8 requests per second succeeded (at 8/s)");
  }

  @Test
  void waitingForAConnectionIsNoLatenessOfTheLoadGenerator() {
    try (LatencyLog log = LatencyLog.create(etcd.latencyLog(), Manifests.START)) {
      log.append(LatencyTag.response(1, "get"), histogram(1, 2, 3));
      log.append(LatencyTag.response(1, "put"), histogram(5));
      log.append(LatencyTag.response(2, "get"), histogram(4, 4, 4));
      log.append(LatencyTag.response(2, "put"), histogram(6));
      log.append(LatencyTag.service(2, "get"), MICROSECONDS);
      log.append(LatencyTag.service(2, "put"), MICROSECONDS);
      log.append(LatencyTag.of(2, LatencyTag.Time.LAG), histogram(1, 1, 1, 1));
      log.append(LatencyTag.of(2, LatencyTag.Time.QUEUE), histogram(3, 4));
    }
    assertThat(notes(etcd))
        .containsExactly(
            DROPPED,
            NOT_REACHED,
            "etcd: requests waited for one of 4 connections: p99 queue time 4.00 ms, p99 response"
                + " time 6.00 ms; use more connections (--clients) (at 8/s)");
  }

  @Test
  void clientsThatShareConnectionsWaitForThem() {
    try (LatencyLog log = LatencyLog.create(etcd.latencyLog(), Manifests.START)) {
      log.append(LatencyTag.response(1, "get"), histogram(1, 2, 3));
      log.append(LatencyTag.response(1, "put"), histogram(5));
      log.append(LatencyTag.response(2, "get"), histogram(4, 4, 4));
      log.append(LatencyTag.response(2, "put"), histogram(6));
      log.append(LatencyTag.of(1, LatencyTag.Time.QUEUE), histogram(1, 2, 3, 4));
    }
    assertThat(notes(etcd))
        .contains(
            "etcd: requests waited for one of 2 connections: p99 queue time 4.00 ms, p99 response"
                + " time 5.00 ms; use more connections (load: connections) (with 10 clients)");
  }

  @Test
  void theRateOfARunThatDidNotEndSaysNothingAboutTheStore() throws IOException {
    replace("\"status\" : \"complete\"", "\"status\" : \"failed\"");
    assertThat(notes(etcd)).containsExactly(DROPPED, LATE);
  }

  private static Histogram histogram(long... millis) {
    Histogram histogram = new Histogram(3);
    for (long each : millis) {
      histogram.recordValue(each * 1_000_000);
    }
    return histogram;
  }

  @Test
  void oneRequestUnderWayIsOne() throws IOException {
    replace("\"maxOutstanding\" : 3", "\"maxOutstanding\" : 1");
    assertThat(notes(etcd)).contains(DROPPED.replace("3 were", "1 was"));
  }

  @Test
  void aRateThatWasReachedNeedsNoNote() throws IOException {
    replace("\"ratePerSecond\" : 8", "\"ratePerSecond\" : 4");
    assertThat(notes(etcd))
        .containsExactly(DROPPED.replace("8/s", "4/s"), LATE.replace("8/s", "4/s"));
  }

  @Test
  void aStepThatEndsByTimeMayMakeFewerRequests() throws IOException {
    replace("\"requests\" : 6", "\"requests\" : 60, \"duration\" : \"PT2.5S\"");
    assertThat(text()).doesNotContain("requests were measured");
    replace(", \"duration\" : \"PT2.5S\"", "");
    assertThat(text()).contains("\netcd: 14 of 68 requests were measured\n");
  }

  @Test
  void closedLoopsHaveNone() {
    DatabaseRun run =
        TestRuns.write(
            etcd.path().getParent(), "consul", "c", 1, 5000, Golden.steps(Golden.TAGS.get(2)));
    assertThat(notes(run.directory())).isEmpty();
  }

  private String text() {
    return new RunReport(ExperimentRun.read(etcd.path().getParent()), RowLabels.LATER).text();
  }

  private void replace(String text, String other) throws IOException {
    String manifest = Files.readString(etcd.manifest());
    assertThat(manifest).contains(text);
    Files.writeString(etcd.manifest(), manifest.replace(text, other));
  }

  @Test
  void connectingForEachRequestIsTold() {
    assertThat(notes(OneShotSteps.write(results)))
        .containsExactly(
            "etcd: connecting took 3.00 ms (p50) and 5.00 ms (p99), not included in the "
                + "requests, each of which opened a connection (with 2 clients)");
  }

  @Test
  void attemptsAndConflictsAreTold() {
    assertThat(notes(StmSteps.write(results)))
        .containsExactly(
            "etcd: 2 stm requests took 7 attempts, of which 5 met another client's write, 5.56/s (with 3 clients)");
  }

  private static List<String> notes(DatabaseDirectory directory) {
    return StepNotes.of(DatabaseFigures.of(DatabaseRun.read(directory.path())));
  }
}
