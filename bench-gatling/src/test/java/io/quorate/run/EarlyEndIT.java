// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.capacity.TrialsJournal;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that a user ends early, in each of their phases: they have results, and leave nothing. */
@RequiresDatabase("etcd")
class EarlyEndIT {
  private static final String ENDLESS =
      """
      title: Long enough to be ended
      operation: write
      members: 1
      requests: 100000000
      cold-start: true
      keys: {size: 64}
      values: {size: 256}
      load: {clients: 2, max-rate: 200/s}
      databases: [etcd, memory]
      """;

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Pattern FAILED = Pattern.compile("[0-9]{2,} errors");
  private static final int BY_CTRL_C = 130;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void in_a_step_it_verifies_and_writes_a_page_and_no_further_database_begins() throws Exception {
    try (InProcessRun run = start(ENDLESS, "run")) {
      run.awaitLoad("endless", "etcd");
      run.endEarly();

      assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(BY_CTRL_C);
      assertThat(run.output())
          .containsPattern("[1-9][0-9]* acknowledged keys verified, all correct")
          .containsPattern("etcd: ended early after [0-9.]+ s\n")
          .contains("in-memory map: ended early before the first request was measured")
          .doesNotContain("memory  measuring");
      Path results = run.onlyRun("endless");
      assertThat(status(results, "etcd")).isEqualTo(RunStatus.ENDED_EARLY);
      assertThat(status(results, "memory")).isEqualTo(RunStatus.ENDED_EARLY);
      assertThat(results.resolve("index.html"))
          .content()
          .containsPattern("etcd: ended early after [0-9.]+ s");
    }
  }

  @Test
  void while_keys_are_written_it_ends_without_results() throws Exception {
    String preparing =
        ENDLESS
            .replace("operation: write", "operation: get")
            .replace("{size: 64}", "{size: 64, count: 5000000}");
    try (InProcessRun run = start(preparing, "run")) {
      run.awaitOutput("writing 5,000,000 keys", LIMIT);
      run.endEarly();

      assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(BY_CTRL_C);
      assertThat(run.output())
          .contains("etcd: ended early before the first request was measured")
          .doesNotContain("failed");
      Path results = run.onlyRun("endless");
      assertThat(status(results, "etcd")).isEqualTo(RunStatus.ENDED_EARLY);
      assertThat(results.resolve("index.html")).exists();
    }
  }

  @Test
  void while_it_warms_up_it_ends_without_results() throws Exception {
    try (InProcessRun run =
        start(ENDLESS.replace("cold-start: true", "warm-up: 50000000"), "run")) {
      run.awaitOutput("warming up", LIMIT);
      run.endEarly();

      assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(BY_CTRL_C);
      assertThat(status(run.onlyRun("endless"), "etcd")).isEqualTo(RunStatus.ENDED_EARLY);
    }
  }

  @Test
  void in_one_of_several_steps_the_later_ones_have_no_results() throws Exception {
    String steps = ENDLESS.replace("{clients: 2, max-rate", "{steps: [1, 2], max-rate");
    try (InProcessRun run = start(steps, "run")) {
      run.awaitLoad("endless", "etcd");
      run.endEarly();

      assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(BY_CTRL_C);
      assertThat(Files.readAllLines(run.onlyRun("endless").resolve("etcd/steps.csv"))).hasSize(2);
    }
  }

  @Test
  void during_a_fault_all_members_run_again_and_the_history_is_checked() throws Exception {
    String faults =
        """
        title: A fault that lasts
        mix: {put: 1, get: 1}
        members: 3
        cold-start: true
        keys: {size: 16, count: 50, distribution: uniform}
        values: {size: 16}
        load: {rate: 100/s, connections: 6}
        databases: [etcd]
        faults:
          inject: [pause-follower 300s]
          times: 1
          quiet: 1s
          jitter: 0s
          recovery: 8s
          sessions: 0
          watches: 0
        """;
    try (InProcessRun run = start(faults, "run")) {
      // requests to the paused member fail
      QuorateProcess.await(() -> FAILED.matcher(run.output()).find(), LIMIT, run::output);
      run.endEarly();

      assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(BY_CTRL_C);
      assertThat(run.output())
          .contains("50 of 50 keys read from each member, 0 of them differ")
          .contains("none seen in");
      assertThat(status(run.onlyRun("endless"), "etcd")).isEqualTo(RunStatus.ENDED_EARLY);
    }
  }

  @Test
  void in_a_trial_of_a_search_it_has_the_trials_before() throws Exception {
    String search =
        ENDLESS.replace("requests: 100000000", "requests: 2000").replace(", max-rate: 200/s", "");
    try (InProcessRun run =
        start(search, "capacity", "--quick", "--threshold", "p99 <= 10 s", "--database", "etcd")) {
      run.awaitOutput("trial 1", LIMIT);
      run.endEarly();

      assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(BY_CTRL_C);
      Path results = run.onlyRun("endless");
      assertThat(status(results, "etcd")).isEqualTo(RunStatus.ENDED_EARLY);
      assertThat(TrialsJournal.read(new DatabaseDirectory(results.resolve("etcd"))))
          .allSatisfy(found -> assertThat(found.conclusion()).isEmpty());
      assertThat(results.resolve("index.html")).exists();
    }
  }

  @Test
  void a_series_says_how_it_continues() throws Exception {
    try (InProcessRun run =
        start(ENDLESS, "run", "--repeats", "3", "--canary", "off", "--database", "etcd")) {
      run.awaitOutput(" ms  0 errors", LIMIT);
      run.endEarly();

      assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(BY_CTRL_C);
      assertThat(run.output())
          .contains("3 of 3 runs are left; to continue: ./quorate run --resume ")
          .doesNotContain("[2/3]");
    }
  }

  @Test
  void the_first_signal_ends_early_and_the_second_one_at_once() throws Exception {
    Files.writeString(directory.resolve("endless.yaml"), ENDLESS.replace(", memory", ""));
    String[] command = {"run", "endless.yaml", "--results", "results"};
    try (QuorateProcess run = QuorateProcess.start(directory, Map.of(), command)) {
      run.awaitOutput(" ms  0 errors", LIMIT);
      Path seconds = run.onlyRun("endless").resolve("etcd/seconds.csv");
      QuorateProcess.await(() -> lines(seconds) > 5, LIMIT, run::output);
      InProcessRun report = InProcessRun.run(directory, "report", "" + run.onlyRun("endless"));
      assertThat(report.output()).contains("etcd: running after ").contains("p99");
      QuorateProcess.signal("TERM", "" + run.handle().pid());

      assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(143);
      assertThat(run.output())
          .containsSubsequence(
              "ending early (TERM): ",
              " acknowledged keys verified, all correct",
              "etcd: ended early after ");
    }
  }

  @Nightly
  @Test
  void the_second_signal_ends_at_once_and_leaves_no_process() throws Exception {
    // reading 50,000,000 keys back lasts long enough for a second signal
    Files.writeString(
        directory.resolve("endless.yaml"),
        ENDLESS.replace("load: {clients: 2, max-rate: 200/s}", "load: {clients: 100}"));
    String[] command = {"run", "endless.yaml", "--results", "results"};
    // a shell that runs the build in the background has its programs ignore the signal
    List<String> interruptible = List.of("env", "--default-signal=INT");
    try (QuorateProcess run =
        QuorateProcess.startBehind(interruptible, directory, Map.of(), command)) {
      run.awaitOutput(" ms  0 errors", LIMIT);
      QuorateProcess.signal("STOP", "" + run.loadGenerator().pid());
      QuorateProcess.signal("INT", "" + run.handle().pid());
      run.awaitOutput("ending early (Ctrl-C)", LIMIT);
      QuorateProcess.signal("INT", "" + run.handle().pid());
      run.awaitOutput("interrupted; 'quorate report ", LIMIT);
      QuorateProcess.signal("CONT", "" + run.loadGenerator().pid());

      assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(BY_CTRL_C);
      QuorateProcess.await(
          () -> QuorateProcess.workingBelow(directory).isEmpty(), LIMIT, () -> run.output());
    }
  }

  private InProcessRun start(String scenario, String command, String... options)
      throws IOException {
    Files.writeString(directory.resolve("endless.yaml"), scenario);
    List<String> arguments = new ArrayList<>(List.of(command, "endless.yaml"));
    arguments.addAll(List.of("--results", "results"));
    arguments.addAll(List.of(options));
    return InProcessRun.start(directory, arguments.toArray(String[]::new));
  }

  private static long lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static RunStatus status(Path run, String database) {
    return Manifest.read(new DatabaseDirectory(run.resolve(database)).manifest()).status();
  }
}
