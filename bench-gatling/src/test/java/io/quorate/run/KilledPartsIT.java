// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of which one process is killed: what they leave, and what they say. */
class KilledPartsIT {
  private static final String ENDLESS =
      """
      title: Long enough to be killed
      operation: write
      requests: 100000000
      warm-up: 100
      cold-start: true
      keys: {size: 64}
      values: {size: 256}
      load: {clients: 10, max-rate: 200/s}
      members: 1
      databases: [zookeeper]
      """;

  /** A line of progress has values; the files were written before it. */
  private static final String A_REQUEST_HAS_ENDED = " ms  0 errors";

  private static final Duration SOON = Duration.ofMinutes(3);
  private static final Duration START_LIMIT = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  @Nightly // ExistingClusterIT kills a load generator, too
  void a_load_generator_killed_outright_leaves_readable_files_and_no_server() throws Exception {
    try (QuorateProcess run = startEndless()) {
      List<ProcessHandle> servers = servers(run);
      run.loadGenerator().destroyForcibly();

      assertThat(run.waitFor(SOON)).as(run.output()).isEqualTo(1);
      assertThat(run.output()).contains("the load generator was ended by signal 9");
      awaitEnd(servers, run);
      assertInterrupted(run);
      assertThat(Manifest.read(run.onlyRun("endless").resolve("zookeeper/manifest.json")).reason())
          .contains("the load generator was ended by signal 9");
    }
  }

  @Test
  void a_run_killed_outright_leaves_no_load_generator_and_no_server() throws Exception {
    try (QuorateProcess run = startEndless()) {
      List<ProcessHandle> servers = servers(run);
      ProcessHandle loadGenerator = run.loadGenerator();
      run.handle().destroyForcibly();

      awaitEnd(servers, run);
      awaitEnd(List.of(loadGenerator), run);
      assertInterrupted(run);
    }
  }

  @Test
  @Nightly // KilledRunIT and ExistingClusterIT interrupt runs, too
  void an_interrupt_stops_everything_and_keeps_what_was_measured() throws Exception {
    try (QuorateProcess run = startEndless()) {
      List<ProcessHandle> servers = servers(run);
      ProcessHandle loadGenerator = run.loadGenerator();
      run.handle().destroy();

      assertThat(run.waitFor(SOON)).isNotZero();
      awaitEnd(servers, run);
      awaitEnd(List.of(loadGenerator), run);
      assertThat(run.output())
          .contains("acknowledged keys verified, all correct")
          .contains("ZooKeeper: ended early after ");
      assertThat(
              Manifest.read(run.onlyRun("endless").resolve("zookeeper/manifest.json"))
                  .verification()
                  .orElseThrow()
                  .readKeys())
          .isPositive();
    }
  }

  @Test
  void a_member_that_is_killed_ends_the_run_at_once_and_spares_the_steps_that_were_to_come()
      throws Exception {
    Files.writeString(
        directory.resolve("endless.yaml"),
        ENDLESS
            .replace("{clients: 10, max-rate: 200/s}", "{steps: [5, 10, 10, 10], max-rate: 200/s}")
            .replace("members: 1", "members: 3"));
    try (InProcessRun run =
        InProcessRun.start(directory, "run", "endless.yaml", "--results", "results")) {
      run.awaitLoad("endless", "zookeeper");
      List<ProcessHandle> servers = run.servers("java");
      assertThat(servers).hasSize(3);
      servers.get(1).destroyForcibly();

      run.awaitEnd();
      assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
      assertThat(run.output())
          .contains("zookeeper: given up: zookeeper-2")
          .contains("acknowledged keys verified, all correct")
          .doesNotContain("\tat ");
      awaitEnd(servers, run.output());
      DatabaseRun result = DatabaseRun.read(run.onlyRun("endless").resolve("zookeeper"));
      assertThat(result.manifest().status()).isEqualTo(RunStatus.FAILED);
      assertThat(result.manifest().reason().orElseThrow()).contains("zookeeper-2");
      assertThat(Files.readString(run.onlyRun("endless").resolve("all-aggregated.txt")))
          .contains("zookeeper", "failed");
    }
  }

  @Nightly
  @Test
  void a_member_that_is_killed_during_the_warm_up_ends_the_run_too() throws Exception {
    String warming =
        ENDLESS.replace("warm-up: 100", "warm-up: 100000000").replace("members: 1", "members: 3");
    Files.writeString(directory.resolve("endless.yaml"), warming);
    try (InProcessRun run =
        InProcessRun.start(directory, "run", "endless.yaml", "--results", "results")) {
      run.awaitOutput("warming up  ", START_LIMIT);
      List<ProcessHandle> servers = run.servers("java");
      assertThat(servers).hasSize(3);
      servers.get(2).destroyForcibly();

      run.awaitEnd();
      assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
      assertThat(run.output()).contains("zookeeper: given up: zookeeper-3");
      awaitEnd(servers, run.output());
    }
  }

  private QuorateProcess startEndless() throws Exception {
    QuorateProcess run = start(ENDLESS, A_REQUEST_HAS_ENDED);
    Path seconds = run.onlyRun("endless").resolve("zookeeper/seconds.csv");
    QuorateProcess.await(() -> hasRow(seconds), SOON, () -> seconds + " has no row");
    return run;
  }

  private static boolean hasRow(Path file) {
    try {
      return Files.exists(file) && Files.readAllLines(file).size() > 1;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private QuorateProcess start(String scenario, String until) throws Exception {
    Files.writeString(directory.resolve("endless.yaml"), scenario);
    QuorateProcess run =
        QuorateProcess.start(directory, Map.of(), "run", "endless.yaml", "--results", "results");
    run.awaitOutput(until, START_LIMIT);
    return run;
  }

  private static List<ProcessHandle> servers(QuorateProcess run) {
    List<ProcessHandle> servers = run.servers();
    assertThat(servers).hasSize(1);
    return servers;
  }

  private static void awaitEnd(List<ProcessHandle> processes, QuorateProcess run)
      throws InterruptedException {
    awaitEnd(processes, run.output());
  }

  private static void awaitEnd(List<ProcessHandle> processes, String output)
      throws InterruptedException {
    QuorateProcess.await(
        () -> processes.stream().noneMatch(ProcessHandle::isAlive),
        SOON,
        () -> "still running: " + processes + "\n" + output);
  }

  private static void assertInterrupted(QuorateProcess run)
      throws IOException, InterruptedException {
    DatabaseRun result = DatabaseRun.read(run.onlyRun("endless").resolve("zookeeper"));
    assertThat(result.manifest().status()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(result.clients().orElseThrow().successCount()).isPositive();
    Path data = run.onlyRun("endless").resolve("zookeeper/data");
    QuorateProcess.await(() -> Files.notExists(data), SOON, () -> data + " is still there");
  }
}
