// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.Await;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Script;
import io.quorate.cluster.TestServers;
import io.quorate.cluster.process.OrphanCleanup;
import io.quorate.cluster.process.ProcessHandleInfo;
import io.quorate.install.Installation;
import io.quorate.store.Login;
import io.quorate.store.Store;
import io.quorate.store.server.JavaRuntime;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands whose whole process group is killed, and what the next one makes of it. */
class KilledCommandIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  Path directory;

  private final List<ProcessHandle> started = new ArrayList<>();

  @AfterEach
  void endAll() {
    started.forEach(ProcessHandle::destroyForcibly);
  }

  @Test
  void the_servers_and_data_of_an_owner_whose_group_is_killed_are_gone_soon() throws Exception {
    Store store = TestServers.anyStore();
    Process owner =
        startInOwnGroup(
            programs(store),
            "io.quorate.cluster.OwnerMain",
            store.id(),
            "1",
            directory.resolve("run").toString());
    awaitText(directory.resolve("output"), "1 ready");
    List<ProcessHandle> family = family(owner);
    // the server and its guard; OwnerEndIT has three servers
    assertThat(family).hasSize(2);
    assertThat(directory.resolve("run/data.owner")).isRegularFile();

    killGroup(owner);
    Await.until(
        "nothing is left", LIMIT, () -> family.stream().noneMatch(ProcessHandleInfo::isAlive));
    Await.until("no data is left", LIMIT, () -> !Files.exists(directory.resolve("run/data")));
    Await.until("no mark is left", LIMIT, () -> !Files.exists(directory.resolve("run/data.owner")));
  }

  @Test
  void servers_are_stopped_when_their_guard_is_killed() {
    List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
    Store store = TestServers.anyStore();
    try (Cluster cluster = TestServers.start(store, 1, directory.resolve("run"))) {
      List<ProcessHandle> family =
          ProcessHandle.current().descendants().filter(each -> !before.contains(each)).toList();
      guard(family).destroyForcibly();
      Await.until("a failure", LIMIT, () -> !cluster.failures().isEmpty());
      assertThat(cluster.failures())
          .contains(
              "the guard of the servers has ended, so the servers are stopped: nothing would stop"
                  + " them if this process were killed");
      Await.until(
          "nothing is left", LIMIT, () -> family.stream().noneMatch(ProcessHandleInfo::isAlive));
    }
    assertThat(directory.resolve("run/data")).doesNotExist();
  }

  @Test
  @Nightly // the other tests kill up, too
  void up_and_down_work_after_an_up_that_was_killed_as_a_group_while_it_started() throws Exception {
    Process up = startHangingUp();
    List<ProcessHandle> family = family(up);
    assertThat(quorate(hanging(), "cluster", "status", "etcd"))
        .contains("etcd is being started, or its start was cut short");
    killGroup(up);

    String down = quorate(hanging(), "cluster", "down", "etcd");
    assertThat(down).contains("the cluster of etcd is stopped and its data removed");
    nothingIsLeft(family);
    assertThat(quorate(hanging(), "cluster", "down", "etcd"))
        .isEqualTo("no cluster of etcd is up\n");
  }

  @Test
  void down_ends_the_servers_of_an_up_that_was_killed_together_with_the_guard() throws Exception {
    Process up = startHangingUp();
    List<ProcessHandle> family = family(up);
    assertThat(directory.resolve("environment"))
        .content()
        .contains("QUORATE_CACHE=")
        .doesNotContain("s3cret");
    killTogether(up.toHandle(), guard(family));
    assertThat(family).anyMatch(ProcessHandleInfo::isAlive);

    String down = quorate(hanging(), "cluster", "down", "etcd");
    assertThat(down)
        .contains("etcd: tidied up after a killed command in " + directory.resolve("cache"))
        .contains("the cluster of etcd is stopped and its data removed");
    nothingIsLeft(family);
  }

  @Test
  void up_itself_tidies_what_a_killed_one_left_and_of_two_at_once_one_wins() throws Exception {
    Store store = TestServers.anyStore();
    String[] up = {"io.quorate.cli.Quorate", "cluster", "up", store.id(), "--members", "1"};
    Map<String, String> programs = programs(store);
    Process first = startInOwnGroup(programs, up);
    awaitText(directory.resolve("cache/clusters/%1$s/logs/%1$s-1.log".formatted(store)), "");
    List<ProcessHandle> family = family(first);
    killTogether(Stream.concat(Stream.of(first.toHandle()), guards(family)));

    Process second = startInOwnGroup(programs, up);
    awaitText(directory.resolve("output"), store + ": tidied up after a killed command");
    try {
      // the second is starting its server
      assertThat(quorate(programs, Arrays.copyOfRange(up, 1, up.length)))
          .contains("a cluster of " + store + " is up already");
      assertThat(second.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(second.exitValue()).isZero();
      Await.until(
          "nothing is left", LIMIT, () -> family.stream().noneMatch(ProcessHandleInfo::isAlive));
    } finally {
      assertThat(quorate(programs, "cluster", "down", store.id()))
          .contains("the cluster of " + store + " is stopped and its data removed");
    }
  }

  @Test
  void a_directory_of_servers_that_run_is_not_taken_by_another_cluster() throws Exception {
    Path place = directory.resolve("place");
    Store store = TestServers.anyStore();
    try (Cluster running = TestServers.start(store, 1, place)) {
      assertThat(quorate(hanging(), "cluster", "up", "etcd", "--directory", place.toString()))
          .contains(place + " holds data of other servers (pid ");
      OrphanCleanup.tidy(directory.getParent(), line -> {});
      assertThat(running.failures()).isEmpty();
      assertThat(place.resolve("data").resolve(store + "-1")).isDirectory();
    }
  }

  private static Map<String, String> programs(Store store) {
    return TestServers.variables(Stores.servers(store).programs());
  }

  private Process startHangingUp() throws IOException {
    Process up =
        startInOwnGroup(
            hanging(), "io.quorate.cli.Quorate", "cluster", "up", "etcd", "--members", "1");
    awaitText(directory.resolve("cache/clusters/etcd/logs/etcd-1.log"), "hanging");
    return up;
  }

  private Map<String, String> hanging() {
    Path etcd = directory.resolve("bin/etcd");
    Script.write(
        etcd, "env >'%s/environment'\necho hanging\nexec sleep 600\n".formatted(directory));
    Map<String, String> environment = new HashMap<>(Map.of("QUORATE_ETCD", etcd.toString()));
    Login.VARIABLES.forEach(name -> environment.put(name, "s3cret"));
    return environment;
  }

  private void nothingIsLeft(List<ProcessHandle> family) {
    // the guard may still be running for a moment
    Await.until(
        "nothing is left", LIMIT, () -> family.stream().noneMatch(ProcessHandleInfo::isAlive));
    assertThat(directory.resolve("cache/clusters/etcd/data")).doesNotExist();
    assertThat(directory.resolve("cache/clusters/etcd/data.owner")).doesNotExist();
    assertThat(directory.resolve("cache/clusters/etcd.json")).doesNotExist();
  }

  /** The servers and their guard. */
  private List<ProcessHandle> family(Process process) {
    List<ProcessHandle> family = process.descendants().toList();
    started.addAll(family);
    return family;
  }

  private static Stream<ProcessHandle> guards(List<ProcessHandle> family) {
    return family.stream()
        .filter(each -> each.info().commandLine().orElse("").contains("quorate-guard"));
  }

  private static ProcessHandle guard(List<ProcessHandle> family) {
    return guards(family).findFirst().orElseThrow();
  }

  private static void killGroup(Process leader) throws Exception {
    kill("-" + leader.pid());
    leader.waitFor();
  }

  private static void killTogether(ProcessHandle... processes) throws Exception {
    killTogether(Stream.of(processes));
  }

  private static void killTogether(Stream<ProcessHandle> processes) throws Exception {
    List<ProcessHandle> all = processes.toList();
    String[] pids = all.stream().map(each -> "" + each.pid()).toArray(String[]::new);
    // so that none sees the end of another one
    signal("STOP", pids);
    kill(pids);
    Await.until("they have ended", LIMIT, () -> all.stream().noneMatch(ProcessHandleInfo::isAlive));
  }

  private static void kill(String... targets) throws Exception {
    signal("KILL", targets);
  }

  private static void signal(String name, String... targets) throws Exception {
    List<String> command = new ArrayList<>(List.of("kill", "-s", name, "--"));
    command.addAll(List.of(targets));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  private Process startInOwnGroup(Map<String, String> environment, String... main)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(java(main));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("output").toFile()));
    builder.environment().put("QUORATE_CACHE", cache().toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    started.add(process.toHandle());
    return process;
  }

  /** Runs a command in this JVM, and returns its output. */
  private String quorate(Map<String, String> environment, String... arguments) {
    StringWriter output = new StringWriter();
    PrintWriter writer = new PrintWriter(output, true);
    Map<String, String> all = new HashMap<>(System.getenv());
    all.put("QUORATE_CACHE", cache().toString());
    all.putAll(environment);
    Path home = Path.of(System.getProperty("user.home"));
    JavaRuntime java = JavaRuntime.of(System.getProperties());
    Quorate.run(writer, writer, new Installation(all, home, java), arguments);
    return output.toString();
  }

  private Path cache() {
    return directory.resolve("cache");
  }

  private static List<String> java(String... main) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(List.of(main));
    return command;
  }

  private static void awaitText(Path file, String text) {
    Await.until(
        "'" + text + "' in " + file + Optional.of(file).filter(Files::exists).map(f -> text(f)),
        LIMIT,
        () -> Files.exists(file) && text(file).contains(text));
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }
}
