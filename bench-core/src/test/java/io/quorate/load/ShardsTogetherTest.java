// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.load.workload.Workload;
import io.quorate.load.workload.WrittenKeys;
import io.quorate.measure.RunClock;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Shard;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Access;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import io.quorate.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardsTogetherTest {
  private static final int SHARDS = 3;

  private static List<LoadShare> shards(String text) {
    Scenario scenario = ScenarioReader.read("test.yaml", text, 1);
    List<LoadShare> shards = new ArrayList<>();
    for (int number = 1; number <= SHARDS; number++) {
      shards.add(LoadShare.of(new Shard(number, SHARDS), scenario, scenario.databases().get(0)));
    }
    return shards;
  }

  @Test
  void shards_write_other_keys_and_other_values_and_together_every_key_once() throws Exception {
    List<LoadShare> shards =
        shards(
            """
            title: Writes
            operation: put
            requests: 1_000
            warm-up: 100
            cold-start: true
            keys: {size: 16, distribution: random}
            values: {size: 16}
            load: {steps: [4, 7]}
            databases: [memory]
            """);
    Set<String> keys = new TreeSet<>();
    Set<String> values = new TreeSet<>();
    try (StoreClient memory = MemoryStore.STORE.clients().get(0).start()) {
      for (LoadShare shard : shards) {
        Load load = new Load(shard, RunClock.start());
        load.connectTo(
            new Connector(
                memory,
                List.of(new Endpoint("127.0.0.1", 190)),
                Duration.ofSeconds(5),
                Access.PLAIN));
        load.prepare();
        for (RunningStep step : load.steps()) {
          run(step);
          assertThat(step.recorder().measurement().errors()).isEmpty();
          assertThat(step.recorder().successCount()).isEqualTo(step.step().requests());
        }
        WrittenKeys written = load.writtenKeys().orElseThrow();
        assertThat(written.count()).isEqualTo(shard.load().requests());
        assertThat(written.commonPrefix()).isEmpty();
        Workload workload = new Workload(shard);
        for (long number = 0; number < workload.keyCount(); number++) {
          keys.add(new String(workload.key(number), StandardCharsets.US_ASCII));
          values.add(new String(workload.values().at(number), StandardCharsets.US_ASCII));
        }
      }
    }
    assertThat(keys).hasSize(1_000).first().isEqualTo("0000000000000000");
    assertThat(keys).last().isEqualTo("0000000000000999");
    assertThat(values).hasSize(1_000);
  }

  @Test
  void the_operations_of_a_mix_are_exactly_those_of_one_load_generator() {
    List<LoadShare> shards =
        shards(
            """
            title: A mix
            mix: {get: 70, put: 20, compare-and-set: 10}
            requests: 5_000
            keys: {size: 16}
            values: {size: 16}
            load: {clients: 10}
            databases: [memory]
            """);
    long[] together = new long[3];
    for (LoadShare shard : shards) {
      count(new Workload(shard), shard.load().requests(), together);
    }
    long[] alone = new long[3];
    Scenario whole = shards.get(0).wholeScenario();
    count(new Workload(LoadShare.whole(whole, whole.databases().get(0))), 5_000, alone);
    assertThat(together).isEqualTo(alone).containsExactly(3_544, 989, 467);
  }

  @Test
  void the_connections_of_all_shards_spread_over_the_members_as_those_of_one_load_generator()
      throws Exception {
    List<LoadShare> shards =
        shards(
            """
            title: Few connections to many members
            operation: put
            requests: 100
            keys: {size: 16}
            values: {size: 16}
            load: {steps: [4, 7]}
            databases: [memory]
            """);
    List<Endpoint> together = new ArrayList<>();
    for (LoadShare shard : shards) {
      together.addAll(connected(shard));
    }
    LoadShare first = shards.get(0);
    List<Endpoint> alone = connected(LoadShare.whole(first.wholeScenario(), first.whole()));
    assertThat(together).containsExactlyInAnyOrderElementsOf(alone).hasSize(4 + 7);
  }

  /** Makes a load on five members, and returns those to which it opened its connections. */
  private static List<Endpoint> connected(LoadShare shard) throws Exception {
    List<Endpoint> members =
        IntStream.range(0, 5).mapToObj(i -> new Endpoint("127.0.0.1", 190 + i)).toList();
    Queue<Endpoint> opened = new ConcurrentLinkedQueue<>();
    make(
        shard,
        members,
        (endpoint, connection) -> {
          opened.add(endpoint);
          return connection;
        });
    return List.copyOf(opened);
  }

  /** Makes a load on maps in memory, through connections that a test may watch. */
  private static void make(
      LoadShare shard, List<Endpoint> members, BiFunction<Endpoint, Connection, Connection> watched)
      throws Exception {
    try (StoreClient memory = MemoryStore.STORE.clients().get(0).start()) {
      StoreClient client =
          new StoreClient() {
            @Override
            public Connection open(DriverSettings settings) {
              return watched.apply(settings.endpoint(), memory.open(settings));
            }

            @Override
            public void close() {}
          };
      Load load = new Load(shard, RunClock.start());
      load.connectTo(new Connector(client, members, Duration.ofSeconds(5), Access.PLAIN));
      for (RunningStep step : load.steps()) {
        run(step);
      }
    }
  }

  private static void run(RunningStep step) throws Exception {
    for (int client = 1; client < step.step().clients(); client++) {
      step.join(new RequestLog(RequestListener.NOBODY));
    }
    step.join(new RequestLog(RequestListener.NOBODY)).get(30, TimeUnit.SECONDS);
  }

  @Test
  void the_same_thread_sends_at_every_rate_wherever_the_servers_are() throws Exception {
    for (int rate : List.of(90, 900, 1_800)) {
      assertThat(threadsThatSend(rate, "127.0.0.1")).containsExactly("pacer");
      assertThat(threadsThatSend(rate, "10.0.0.1")).containsExactly("pacer");
    }
  }

  /** Makes the load of one of three shards, and returns the threads that sent its requests. */
  private static Set<String> threadsThatSend(int ratePerSecond, String host) throws Exception {
    List<LoadShare> shards =
        shards(
            """
            title: Writes at a rate
            operation: put
            requests: 90
            keys: {size: 16}
            values: {size: 16}
            load: {rate: %d/s, connections: 6}
            databases: [memory]
            """
                .formatted(ratePerSecond));
    Set<String> threads = ConcurrentHashMap.newKeySet();
    make(
        shards.get(1),
        List.of(new Endpoint(host, 190)),
        (endpoint, connection) -> new Noting(connection, threads));
    return threads;
  }

  /** Notes which threads submit requests. */
  private record Noting(Connection connection, Set<String> threads) implements Connection {
    @Override
    public void submit(Request request, Completion completion) {
      threads.add(Thread.currentThread().getName());
      connection.submit(request, completion);
    }

    @Override
    public Optional<Executor> eventLoop() {
      return connection.eventLoop();
    }

    @Override
    public void close() {
      connection.close();
    }
  }

  private static void count(Workload workload, long requests, long[] counts) {
    for (long index = 0; index < requests; index++) {
      counts[workload.measured().operation(index)]++;
    }
  }
}
