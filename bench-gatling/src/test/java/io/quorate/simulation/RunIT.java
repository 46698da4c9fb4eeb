package io.quorate.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.run.Manifest;
import io.quorate.run.RunStatus;
import io.quorate.run.StepCost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs on the in-memory map: no servers, but everything else as it is. */
class RunIT {
  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  private Path scenario(String text) throws IOException {
    return Files.writeString(directory.resolve("mine.yaml"), text);
  }

  private Path onlyRun() throws IOException {
    return onlyEntry(directory.resolve("results/mine"));
  }

  private static Path onlyEntry(Path parent) throws IOException {
    try (Stream<Path> entries = Files.list(parent)) {
      List<Path> all = entries.toList();
      assertThat(all).hasSize(1);
      return all.get(0);
    }
  }

  private QuorateProcess run(String... arguments) throws IOException, InterruptedException {
    return QuorateProcess.run(directory, Map.of(), arguments);
  }

  private static final String TWO_USERS =
      """
      title: Two users
      operation: write
      requests: 2000
      warm-up: 100
      keys: {size: 16}
      values: {size: 32}
      load: {clients: 2}
      databases: [memory]
      """;

  /** If this fails after a new version of Gatling, its internals have changed: see ARCHITECTURE. */
  @Test
  void guard_two_users_of_gatling_make_requests_that_cost_nothing() throws Exception {
    scenario(TWO_USERS);
    QuorateProcess run = run("run", "mine.yaml", "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isZero();
    Path memory = onlyRun().resolve("memory");
    Manifest manifest = Manifest.read(memory.resolve("manifest.json"));
    assertThat(manifest.status()).isEqualTo(RunStatus.COMPLETE);
    Path gatling = onlyEntry(memory.resolve("gatling"));
    assertThat(gatling.resolve("index.html")).content().contains("1. write, 2 clients");
    assertThat(memory.resolve("gatling.log"))
        .content()
        .containsPattern("request count +\\| +2,000 \\| +2,000 \\| +-");
  }

  @Test
  void a_run_ends_with_the_table_and_the_paths_of_its_reports() throws Exception {
    scenario(TWO_USERS);
    QuorateProcess run = run("run", "mine.yaml", "--results", "results");

    assertThat(run.output())
        .contains("TOTAL-REQUEST-NUMBER")
        .contains("2,000")
        .contains(onlyRun().resolve("all-aggregated.txt").toString())
        .doesNotContain("Exception");
    assertThat(Files.readString(onlyRun().resolve("all-aggregated.txt")))
        .contains(" memory ")
        .contains("CLIENT-MAX-CPU-USAGE")
        .doesNotContain("SERVER-");
    assertThat(onlyRun().resolve("memory/client-latency-distribution-summary.csv"))
        .isNotEmptyFile();
    assertThat(onlyRun().resolve("memory/latency.hlog")).isNotEmptyFile();
  }

  @Test
  void steps_follow_each_other_and_share_the_requests() throws Exception {
    scenario(TWO_USERS.replace("{clients: 2}", "{steps: [1, 10, 50]}"));
    QuorateProcess run = run("run", "mine.yaml", "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isZero();
    List<String> rows =
        Files.readAllLines(onlyRun().resolve("memory/client-latency-throughput-timeseries.csv"));
    assertThat(rows.stream().skip(1).map(row -> row.split(",")[1]).distinct())
        .containsExactly("1", "10", "50");
    assertThat(rows.stream().skip(1).mapToLong(row -> Long.parseLong(row.split(",")[5])).sum())
        .isEqualTo(2000);
  }

  @Test
  void what_each_step_cost_the_load_generator_is_in_the_manifest_and_on_the_console()
      throws Exception {
    scenario(TWO_USERS.replace("{clients: 2}", "{steps: [1, 10]}"));
    QuorateProcess run = run("run", "mine.yaml", "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output())
        .containsPattern("memory  1 client: the load generator took [0-9.]+ us of CPU per request")
        .containsPattern(
            "memory  10 clients: the load generator took .* longest GC pause [0-9]+ ms");
    Manifest manifest = Manifest.read(onlyRun().resolve("memory/manifest.json"));
    assertThat(manifest.costs()).extracting(StepCost::clients).containsExactly(1, 10);
    assertThat(manifest.costs()).extracting(StepCost::requests).containsExactly(1000L, 1000L);
    assertThat(manifest.costs())
        .allSatisfy(
            cost -> {
              assertThat(cost.elapsedNanos()).isPositive();
              assertThat(cost.requestNanos()).isPositive();
              assertThat(cost.cpuNanos()).isNotNegative();
              assertThat(cost.requestsUnderWay()).isBetween(0.0, 1.0 * cost.clients());
            });
  }

  @Test
  void hdr_histogram_s_own_tools_find_every_latency_at_its_time() throws Exception {
    scenario(TWO_USERS.replace("{clients: 2}", "{steps: [1, 10]}"));
    QuorateProcess run = run("run", "mine.yaml", "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isZero();
    HistogramLogReader log =
        new HistogramLogReader(onlyRun().resolve("memory/latency.hlog").toFile());
    long count = 0;
    double end = 0;
    for (EncodableHistogram next = log.nextIntervalHistogram(0, 3600);
        next != null;
        next = log.nextIntervalHistogram(0, 3600)) {
      count += ((Histogram) next).getTotalCount();
      assertThat(next.getStartTimeStamp() / 1000.0).isGreaterThanOrEqualTo(end);
      end = next.getStartTimeStamp() / 1000.0;
      assertThat(next.getEndTimeStamp() - next.getStartTimeStamp()).isLessThan(10_000);
    }
    assertThat(count).isEqualTo(2000);
  }

  @Test
  void a_scaled_run_makes_requests_of_the_same_kind() throws Exception {
    scenario(TWO_USERS.replace("{size: 16}", "{size: 16, count: 100}"));
    QuorateProcess run = run("run", "mine.yaml", "--results", "results", "--scale", "0.01");

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).contains("memory  writing 100 keys, then warming up");
  }

  @Test
  void reads_find_the_keys_that_were_written_beforehand() throws Exception {
    scenario(
        TWO_USERS
            .replace("operation: write", "operation: read")
            .replace("keys: {size: 16}", "keys: {size: 16, order: random, count: 500}"));
    QuorateProcess run = run("run", "mine.yaml", "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(Files.readString(onlyRun().resolve("all-aggregated.csv")))
        .contains("CLIENT-ERROR-COUNT,0");
  }

  @Test
  void a_scaled_run_says_so_in_its_name_and_in_its_table() throws Exception {
    scenario(TWO_USERS);
    QuorateProcess run = run("run", "mine.yaml", "--results", "results", "--scale", "0.1");

    assertThat(onlyRun().getFileName().toString()).endsWith("-scale-0.1");
    assertThat(run.output()).startsWith("mine: Two users (scaled to 10 % of its requests)");
    assertThat(Files.readString(onlyRun().resolve("all-aggregated.txt"))).contains("200");
  }

  @Test
  void every_problem_of_a_scenario_is_said_and_nothing_is_started() throws Exception {
    scenario(TWO_USERS.replace("2000", "-5").replace("memory", "memroy"));
    QuorateProcess run = run("run", "mine.yaml", "--results", "results");

    assertThat(run.exitCode()).isNotZero();
    assertThat(run.output()).contains("mine.yaml:3:11: ").contains("mine.yaml:8:13: ");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void a_database_that_the_scenario_does_not_name_gets_the_load_of_the_others() throws Exception {
    scenario(TWO_USERS.replace("[memory]", "[etcd, zookeeper]"));
    QuorateProcess run = run("run", "mine.yaml", "--results", "results", "--database", "memory");

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(onlyRun().resolve("all-aggregated.txt")).content().contains(" memory ", " 2,000 ");
  }

  @Test
  void a_database_is_refused_if_each_of_the_others_has_a_load_of_its_own() throws Exception {
    scenario(
        TWO_USERS
            .replace("load: {clients: 2}\n", "")
            .replace("[memory]", "{memory: {clients: 2}, zookeeper: {clients: 3}}"));
    QuorateProcess run = run("run", "mine.yaml", "--results", "results", "--database", "etcd");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.output())
        .contains("scenario mine has no load for etcd: it names [memory, zookeeper], each with");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void endpoints_of_a_store_without_servers_are_refused_before_anything_is_made() throws Exception {
    scenario(TWO_USERS);
    QuorateProcess run =
        run("run", "mine.yaml", "--results", "results", "--endpoints", "127.0.0.1:2379");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.output().strip())
        .isEqualTo(
            "endpoints: found some, but the database 'memory' has no servers: choose another one,"
                + " or leave them out");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void a_database_that_is_not_installed_is_named_at_the_end_and_leaves_nothing_behind()
      throws Exception {
    scenario(TWO_USERS.replace("[memory]", "[etcd, memory]"));
    QuorateProcess run =
        QuorateProcess.run(
            directory, nothingInstalled(), "run", "mine.yaml", "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output().strip().lines().reduce((first, second) -> second).orElseThrow())
        .startsWith("etcd is not installed: run ./quorate install etcd");
    assertThat(onlyRun().resolve("etcd")).doesNotExist();
  }

  @Test
  void asking_for_a_database_that_is_not_installed_fails_with_the_same_sentence() throws Exception {
    scenario(TWO_USERS.replace("[memory]", "[etcd, memory]"));
    QuorateProcess run =
        QuorateProcess.run(
            directory,
            nothingInstalled(),
            "run",
            "mine.yaml",
            "--results",
            "results",
            "--database",
            "etcd");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.output()).startsWith("etcd is not installed: run ./quorate install etcd");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  private Map<String, String> nothingInstalled() {
    return Map.of(
        "QUORATE_CACHE",
        directory.resolve("cache").toString(),
        "PATH",
        "/usr/bin",
        "QUORATE_ETCD",
        "");
  }
}
