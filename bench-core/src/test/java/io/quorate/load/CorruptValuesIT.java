package io.quorate.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ScenarioReader;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes prepared keys behind the back of a load that reads them, on each store. */
class CorruptValuesIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final String READS =
      """
      title: Reads
      operation: read
      requests: 100
      warm-up: 10
      keys: {size: 16, count: 100, order: random}
      values: {size: 64}
      load: {clients: 4}
      databases: [%s]
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void in_memory_every_other_value_is_noticed() throws Exception {
    everyOtherValueIsNoticed(MemoryStore.STORE, new Endpoint("127.0.0.1", 201));
  }

  @Test
  void from_zookeeper_every_other_value_is_noticed() throws Exception {
    everyOtherValueIsNoticed(ZooKeeperStore.STORE);
  }

  @Test
  @RequiresDatabase("etcd")
  void from_etcd_every_other_value_is_noticed() throws Exception {
    everyOtherValueIsNoticed(EtcdStore.STORE);
  }

  @Test
  @RequiresDatabase("consul")
  void from_consul_every_other_value_is_noticed() throws Exception {
    everyOtherValueIsNoticed(ConsulStore.STORE);
  }

  @Test
  @RequiresDatabase({"etcd", "zetcd"})
  void from_zetcd_every_other_value_is_noticed() throws Exception {
    everyOtherValueIsNoticed(ZetcdStore.STORE);
  }

  @Test
  void reads_of_values_of_any_size_find_what_was_written() throws Exception {
    for (int size : new int[] {0, 1, 5, 6, 11, 1_000_000}) {
      try (StoreClient client = MemoryStore.STORE.clients().get(0).start()) {
        Load load = load(client, MemoryStore.STORE, new Endpoint("127.0.0.1", 1), size);
        load.prepare();
        StepMeasurement measured = run(load);
        assertThat(measured.errors()).as("values of " + size + " bytes").isEmpty();
        assertThat(measured.successes().count()).isEqualTo(100);
      }
    }
  }

  private void everyOtherValueIsNoticed(Store database) throws Exception {
    try (Cluster cluster = TestServers.start(database, 1, directory)) {
      everyOtherValueIsNoticed(database, cluster.members().get(0).endpoint());
    }
  }

  private static void everyOtherValueIsNoticed(Store database, Endpoint endpoint) throws Exception {
    try (StoreClient client = database.clients().get(0).start()) {
      everyOtherValueIsNoticed(client, database, endpoint);
    }
  }

  private static void everyOtherValueIsNoticed(
      StoreClient client, Store database, Endpoint endpoint) throws Exception {
    Load load = load(client, database, endpoint, 64);
    load.prepare();
    try (Connection behind = client.open(new DriverSettings(endpoint, LIMIT, LIMIT, Access.PLAIN))) {
      byte[] flipped = read(behind, 0);
      flipped[63] ^= 1;
      write(behind, 0, flipped);
      byte[] flippedFirst = read(behind, 1);
      flippedFirst[0] ^= 0x20;
      write(behind, 1, flippedFirst);
      write(behind, 2, Arrays.copyOf(read(behind, 2), 32));
      write(behind, 3, new byte[0]);
      write(behind, 4, read(behind, 5));
      write(behind, 6, Arrays.copyOf(read(behind, 6), 65));
    }

    StepMeasurement measured = run(load);

    assertThat(measured.successes().count()).isEqualTo(94);
    assertThat(measured.errors())
        .extracting(ErrorTally::kind, ErrorTally::message, ErrorTally::count)
        .containsExactlyInAnyOrder(
            tuple("corrupt", "the value that was read differs from the one that was written", 2L),
            tuple(
                "corrupt", "the value that was read is shorter than the one that was written", 1L),
            tuple("corrupt", "the value that was read is empty", 1L),
            tuple("corrupt", "the value that was read is one that was written to another key", 1L),
            tuple(
                "corrupt", "the value that was read is longer than the one that was written", 1L));
  }

  private static Load load(StoreClient client, Store database, Endpoint endpoint, int valueBytes) {
    String text =
        READS
            .formatted(database.id())
            .replace("values: {size: 64}", "values: {size: " + valueBytes + "}");
    Scenario scenario = ScenarioReader.read("reads.yaml", text, 1);
    Load load = new Load(scenario, scenario.databases().get(0), RunClock.start());
    load.connectTo(new Connector(client, List.of(endpoint), LIMIT, Access.PLAIN));
    return load;
  }

  private static StepMeasurement run(Load load) throws Exception {
    LoadStep step = load.steps().get(0);
    for (int client = 1; client < step.step().clients(); client++) {
      step.join(new RequestLog(RequestListener.NOBODY));
    }
    step.join(new RequestLog(RequestListener.NOBODY)).get(60, TimeUnit.SECONDS);
    return step.recorder().measurement();
  }

  private static byte[] key(int number) {
    return "%016d".formatted(number).getBytes(US_ASCII);
  }

  private static byte[] read(Connection driver, int number) throws Exception {
    return ended(
            done -> driver.submit(Request.get(key(number), ReadConsistency.LINEARIZABLE), done))
        .clone();
  }

  private static void write(Connection driver, int number, byte[] value) throws Exception {
    ended(done -> driver.submit(Request.update(key(number), value), done));
  }

  private static byte[] ended(Consumer<Completion> request) throws Exception {
    CompletableFuture<byte[]> end = new CompletableFuture<>();
    request.accept(new End(end));
    return end.get(30, TimeUnit.SECONDS);
  }

  private record End(CompletableFuture<byte[]> value) implements Completion {
    @Override
    public void answered(Answer answer) {
      if (answer instanceof Answer.Found found) {
        value.complete(found.value());
      } else if (answer instanceof Answer.Written) {
        value.complete(new byte[0]);
      } else {
        value.completeExceptionally(new AssertionError(answer));
      }
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      value.completeExceptionally(new AssertionError(kind + ": " + message));
    }
  }
}
