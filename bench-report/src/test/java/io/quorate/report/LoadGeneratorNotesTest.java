package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.table.RowLabels;
import io.quorate.report.verdict.LoadGeneratorNotes;
import io.quorate.run.DatabaseRun;
import io.quorate.run.ExperimentRun;
import io.quorate.run.Golden;
import io.quorate.run.Manifest;
import io.quorate.run.Manifests;
import io.quorate.run.RunDirectory;
import io.quorate.run.StepCost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the golden figures of etcd, whose p50 is 22 ms and whose p99 is 62 ms. */
class LoadGeneratorNotesTest {
  private static final long SECOND = 1_000_000_000;

  /** 10 clients, all of them waiting all the time, of a load generator that has nothing to do. */
  private static final StepCost HARMLESS = cost(0.8, 0, 10 * SECOND, 2_000_000, 6_000_000);

  @TempDir Path results;

  @Test
  void a_load_generator_that_coloured_nothing_needs_no_note() {
    assertThat(notes(HARMLESS)).isEmpty();
    assertThat(notes()).isEmpty();
  }

  @Test
  void a_busy_machine_is_told() {
    assertThat(notes(HARMLESS, cost(0.814, 0, 10 * SECOND, 0, 0), HARMLESS))
        .containsExactly(
            "etcd: the load generator's machine was 81 % busy with 10 clients: it may have slowed the requests");
  }

  @Test
  void an_event_loop_that_keeps_work_waiting_is_told() {
    assertThat(notes(HARMLESS, cost(0.1, 0, 10 * SECOND, 0, 12_345_678)))
        .containsExactly(
            "etcd: work waited for 12.35 ms (99th percentile, with 10 clients) until a thread of the load generator took it, above a tenth of the latency shown");
    assertThat(notes(HARMLESS, cost(0.1, 0, 10 * SECOND, 3_000_000, 3_000_000)))
        .containsExactly(
            "etcd: work waited for 3.00 ms (median, with 10 clients) until a thread of the load generator took it, above a tenth of the latency shown");
  }

  @Test
  void a_garbage_collection_longer_than_the_p99_is_told() {
    assertThat(notes(HARMLESS, cost(0.1, 80_000_000, 10 * SECOND, 0, 0)))
        .containsExactly(
            "etcd: garbage collection stopped the load generator for up to 80.00 ms (with 10 clients), above the p99 shown");
  }

  @Test
  void clients_that_did_not_wait_for_the_store_are_told() {
    assertThat(notes(HARMLESS, cost(0.1, 0, 8 * SECOND, 0, 0)))
        .containsExactly(
            "etcd: with 10 clients only 8.0 requests were under way on average: the clients did not always wait for the store");
  }

  @Test
  void another_client_than_the_default_one_is_told() throws IOException {
    DatabaseRun run = run(HARMLESS);
    assertThat(notesThrough(run, "grpc", false))
        .containsExactly(
            "etcd: requests were made through the client 'grpc', which is not the default");
    assertThat(notesThrough(run, "http2", true)).isEmpty();
  }

  private static List<String> notesThrough(DatabaseRun run, String client, boolean isDefault)
      throws IOException {
    Path file = run.directory().manifest();
    String manifest = Files.readString(file).replaceFirst("\"client\" : \\{[^}]*\\},\\s*", "");
    String field =
        "\"client\" : {\"name\": \"%s\", \"default\": %s}, ".formatted(client, isDefault);
    Files.writeString(file, manifest.replace("\"steps\" :", field + "\"steps\" :"));
    return LoadGeneratorNotes.of(DatabaseRun.read(run.directory().path()));
  }

  @Test
  void they_stand_below_the_table() {
    DatabaseRun database = run(cost(0.97, 0, 10 * SECOND, 0, 0));
    RunReport report =
        new RunReport(ExperimentRun.read(database.directory().path().getParent()), RowLabels.LATER);
    assertThat(report.text()).contains("\netcd: the load generator's machine was 97 % busy");
  }

  private List<String> notes(StepCost... costs) {
    return LoadGeneratorNotes.of(run(costs));
  }

  private DatabaseRun run(StepCost... costs) {
    RunDirectory run = RunDirectory.create(results, "quick", 1, Manifests.START);
    DatabaseRun database =
        TestRuns.write(run.path(), "etcd", "etcd-v3", 1, 5000, Golden.steps("etcd-v3.3.0-go1.9.3"));
    Manifest manifest = database.manifest().withCosts(List.of(costs));
    manifest.write(database.directory());
    return DatabaseRun.read(database.directory().path());
  }

  private static StepCost cost(
      double load, long longestGc, long requestNanos, long lagMedian, long lagP99) {
    return new StepCost(
        1,
        10,
        5000,
        SECOND,
        requestNanos,
        SECOND / 10,
        OptionalDouble.of(load),
        longestGc,
        longestGc,
        OptionalLong.of(lagMedian),
        OptionalLong.of(lagP99));
  }
}
