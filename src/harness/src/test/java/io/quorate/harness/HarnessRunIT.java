// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.install.OwnedProcess;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./quorate harness}, as a person runs it. */
class HarnessRunIT {
  private static final String SCENARIO =
      """
      title: A few writes
      operation: write
      requests: 2_000
      warm-up: 500
      keys: {size: 64}
      values: {size: 256}
      load: {clients: 10}
      databases: [%s]
      members: 1
      """;

  private static final String OUTPUT = "output.txt";

  /** These JVMs are too short-lived for the second compiler. */
  private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

  private static final String FIGURES =
      " +[0-9,]+ requests/s +[0-9.]+ us of CPU per request  median +[0-9.]+ ms\n";

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void ours_and_the_driver_in_a_bare_loop_take_turns_on_zookeeper() throws Exception {
    takeTurns(ZooKeeperStore.STORE, "bare loop");
  }

  @Test
  @RequiresDatabase("etcd")
  void ours_and_the_driver_in_a_bare_loop_take_turns_on_etcd() throws Exception {
    takeTurns(EtcdStore.STORE, "bare loop", "--against", "bare");
  }

  @Test
  void ours_and_the_asynchronous_client_take_turns_on_zookeeper() throws Exception {
    takeTurns(ZooKeeperStore.STORE, "client library", "--against", "library");
  }

  @Test
  void ours_and_curator_take_turns_on_zookeeper() throws Exception {
    takeTurns(ZooKeeperStore.STORE, "curator", "--against", "curator");
  }

  @Test
  @RequiresDatabase("consul")
  void ours_and_okhttp_take_turns_on_consul() throws Exception {
    takeTurns(ConsulStore.STORE, "client library", "--against", "library");
  }

  private void takeTurns(Store database, String rival, String... more) throws Exception {
    int exitCode = compare(database, more);

    assertThat(exitCode).as(output()).isZero();
    assertThat(output())
        .containsPattern("pair 1  quorate" + FIGURES)
        .containsPattern("pair 1  " + rival + FIGURES)
        .containsPattern("ours / theirs +median +lowest +highest\n")
        .containsPattern("requests per second( +[0-9.]+){3}\n")
        .containsPattern("CPU per request( +[0-9.]+){3}\n")
        .containsPattern("median latency( +[0-9.]+){3}\n");
  }

  @Test
  void what_cannot_be_compared_is_refused_before_anything_starts() throws Exception {
    int exitCode = compare(ZooKeeperStore.STORE, "--against", "etcd_benchmark");

    assertThat(exitCode).isEqualTo(1);
    assertThat(output()).isEqualTo("etcd's tool can only be measured with etcd, not zookeeper\n");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void a_name_is_that_of_a_scenario_of_the_harness() throws Exception {
    int exitCode = compare("harness-zookeeper", "--against", "etcd_benchmark");

    assertThat(exitCode).isEqualTo(1);
    assertThat(output()).isEqualTo("etcd's tool can only be measured with etcd, not zookeeper\n");
  }

  private int compare(Store database, String... more) throws IOException, InterruptedException {
    Files.writeString(directory.resolve("few.yaml"), SCENARIO.formatted(database.id()));
    return compare("few.yaml", more);
  }

  private int compare(String scenario, String... more) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dquorate.home=" + System.getProperty("quorate.home"));
    command.addAll(List.of(FIRST_COMPILER, "-Dquorate.jvmArgs=" + FIRST_COMPILER));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("io.quorate.cli.Quorate", "harness", scenario, "--pairs", "1"));
    command.addAll(List.of("--results", "results"));
    command.addAll(List.of(more));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(OUTPUT).toFile());
    try (OwnedProcess harness = OwnedProcess.start(builder)) {
      return harness.process().waitFor();
    }
  }

  private String output() throws IOException {
    return Files.readString(directory.resolve(OUTPUT));
  }
}
