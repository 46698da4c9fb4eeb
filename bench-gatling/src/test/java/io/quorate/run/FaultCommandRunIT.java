// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.cluster.process.ProcessHandleInfo;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.FaultRecord;
import io.quorate.scenario.FaultAction;
import io.quorate.store.etcd.EtcdStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of existing clusters, which commands of the user cause. */
class FaultCommandRunIT {
  private static final String PAUSED =
      """
      title: A paused leader
      cold-start: true
      mix: {put: 1, get: 1}
      keys: {size: 64, count: 50, distribution: uniform}
      values: {size: 16}
      load: {rate: 100/s, connections: 6}
      databases: [etcd]
      faults:
        inject: [pause-leader 10s]
        times: 1
        sessions: 0
        watches: 0
        quiet: 1s
        jitter: 0s
        recovery: 12s
      """;

  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  private InProcessRun run(String text, String... options) throws IOException {
    return InProcessRun.ofScenario(directory, "killed", text, options);
  }

  /** Writes commands that pause a member of a cluster; the first one ends with an exit code. */
  private void writeCommands(Cluster cluster, int exitCode) throws IOException {
    String pids =
        cluster.members().stream()
            .map(each -> each.name() + ") kill -$1 " + each.pids().get(0) + ";;")
            .collect(Collectors.joining(" "));
    Files.writeString(
        directory.resolve("signal.sh"), "case $QUORATE_MEMBERS in " + pids + " *) exit 3;; esac");
    Files.writeString(
        directory.resolve("commands"),
        """
        # the members of this test
        pause-leader: sh %1$s STOP; echo s3cret; : s3cret; exit %2$d
        pause-leader end: sh %1$s CONT; : s3cret
        """
            .formatted(directory.resolve("signal.sh"), exitCode));
  }

  private static String endpoints(Cluster cluster) {
    return cluster.members().stream()
        .map(each -> each.endpoint().toString())
        .collect(Collectors.joining(","));
  }

  private static boolean isAnyPaused(Cluster cluster) {
    return cluster.members().stream()
        .anyMatch(each -> ProcessHandleInfo.isStopped(each.pids().get(0)));
  }

  private void assertThatNoResultContains(String secret) throws IOException {
    try (Stream<Path> all = Files.walk(directory.resolve("results"))) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(each, StandardCharsets.ISO_8859_1))
            .as(each.toString())
            .doesNotContain(secret);
      }
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void a_command_of_the_user_pauses_the_leader_of_an_existing_cluster() throws Exception {
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 3, directory.resolve("servers"))) {
      writeCommands(cluster, 0);
      InProcessRun run =
          run(
              PAUSED.replace("pause-leader 10s", "pause-leader 6s, snapshot 1s"),
              "--endpoints",
              endpoints(cluster),
              "--fault-commands",
              "commands",
              "--maintain");
      assertThat(run.exitCode()).as(run.output()).isZero();
      List<FaultRecord> faults =
          FaultRecord.FILE.read(new DatabaseDirectory(run.onlyRun("killed").resolve("etcd")));
      assertThat(faults).as(run.output()).hasSize(2).allMatch(FaultRecord::tookEffect);
      FaultRecord fault =
          faults.stream()
              .filter(each -> each.kind().fault().action() == FaultAction.ProcessAction.PAUSE)
              .findFirst()
              .orElseThrow();
      assertThat(fault.leaderAfter()).isPresent().isNotEqualTo(fault.leaderBefore());
      assertThat(fault.servingNanos()).isPresent();
      assertThat(run.output())
          .contains(
              "existing cluster, 1 time: pause-leader 6s: runs the command 'pause-leader', and at"
                  + " the end 'pause-leader end': etcd-",
              "existing cluster, 1 time: snapshot 1s: reads all data of the cluster from the");
      assertThatNoResultContains("s3cret");
    }
  }

  @Test
  @Nightly // GuardedCommandTest is the smaller one
  @RequiresDatabase("etcd")
  void a_command_that_fails_is_ended_and_decides_nothing() throws Exception {
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 3, directory.resolve("servers"))) {
      writeCommands(cluster, 3);
      InProcessRun run =
          run(PAUSED, "--endpoints", endpoints(cluster), "--fault-commands", "commands");
      assertThat(run.exitCode()).as(run.output()).isEqualTo(4);
      assertThat(isAnyPaused(cluster)).isFalse();
      assertThat(run.output())
          .contains(
              "the command 'pause-leader' wrote: s3cret",
              "etcd: 1 of 1 planned faults took no effect, so the run does not show them.",
              "the command 'pause-leader' ended with exit code 3");
      assertThatNoResultContains("s3cret");
    }
  }

  @Test
  @Nightly // GuardedCommandTest kills the JVM that has begun a command
  @RequiresDatabase("etcd")
  void no_member_stays_paused_after_the_load_generator_was_killed() throws Exception {
    noMemberStaysPaused(QuorateProcess::loadGenerator);
  }

  @Test
  @Nightly // KilledPartsIT kills a run
  @RequiresDatabase("etcd")
  void no_member_stays_paused_after_the_run_was_killed() throws Exception {
    noMemberStaysPaused(QuorateProcess::handle);
  }

  private void noMemberStaysPaused(Function<QuorateProcess, ProcessHandle> killed)
      throws Exception {
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 3, directory.resolve("servers"))) {
      writeCommands(cluster, 0);
      Files.writeString(
          directory.resolve("killed.yaml"),
          PAUSED.replace("pause-leader 10s", "pause-leader 300s"));
      try (QuorateProcess run =
          QuorateProcess.start(
              directory,
              Map.of(),
              "run",
              "killed.yaml",
              "--results",
              "results",
              "--endpoints",
              endpoints(cluster),
              "--fault-commands",
              "commands")) {
        QuorateProcess.await(() -> isAnyPaused(cluster), LIMIT, run::output);
        ProcessHandle loadGenerator = run.loadGenerator();
        killed.apply(run).destroyForcibly();
        QuorateProcess.await(() -> !isAnyPaused(cluster), LIMIT, run::output);
        QuorateProcess.await(() -> !loadGenerator.isAlive(), LIMIT, run::output);
      }
    }
  }

  @Test
  void commands_without_an_existing_cluster_are_refused() throws Exception {
    Files.writeString(directory.resolve("commands"), "kill-leader: true\n");
    InProcessRun refused = run(PAUSED, "--fault-commands", "commands");
    assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
    assertThat(refused.output()).contains("--fault-commands is for faults of an existing cluster");
    assertThat(directory.resolve("results")).doesNotExist();
  }
}
