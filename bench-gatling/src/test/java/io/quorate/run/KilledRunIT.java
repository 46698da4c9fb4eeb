// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.process.ProcessHandleInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that are killed as a group, at several moments: neither processes nor data stay. */
class KilledRunIT {
  private static final String ENDLESS =
      """
      title: Long enough to be killed
      operation: write
      members: 1
      requests: 100000000
      warm-up: 100
      cold-start: true
      keys: {size: 64}
      values: {size: 256}
      load: {clients: 10, max-rate: 200/s}
      databases: [zookeeper]
      """;

  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration SOON = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @AfterEach
  void endAll() {
    QuorateProcess.workingBelow(directory).forEach(ProcessHandle::destroyForcibly);
  }

  @Nightly
  @ParameterizedTest
  @ValueSource(strings = {"starting 1 member", " ms  0 errors"})
  void a_group_that_is_killed_leaves_nothing(String moment) throws Exception {
    QuorateProcess run = start(ENDLESS);
    run.awaitOutput(moment, START_LIMIT);
    QuorateProcess.signal("KILL", "-" + run.handle().pid());
    nothingIsLeft(run);
  }

  @Test
  @Nightly // ExistingClusterIT interrupts a run, too
  void an_interrupt_in_the_first_second_prints_no_stack_trace() throws Exception {
    QuorateProcess run = start(ENDLESS);
    run.awaitOutput("measuring ", START_LIMIT);
    ProcessHandle loadGenerator = run.handle().children().findFirst().orElseThrow();
    String[] servers =
        loadGenerator
            .children()
            .filter(each -> each.info().command().orElse("").endsWith("java"))
            .map(each -> Long.toString(each.pid()))
            .toArray(String[]::new);
    // so that it does not end before Gatling has
    QuorateProcess.signal("STOP", servers);
    // as INT, which a process ignores that a shell has started in the background
    QuorateProcess.signal("TERM", "-" + run.handle().pid());
    run.waitFor(START_LIMIT);
    assertThat(run.output()).contains("ending early (TERM): ").doesNotContain("Exception", "\tat ");
    nothingIsLeft(run);
  }

  @Test
  @Nightly // the next one kills a group, and ExistingClusterIT interrupts a run
  void a_group_that_is_killed_while_it_stops_leaves_nothing() throws Exception {
    QuorateProcess run = start(ENDLESS);
    run.awaitOutput(" ms  0 errors", START_LIMIT);
    run.handle().destroy();
    run.awaitOutput("ending early (TERM): ", SOON);
    // the group may have ended already, so the exit code does not matter
    new ProcessBuilder("kill", "-s", "KILL", "--", "-" + run.handle().pid()).start().waitFor();
    nothingIsLeft(run);
  }

  @Test
  void what_a_run_left_that_was_killed_together_with_its_guard_the_next_one_removes()
      throws Exception {
    QuorateProcess run = start(ENDLESS);
    run.awaitOutput(" ms  0 errors", START_LIMIT);
    ProcessHandle loadGenerator = run.handle().children().findFirst().orElseThrow();
    ProcessHandle guard = guard(run);
    List<ProcessHandle> servers =
        loadGenerator.children().filter(each -> !each.equals(guard)).toList();
    assertThat(servers).hasSize(1);
    String[] pids = {"" + run.handle().pid(), "" + loadGenerator.pid(), "" + guard.pid()};
    // so that none sees the end of another one
    QuorateProcess.signal("STOP", pids);
    QuorateProcess.signal("KILL", pids);
    run.waitFor(SOON);
    // a process of that size needs a moment to end
    QuorateProcess.await(
        () -> Stream.of(loadGenerator, guard).noneMatch(ProcessHandleInfo::isAlive),
        SOON,
        () -> "killed processes still run");
    Path data = entry(entry(directory.resolve("results/endless"))).resolve("data");
    assertThat(data).isDirectory();
    assertThat(files("manifest.json.reserve")).hasSize(1);

    // one that continues is left alone
    Path strangers = Files.createDirectories(directory.resolve("results/a/b/etcd/data/precious"));
    Path linked = directory.resolve("results/a/b/linked");
    Files.createSymbolicLink(linked, data.getParent());

    Files.writeString(
        directory.resolve("next.yaml"),
        ENDLESS.replace("zookeeper", "memory").replace("100000000", "100"));
    InProcessRun next = InProcessRun.run(directory, "run", "next.yaml", "--results", "results");
    assertThat(next.exitCode()).as(next.output()).isZero();
    assertThat(next.output()).containsOnlyOnce("removed what a killed run had left: " + data);
    assertThat(strangers).isDirectory();
    assertThat(files("manifest.json.reserve")).isEmpty();
    nothingIsLeft(run);
  }

  private QuorateProcess start(String scenario) throws IOException {
    Files.writeString(directory.resolve("endless.yaml"), scenario);
    return QuorateProcess.startBehind(
        List.of("setsid"), directory, Map.of(), "run", "endless.yaml", "--results", "results");
  }

  private static ProcessHandle guard(QuorateProcess run) {
    return run.handle()
        .children()
        .flatMap(ProcessHandle::children)
        .filter(each -> each.info().command().orElse("").endsWith("sh"))
        .findFirst()
        .orElseThrow();
  }

  private void nothingIsLeft(QuorateProcess run) throws Exception {
    QuorateProcess.await(
        () -> QuorateProcess.workingBelow(directory).isEmpty(),
        SOON,
        () -> "still running: " + QuorateProcess.workingBelow(directory) + "\n" + run.output());
    QuorateProcess.await(
        () -> files("data").isEmpty() && files("data.owner").isEmpty(),
        SOON,
        () -> "still there: " + files("data") + files("data.owner"));
  }

  private List<Path> files(String name) {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> runs = Files.list(directory.resolve("results/endless"))) {
      runs.map(run -> run.resolve("zookeeper").resolve(name))
          .filter(Files::exists)
          .forEach(found::add);
    } catch (IOException none) {
      return found;
    }
    return found;
  }

  private static Path entry(Path parent) throws IOException {
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }
}
