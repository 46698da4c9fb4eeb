// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.process.ProcessHandleInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** However the JVM ends that started servers: neither they nor their guard nor their data stay. */
class OwnerEndIT {
  private static final Duration START = Duration.ofMinutes(3);
  private static final Duration NOTICED = Duration.ofMinutes(1);

  @TempDir(factory = MemoryBackedDirectory.class)
  Path directory;

  private Process owner;

  @AfterEach
  void end() {
    owner.descendants().forEach(ProcessHandle::destroyForcibly);
    owner.destroyForcibly();
  }

  @ParameterizedTest
  // not INT: a shell that starts the build in the background makes all its children ignore that
  @CsvSource({"KILL,3", "TERM,1"})
  @RequiresDatabase("etcd")
  void nothing_of_etcd_outlives_it(String signal, int members) throws Exception {
    nothingOutlives("etcd", members, members, signal);
  }

  /** KilledCommandIT kills an owner of ZooKeeper, too. */
  @ParameterizedTest
  @Nightly
  @ValueSource(strings = {"KILL", "TERM"})
  void nothing_of_zookeeper_outlives_it(String signal) throws Exception {
    nothingOutlives("zookeeper", 3, 3, signal);
  }

  @Test
  @Nightly
  @RequiresDatabase("consul")
  void nothing_of_consul_outlives_it() throws Exception {
    nothingOutlives("consul", 3, 3, "KILL");
  }

  @Nightly
  @Test
  @RequiresDatabase({"etcd", "zetcd"})
  void nothing_of_zetcd_and_the_etcd_behind_it_outlives_it() throws Exception {
    nothingOutlives("zetcd", 1, 2, "KILL");
  }

  /** It was killed, so only the end of a pipe tells the file systems. */
  @Test
  @RequiresDatabase("etcd")
  void nothing_of_disks_that_can_lose_power_outlives_it() throws Exception {
    PowerCutDisks.require();
    start(Map.of(), "etcd", 3, "run", "power");
    Await.until("the servers are ready", START, () -> output().contains("ready"));
    List<ProcessHandle> family = owner.descendants().toList();
    // the servers, their guard, and two processes of each disk
    assertThat(family).hasSize(3 + 1 + 2 * 3);
    assertThat(directory.resolve("run/data/etcd-1")).isSymbolicLink().isDirectory();
    signal("KILL");
    Await.until("nothing of it is left: " + family, NOTICED, () -> isGone(family));
  }

  private void nothingOutlives(String database, int members, int servers, String signal)
      throws Exception {
    start(Map.of(), database, members, "run");
    Await.until("the servers are ready", START, () -> output().contains("ready"));
    List<ProcessHandle> family = owner.descendants().toList();
    // the servers and their guard
    assertThat(family).hasSize(servers + 1);
    assertThat(directory.resolve("run/data")).isDirectory();

    signal(signal);
    Await.until("the owner ends", START, () -> !owner.isAlive());
    Await.until("nothing of it is left: " + family, NOTICED, () -> isGone(family));
    assertThat(directory.resolve("run/logs")).isNotEmptyDirectory();
  }

  @Test
  void a_server_that_ignores_TERM_and_is_still_starting_is_killed_after_all() throws Exception {
    Path etcd =
        Script.write(
            directory.resolve("etcd"),
            "trap '' TERM INT\necho stubborn\nwhile :; do sleep 1; done\n");
    start(Map.of("QUORATE_ETCD", etcd.toString()), "etcd", 1, "run");
    Path log = directory.resolve("run/logs/etcd-1.log");
    Await.until("the server runs", START, () -> text(log).contains("stubborn"));
    List<ProcessHandle> family = owner.descendants().toList();
    signal("KILL");
    Await.until("nothing of it is left: " + family, NOTICED, () -> isGone(family));
  }

  @Test
  void an_orderly_end_leaves_nothing_at_once() throws Exception {
    start(Map.of(), TestServers.anyStore().id(), 1, "run", "end");
    assertThat(owner.waitFor(START.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(output()).contains("ready");
    assertThat(owner.exitValue()).isZero();
    assertThat(directory.resolve("run/data")).doesNotExist();
    assertThat(owner.descendants()).isEmpty();
  }

  private void start(
      Map<String, String> environment, String database, int members, String run, String... more)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            OwnerMain.class.getName(),
            database,
            Integer.toString(members),
            directory.resolve(run).toString());
    builder.command().addAll(List.of(more));
    builder.environment().putAll(environment);
    owner =
        builder
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("owner.log").toFile())
            .start();
  }

  private void signal(String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-s", name, Long.toString(owner.pid())).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }

  private boolean isGone(List<ProcessHandle> family) {
    return family.stream().noneMatch(ProcessHandleInfo::isAlive)
        && !Files.exists(directory.resolve("run/data"));
  }

  private String output() {
    return text(directory.resolve("owner.log"));
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }
}
