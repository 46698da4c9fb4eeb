package io.quorate.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  @RequiresDatabase("consul")
  void ours_and_okhttp_take_turns_on_consul() throws Exception {
    takeTurns(ConsulStore.STORE, "client library", "--against", "library");
  }

  private void takeTurns(Store database, String rival, String... more) throws Exception {
    QuorateProcess harness = harness(database, more);

    assertThat(harness.exitCode()).as(harness.output()).isZero();
    assertThat(harness.output())
        .containsPattern("pair 1  quorate" + FIGURES)
        .containsPattern("pair 1  " + rival + FIGURES)
        .containsPattern("ours / theirs +median +lowest +highest\n")
        .containsPattern("requests per second( +[0-9.]+){3}\n")
        .containsPattern("CPU per request( +[0-9.]+){3}\n")
        .containsPattern("median latency( +[0-9.]+){3}\n");
  }

  @Test
  void what_cannot_be_compared_is_refused_before_anything_starts() throws Exception {
    QuorateProcess harness = harness(ZooKeeperStore.STORE, "--against", "etcd_benchmark");

    assertThat(harness.exitCode()).isEqualTo(1);
    assertThat(harness.output())
        .isEqualTo("etcd's tool can only be measured with etcd, not zookeeper\n");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  private QuorateProcess harness(Store database, String... more)
      throws IOException, InterruptedException {
    Files.writeString(directory.resolve("few.yaml"), SCENARIO.formatted(database.id()));
    List<String> arguments = new ArrayList<>(List.of("harness", "few.yaml", "--pairs", "1"));
    arguments.addAll(List.of("--results", "results"));
    arguments.addAll(List.of(more));
    return QuorateProcess.run(directory, Map.of(), arguments.toArray(String[]::new));
  }
}
