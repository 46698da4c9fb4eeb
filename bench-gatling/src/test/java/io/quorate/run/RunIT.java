// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.NightlyRun;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.scenario.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on the in-memory map with several options, and scenarios that are refused. */
class RunIT {
  private static final String TWO_USERS =
      """
      title: Two users
      operation: write
      requests: 2000
      warm-up: 100
      cold-start: true
      keys: {size: 16}
      values: {size: 32}
      load: {clients: 2}
      databases: [memory]
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  private void scenario(String text) throws IOException {
    Files.writeString(directory.resolve("mine.yaml"), text);
  }

  private InProcessRun run(String... arguments) {
    return InProcessRun.run(directory, arguments);
  }

  @Test
  void reads_find_the_keys_that_were_written_beforehand() throws Exception {
    scenario(
        TWO_USERS
            .replace("operation: write", "operation: read")
            .replace("keys: {size: 16}", "keys: {size: 16, distribution: random, count: 500}"));
    InProcessRun run = run("run", "mine.yaml", "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(Files.readString(run.onlyRun("mine").resolve("all-aggregated.csv")))
        .contains("CLIENT-ERROR-COUNT,0");
  }

  @Test
  void a_run_of_few_requests_in_much_time_is_read_back() throws Exception {
    scenario(
        TWO_USERS
            .replace("requests: 2000", "requests: 30")
            .replace("{clients: 2}", "{rate: 10/s, connections: 2}"));
    InProcessRun run = run("run", "mine.yaml", "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).doesNotContain("cannot read");
    assertThat(DatabaseRun.read(run.onlyRun("mine").resolve("memory")).unreadable()).isEmpty();
  }

  @Test
  void an_edit_during_a_run_changes_no_database_of_it() throws Exception {
    scenario(TWO_USERS.replace("[memory]", "[memory, zookeeper]\nmembers: 1"));
    try (InProcessRun run =
        InProcessRun.start(directory, "run", "mine.yaml", "--results", "results")) {
      run.awaitOutput("in-memory map  measuring", Duration.ofMinutes(2));
      scenario(TWO_USERS.replace("[memory]", "[zookeeper]").replace("2000", "30"));
      run.waitFor(Duration.ofMinutes(5));

      assertThat(run.exitCode()).as(run.output()).isZero();
      Path results = run.onlyRun("mine");
      for (String database : List.of("memory", "zookeeper")) {
        Manifest manifest = Manifest.read(results.resolve(database).resolve("manifest.json"));
        assertThat(manifest.load().steps().get(0).requests()).as(database).isEqualTo(2000);
      }
      assertThat(results.resolve("plan.json"))
          .content()
          .contains("\"file\" : \"mine.yaml\"", "requests: 2000");
    }
  }

  @Nightly // HostLimitsIT has a JVM that cannot start
  @Test
  void a_load_generator_that_runs_out_of_memory_ends_with_that_reason() throws Exception {
    scenario(
        TWO_USERS
            .replace("warm-up: 100", "warm-up: 0")
            .replace("values: {size: 32}", "values: {size: 1_000_000}"));
    QuorateProcess run =
        QuorateProcess.run(
            directory,
            Map.of("JAVA_TOOL_OPTIONS", "'-Dquorate.jvmArgs=-Xms64m -Xmx128m -XX:NewSize=8m'"),
            "run",
            "mine.yaml",
            "--results",
            "results");

    assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
    String reason = "the load generator was ended with code 3: out of memory (Java heap space)";
    assertThat(run.output()).contains("memory: " + reason).doesNotContain("\tat ");
    Manifest manifest = Manifest.read(run.onlyRun("mine").resolve("memory/manifest.json"));
    assertThat(manifest.status()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(manifest.reason().orElseThrow()).startsWith(reason);
  }

  @Test
  void a_failure_of_a_load_generator_has_its_stack_trace_if_that_is_asked_for() throws Exception {
    scenario(TWO_USERS.replace("[memory]", "[etcd]").replace("{size: 16}", "{size: 32}"));
    String[] command = {
      "run", "mine.yaml", "--results", "results", "--endpoints", "127.0.0.1:9", "--stacktrace"
    };
    InProcessRun run = run(command);
    assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
    assertHasStackTrace(run.output());
    InProcessRun quiet = run(Arrays.copyOf(command, command.length - 1));
    assertThat(quiet.output()).contains("etcd: ").doesNotContain("\tat ");
    if (NightlyRun.isOn()) {
      assertHasStackTrace(QuorateProcess.run(directory, Map.of(), command).output());
    }
  }

  private static void assertHasStackTrace(String output) {
    assertThat(output).contains("etcd: ", "io.quorate.QuorateException: etcd: ", "\tat io.");
  }

  @Test
  void a_scaled_run_says_so_and_makes_fewer_requests_of_the_same_kind() throws Exception {
    scenario(TWO_USERS.replace("{size: 16}", "{size: 16, count: 100}"));
    InProcessRun run = run("run", "mine.yaml", "--results", "results", "--scale", "0.1");

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.onlyRun("mine").getFileName().toString()).endsWith("-scale-0.1");
    assertThat(run.output())
        .startsWith("mine: Two users (scaled to 10% of its requests)")
        .contains("in-memory map  writing 100 keys, then warming up");
    assertThat(Files.readString(run.onlyRun("mine").resolve("all-aggregated.txt")))
        .containsPattern("\\| +TOTAL-REQUEST-NUMBER \\| +200 \\|");
  }

  @Test
  void a_broken_limit_is_told_last_and_has_an_exit_code_of_its_own() throws Exception {
    scenario(TWO_USERS + "thresholds: [errors = 0, throughput > 900_000_000/s]\n");
    InProcessRun run = run("run", "mine.yaml", "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isEqualTo(3);
    assertThat(run.output())
        .containsPattern(
            "\u2717 throughput > 900000000/s   in-memory map [0-9,]+/s\\n"
                + "\u2713 1 of 2 thresholds kept\\n");
    assertThat(run.onlyRun("mine").resolve("junit.xml"))
        .content()
        .contains("tests=\"2\" failures=\"1\"", "name=\"errors = 0\"></testcase>");
    Manifest manifest = Manifest.read(run.onlyRun("mine").resolve("memory/manifest.json"));
    assertThat(manifest.status()).isEqualTo(RunStatus.COMPLETE);
    assertThat(manifest.scenario().limits())
        .extracting(limit -> limit.toString())
        .containsExactly("errors = 0", "throughput > 900000000/s");
  }

  @Test
  void every_problem_of_a_scenario_is_said_and_nothing_is_started() throws Exception {
    scenario(TWO_USERS.replace("2000", "-5").replace("memory", "memroy"));
    InProcessRun run = run("run", "mine.yaml", "--results", "results");

    assertThat(run.exitCode()).isNotZero();
    assertThat(run.output()).contains("mine.yaml:3:11: ").contains("mine.yaml:9:13: ");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void a_database_that_the_scenario_does_not_name_gets_the_load_of_the_others() throws Exception {
    scenario(TWO_USERS.replace("[memory]", "[etcd, zookeeper]"));
    InProcessRun run = run("run", "mine.yaml", "--results", "results", "--database", "memory");

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.onlyRun("mine").resolve("all-aggregated.txt"))
        .content()
        .contains(" memory ", " 2,000 ");
  }

  @Test
  void clients_of_the_command_line_replace_the_unequal_ones_of_a_scenario() throws Exception {
    scenario(
        TWO_USERS
            .replace("load: {clients: 2}\n", "")
            .replace("[memory]", "{etcd: {clients: 2}, zookeeper: {clients: 3}}"));
    String options = "--database memory --clients 4";
    InProcessRun run =
        run("run", "mine.yaml", "--results", "results", "--database", "memory", "--clients", "4");

    assertThat(run.exitCode()).as(run.output()).isZero();
    Path results = run.onlyRun("mine");
    assertThat(results.resolve("scenario.yaml")).content().contains("Two users (--clients 4)");
    assertThat(results.resolve("index.html"))
        .content()
        .contains("Two users (--clients 4)", "./quorate run mine.yaml " + options);
    assertThat(DatabaseRun.read(results.resolve("memory")).manifest().load().steps())
        .extracting(Step::clients)
        .containsExactly(4);
  }

  @Test
  void a_database_is_refused_if_each_of_the_others_has_a_load_of_its_own() throws Exception {
    scenario(
        TWO_USERS
            .replace("load: {clients: 2}\n", "")
            .replace("[memory]", "{memory: {clients: 2}, zookeeper: {clients: 3}}"));
    InProcessRun run = run("run", "mine.yaml", "--results", "results", "--database", "etcd");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.output())
        .contains("scenario mine has no load for etcd: it names [memory, zookeeper], each with");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void endpoints_of_a_store_without_servers_are_refused_before_anything_is_made() throws Exception {
    scenario(TWO_USERS);
    InProcessRun run =
        run("run", "mine.yaml", "--results", "results", "--endpoints", "127.0.0.1:2379");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.output().strip())
        .isEqualTo(
            "endpoints: the database 'memory' has no servers. Choose another database, or "
                + "remove the endpoints");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  @Nightly // the next one is the smaller one
  void a_database_that_is_not_installed_is_named_at_the_end_and_leaves_nothing_behind()
      throws Exception {
    scenario(TWO_USERS.replace("[memory]", "[etcd, memory]"));
    QuorateProcess run =
        QuorateProcess.run(
            directory, nothingInstalled(), "run", "mine.yaml", "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output().strip().lines().skip(run.output().strip().lines().count() - 16))
        .anyMatch(line -> line.startsWith("etcd is not installed: run ./quorate install etcd"));
    assertThat(run.onlyRun("mine").resolve("etcd")).doesNotExist();
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
