// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.RunReport;
import io.quorate.report.TestRuns;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.manifest.StepUsage;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the golden values of etcd, whose p50 is 22 ms and whose p99 is 62 ms. */
class LoadGeneratorNotesTest {
  private static final long SECOND = 1_000_000_000;

  /** 10 clients, all of them waiting all the time, of a load generator that has nothing to do. */
  private static final StepUsage HARMLESS = cost(0.8, 0, 10 * SECOND);

  @TempDir Path results;

  @Test
  void a_load_generator_that_coloured_nothing_needs_no_note() {
    assertThat(notes(HARMLESS)).isEmpty();
    assertThat(notes()).isEmpty();
  }

  @Test
  void a_busy_machine_is_told() {
    assertThat(notes(HARMLESS, cost(0.814, 0, 10 * SECOND), HARMLESS))
        .containsExactly(
            "etcd: the load generator's host was 81% busy with 10 clients: it may have "
                + "slowed the requests");
  }

  @Test
  void percentiles_of_which_the_delay_is_more_than_a_tenth_are_named() {
    DatabaseRun run = run(HARMLESS);
    long requests = run.clients().orElseThrow().counts().intended();
    // 4% of the requests were sent 5 ms late, and 2% of the probes waited for 7 ms
    Histogram lag = new Histogram(3);
    lag.recordValueWithCount(1, requests - requests / 25);
    lag.recordValueWithCount(5_000_000, requests / 25);
    Histogram receive = new Histogram(3);
    receive.recordValueWithCount(1, 98);
    receive.recordValueWithCount(7_000_000, 2);
    assertThat(notes(run, lag, receive))
        .containsExactly(
            "etcd: the load generator's delay with 10 clients (p50 0.00, p99 12.00, max 12.00 ms) exceeds a tenth of p99 and p99.9, which are marked * and not compared");
    lag.reset();
    lag.recordValueWithCount(1, requests);
    receive.reset();
    assertThat(notes(run, lag, receive)).isEmpty();
  }

  /** The notes of a run with these delays in its only step. */
  private static List<String> notes(DatabaseRun run, Histogram lag, Histogram receive) {
    try (LatencyLog log = LatencyLog.create(run.directory().latencyLog(), run.manifest().start())) {
      run.latencies().byTag().forEach(log::append);
      log.append(LatencyTag.of(1, LatencyTag.Time.LAG), lag);
      log.append(LatencyTag.of(1, LatencyTag.Time.RECEIVE), receive);
    }
    return LoadGeneratorNotes.of(DatabaseFigures.of(DatabaseRun.read(run.directory().path())));
  }

  @Test
  void a_garbage_collection_longer_than_the_p99_is_told() {
    assertThat(notes(HARMLESS, cost(0.1, 80_000_000, 10 * SECOND)))
        .containsExactly(
            "etcd: garbage collection stopped the load generator for up to 80.00 ms (with 10 clients), above the p99 shown");
  }

  @Test
  void clients_that_did_not_wait_for_the_store_are_told() {
    assertThat(notes(HARMLESS, cost(0.1, 0, 8 * SECOND)))
        .containsExactly(
            "etcd: 10 clients kept only 8.0 requests in flight on average: the load "
                + "generator may be the bottleneck");
  }

  @Test
  void another_client_than_the_default_one_is_told() throws IOException {
    DatabaseRun run = run(HARMLESS);
    assertThat(notesThrough(run, "jetcd", false))
        .containsExactly("etcd: requests used the client 'jetcd', which is not the default");
    assertThat(notesThrough(run, "http2", true)).isEmpty();
  }

  private static List<String> notesThrough(DatabaseRun run, String client, boolean isDefault)
      throws IOException {
    Path file = run.directory().manifest();
    String manifest = Files.readString(file).replaceFirst("\"client\" : \\{[^}]*\\},\\s*", "");
    String field =
        "\"client\" : {\"name\": \"%s\", \"default\": %s}, ".formatted(client, isDefault);
    Files.writeString(file, manifest.replace("\"steps\" :", field + "\"steps\" :"));
    return LoadGeneratorNotes.of(DatabaseFigures.of(DatabaseRun.read(run.directory().path())));
  }

  @Test
  void they_stand_below_the_table() {
    DatabaseRun database = run(cost(0.97, 0, 10 * SECOND));
    RunReport report =
        new RunReport(ExperimentRun.read(database.directory().path().getParent()), RowLabels.LATER);
    assertThat(report.text()).contains("\netcd: the load generator's host was 97% busy");
  }

  private List<String> notes(StepUsage... costs) {
    return LoadGeneratorNotes.of(DatabaseFigures.of(run(costs)));
  }

  private DatabaseRun run(StepUsage... costs) {
    RunDirectory run = RunDirectory.create(results, "quick", 1, Manifests.START);
    DatabaseRun database =
        TestRuns.write(run.path(), "etcd", "etcd-v3", 1, 5000, Golden.steps("etcd-v3.3.0-go1.9.3"));
    Manifest manifest = database.manifest().withCosts(List.of(costs));
    manifest.write(database.directory());
    return DatabaseRun.read(database.directory().path());
  }

  private static StepUsage cost(double load, long longestGc, long requestNanos) {
    return new StepUsage(
        1,
        10,
        5000,
        SECOND,
        requestNanos,
        SECOND / 10,
        OptionalDouble.of(load),
        longestGc,
        longestGc,
        OptionalLong.empty());
  }
}
