// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.NightlyRun;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.measure.EventCounts;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.OperationCounts;
import io.quorate.scenario.yaml.ScenarioOptions;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scenarios of this repository and of options with other operations than one, and with rates, at a
 * hundredth of their size on real servers of one member each.
 */
@RequiresDatabase({"etcd", "consul"})
class OperationsRunIT {
  private static final List<String> DATABASES = List.of("etcd", "zookeeper", "consul");

  private static final List<LatencyTag.Time> EVENT_TIMES =
      List.of(LatencyTag.Time.FIRST, LatencyTag.Time.MEDIAN, LatencyTag.Time.LAST);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void gets_and_puts_of_a_mix_are_measured_apart_and_together() throws Exception {
    List<String> databases = NightlyRun.stores(DATABASES, "consul");
    described(
        "get=95,put=5",
        Map.of("requests", "100_000", "keys", "1_000", "key.distribution", "zipfian"),
        databases,
        "");
    for (String database : databases) {
      ClientResults step = onlyStep(database);
      assertThat(step.successCount()).isEqualTo(1_000);
      assertThat(step.operations(1))
          .extracting(OperationCounts::operation)
          .containsExactly("get", "put");
      assertThat(step.operations(1).get(0).succeeded()).isBetween(920L, 980L);
    }
    assertThat(Files.readString(onlyRun().resolve("index.html"))).contains("95% get, 5% put");
  }

  @Test
  void every_key_is_deleted_once() throws Exception {
    List<String> databases = NightlyRun.stores(DATABASES, "etcd");
    described("delete", Map.of("requests", "30_000"), databases, "");
    for (String database : databases) {
      assertThat(onlyStep(database).operations(1))
          .containsExactly(new OperationCounts("delete", 0, 300, 0));
    }
  }

  @Test
  void transactions_are_counted_as_one_request_each() throws Exception {
    List<String> databases = NightlyRun.stores(DATABASES, "consul");
    described("txn", Map.of("requests", "20_000"), databases, "");
    for (String database : databases) {
      assertThat(onlyStep(database).operations(1))
          .containsExactly(new OperationCounts("txn", 0, 200, 0));
    }
  }

  @Test
  void watchers_are_told_of_every_put() throws Exception {
    List<String> databases = NightlyRun.stores(List.of("etcd", "zookeeper"), "zookeeper");
    run("watch-every-key", databases);
    for (String database : databases) {
      DatabaseRun run = read(database);
      assertThat(run.watches()).hasSize(1);
      EventCounts counts = run.watches().get(0).counts();
      assertThat(counts.expected()).isEqualTo(10_000);
      assertThat(counts.delivered()).isEqualTo(10_000);
      assertThat(counts.duplicated() + counts.reordered()).isZero();
      for (LatencyTag.Time time : EVENT_TIMES) {
        assertThat(run.latencies().byTag().get(LatencyTag.of(1, time)).getTotalCount())
            .isEqualTo(100);
      }
    }
  }

  @Test
  void watchers_of_the_latest_state_lose_nothing() throws Exception {
    run("watch", List.of("consul"));
    EventCounts counts = read("consul").watches().get(0).counts();
    assertThat(counts.expected()).isEqualTo(10_000);
    assertThat(counts.lost()).isZero();
    assertThat(counts.duplicated() + counts.reordered()).isZero();
  }

  @Test
  void a_connection_for_each_request_is_timed_apart() throws Exception {
    List<String> databases = NightlyRun.stores(DATABASES, "etcd");
    run("read-oneshot", databases);
    for (String database : databases) {
      assertThat(onlyStep(database).operations(1))
          .containsExactly(new OperationCounts("get", 0, 300, 0));
      assertThat(
              read(database)
                  .latencies()
                  .byTag()
                  .get(LatencyTag.of(1, LatencyTag.Time.CONNECT))
                  .getTotalCount())
          .isEqualTo(300);
    }
    assertThat(Files.readString(onlyRun().resolve("index.html")))
        .contains("not included in the requests, each of which opened a connection");
  }

  @Test
  void watchers_of_the_past_are_told_of_all_of_it_while_others_read() throws Exception {
    run(
        "watch-get",
        List.of("etcd"),
        text -> text.replace("watchers: 10_000", "watchers: 200") + "timeout: 60s\n");
    assertThat(onlyStep("etcd").counts().failed()).isZero();
    assertThat(onlyStep("etcd").counts().succeeded()).isPositive();
    DatabaseRun run = read("etcd");
    EventCounts counts = run.watches().get(0).counts();
    assertThat(counts.expected()).isEqualTo(1_600);
    assertThat(counts.delivered()).isEqualTo(1_600);
    assertThat(counts.duplicated() + counts.reordered()).isZero();
    assertThat(run.latencies().byTag().get(LatencyTag.of(1, LatencyTag.Time.LAST)).getTotalCount())
        .isEqualTo(8);
  }

  @Test
  void leases_are_kept_alive() throws Exception {
    List<String> databases = NightlyRun.stores(List.of("etcd", "consul"), "consul");
    String output =
        described(
            "lease-keepalive", Map.of("requests", "30_000"), databases, "leases: {count: 50}\n");
    assertThat(output).doesNotContain("writing 1 key");
    for (String database : databases) {
      assertThat(output)
          .contains(Stores.byId(database).orElseThrow().title() + "  warming up with 30 requests");
      assertThat(onlyStep(database).operations(1))
          .containsExactly(new OperationCounts("lease-keepalive", 0, 300, 0));
    }
    assertThat(Files.readString(onlyRun().resolve("index.html")))
        .contains("50, which end after 100 s");
  }

  @Test
  void an_open_loop_accounts_for_every_request_that_was_due() throws Exception {
    List<String> databases = NightlyRun.stores(DATABASES, "etcd");
    run(
        "write-at-rate",
        databases,
        text -> text.replace("[500/s, 1_000/s, 2_000/s, 4_000/s]", "[100/s, 200/s, 400/s]"));
    for (String database : databases) {
      DatabaseRun run = read(database);
      ClientResults results = run.clients().orElseThrow();
      assertThat(results.steps())
          .extracting(step -> results.operations(step.step()).get(0).intended())
          .containsExactly(100L, 200L, 400L);
      assertThat(Files.readString(run.directory().latencyLog()))
          .contains(
              "Tag=step=1;op=put,", "Tag=step=1;op=put;time=service,", "Tag=step=3;time=lag,");
    }
  }

  @Test
  void a_limited_closed_loop_makes_all_its_requests_and_no_more_of_them_in_a_second()
      throws Exception {
    List<String> databases = NightlyRun.stores(DATABASES, "etcd");
    run("write-1M-keys-1000QPS", databases, text -> text.replace("1_000_000", "150_000"));
    for (String database : databases) {
      ClientResults step = onlyStep(database);
      assertThat(step.successCount()).isEqualTo(1_500);
      assertThat(step.steps().get(0).durationNanos()).isGreaterThan(1_400_000_000L);
    }
  }

  private void run(String scenario, List<String> databases)
      throws IOException, InterruptedException {
    run(scenario, databases, UnaryOperator.identity());
  }

  /** Runs a scenario that is changed in some way; returns what it says. */
  private String run(String scenario, List<String> databases, UnaryOperator<String> change)
      throws IOException, InterruptedException {
    Path file = Path.of(System.getProperty("quorate.home"), "scenarios", scenario + ".yaml");
    return runText(scenario, change.apply(Files.readString(file)), databases);
  }

  /** Runs a scenario of options and some more keys; returns what it says. */
  private String described(
      String operations, Map<String, String> options, List<String> databases, String more)
      throws IOException, InterruptedException {
    ScenarioOptions described = new ScenarioOptions(operations, options, List.of());
    return runText(described.name(), described.text() + more, databases);
  }

  private String runText(String scenario, String text, List<String> databases)
      throws IOException, InterruptedException {
    String changed = text + "members: 1\ncold-start: true\n";
    Files.writeString(
        directory.resolve(scenario + ".yaml"),
        changed.contains("timeout:") ? changed : changed + "timeout: 60s\n");
    InProcessRun run =
        InProcessRun.run(
            directory,
            "run",
            scenario + ".yaml",
            "--scale",
            "0.01",
            "--database",
            String.join(",", databases),
            "--results",
            "results");
    assertThat(run.exitCode()).as(run.output()).isZero();
    for (String database : databases) {
      ClientResults results = read(database).clients().orElseThrow();
      assertThat(results.errorCount()).as(database + run.output()).isZero();
    }
    return run.output();
  }

  /** Returns the results of a run of one step. */
  private ClientResults onlyStep(String database) throws IOException {
    ClientResults results = read(database).clients().orElseThrow();
    assertThat(results.steps()).hasSize(1);
    return results;
  }

  private DatabaseRun read(String database) throws IOException {
    DatabaseRun run = DatabaseRun.read(onlyRun().resolve(database));
    assertThat(run.manifest().status()).isEqualTo(RunStatus.COMPLETE);
    return run;
  }

  private Path onlyRun() throws IOException {
    return onlyEntry(onlyEntry(directory.resolve("results")));
  }

  private static Path onlyEntry(Path parent) throws IOException {
    try (Stream<Path> entries = Files.list(parent)) {
      List<Path> all = entries.filter(Files::isDirectory).toList();
      assertThat(all).hasSize(1);
      return all.get(0);
    }
  }
}
