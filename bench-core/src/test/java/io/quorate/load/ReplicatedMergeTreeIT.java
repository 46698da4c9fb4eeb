// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.cluster.SharedCluster;
import io.quorate.measure.OperationRecorder;
import io.quorate.measure.RunClock;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Operation;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import io.quorate.store.StoreContract;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The scenario replicated-merge-tree with few keys; its nodes are counted in the tree. */
class ReplicatedMergeTreeIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Path FILE = Path.of("../scenarios/replicated-merge-tree.yaml");
  private static final String PREFIX = "merge-tree/run/";
  private static final int REQUESTS = 4_000;
  private static final int KEYS = 1_000;
  private static final int OBJECTS = 500;

  /** What the store has acknowledged. */
  private final Queue<Request> acknowledged = new ConcurrentLinkedQueue<>();

  @Test
  void nothing_fails_and_the_tree_has_the_nodes_that_were_created_and_not_removed()
      throws Exception {
    String text =
        Files.readString(FILE)
            .replace("requests: 500_000", "warm-up: 0\ncold-start: true\nrequests: " + REQUESTS)
            .replace("count: 1_000_000", "count: " + KEYS)
            .replace("count: 10_000", "count: " + OBJECTS);
    Scenario scenario = ScenarioReader.read("replicated-merge-tree.yaml", text, 1);
    OperationMix mix = scenario.requests().mix();
    double ofTransactions = mix.weight(Operation.TXN) * mix.valuesPerTxn();
    assertThat(mix.weight(Operation.CREATE) + ofTransactions).isCloseTo(55_190, within(1.0));
    assertThat(mix.weight(Operation.REMOVE) + ofTransactions).isCloseTo(51_568, within(1.0));
    Endpoint server = SharedCluster.of(ZooKeeperStore.STORE).members().get(0).endpoint();
    var settings = new DriverSettings(server, LIMIT, LIMIT, Access.PLAIN);
    LoadShare whole = LoadShare.whole(scenario, scenario.databases().get(0));
    Load load = new Load(whole.below(PREFIX), RunClock.start());
    try (StoreClient client = ZooKeeperStore.STORE.clients().get(0).start()) {
      client.group(mix.digitsOfLists());
      client.enter(settings, PREFIX);
      load.connectTo(new Connector(new Recording(client), List.of(server), LIMIT, Access.PLAIN));
      load.prepare();
      assertThat(acknowledged).hasSize(KEYS + OBJECTS);
      RunningStep step = load.steps().get(0);
      step.start();
      step.awaitEnd(TimeUnit.SECONDS.toNanos(120));

      assertThat(step.failure()).isEmpty();
      assertThat(step.recorder().measurement().errors()).isEmpty();
      List<OperationRecorder> operations = step.recorder().operations();
      long sent = 0;
      for (int i = 0; i < operations.size(); i++) {
        long expected = REQUESTS * (long) mix.shares().get(i).weight() / mix.totalWeight();
        long found = operations.get(i).successCount();
        assertThat(found).as(mix.operations().get(i).id()).isBetween(expected / 2, expected * 2);
        sent += found;
      }
      assertThat(sent).isEqualTo(REQUESTS);
      checkTransactions(mix);
      Set<String> left = left();
      StoreContract.await("the end of ephemeral nodes", () -> keys(client, settings).equals(left));
      client.leave(settings, PREFIX);
      assertThat(client.nodes(settings, PREFIX)).isEmpty();
    }
  }

  /** Checks that transactions have 2 to 20 parts, 4 on average, half of them removals. */
  private void checkTransactions(OperationMix mix) {
    List<Request.Txn> all = acknowledged(Request.Txn.class);
    assertThat(all)
        .extracting(txn -> txn.puts().size() + txn.deletes().size())
        .allMatch(parts -> parts >= 2 && parts <= mix.objectsPerTxn())
        .anyMatch(parts -> parts == 2)
        .anyMatch(parts -> parts > 8);
    double parts =
        all.stream().mapToInt(txn -> txn.puts().size() + txn.deletes().size()).average().orElse(0);
    assertThat(parts).isBetween(3.5, 4.5);
    double removals = all.stream().mapToInt(txn -> txn.deletes().size()).average().orElse(0);
    assertThat(removals / parts).isBetween(0.4, 0.6);
  }

  /** Returns the keys that were created, without those that were removed or are ephemeral. */
  private Set<String> left() {
    Set<String> left = ConcurrentHashMap.newKeySet();
    Set<String> ephemeral = ConcurrentHashMap.newKeySet();
    List<byte[]> removed = new ArrayList<>();
    for (Request each : acknowledged) {
      if (each instanceof Request.Put put && put.creates()) {
        assertThat(left.add(text(put.key()))).isTrue();
      } else if (each instanceof Request.CreateEphemeral create) {
        ephemeral.add(text(create.key()));
      } else if (each instanceof Request.Delete delete) {
        removed.add(delete.key());
      } else if (each instanceof Request.Txn txn) {
        txn.puts().forEach(put -> assertThat(left.add(text(put.key()))).isTrue());
        removed.addAll(txn.deletes());
      }
    }
    int ended = 0;
    for (byte[] key : removed) {
      ended += ephemeral.contains(text(key)) ? 1 : 0;
      assertThat(left.remove(text(key)) || ephemeral.remove(text(key))).isTrue();
    }
    assertThat(ended).isPositive();
    return left;
  }

  private <T extends Request> List<T> acknowledged(Class<T> kind) {
    return acknowledged.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Returns the keys in the tree, and checks that directories are small. */
  private static Set<String> keys(StoreClient client, DriverSettings settings) {
    List<String> nodes = client.nodes(settings, PREFIX);
    Map<Boolean, List<String>> byKind =
        nodes.stream()
            .map(node -> node.substring(PREFIX.length()))
            .collect(Collectors.partitioningBy(node -> node.contains("/")));
    List<String> keys = byKind.getOrDefault(true, List.of());
    assertThat(
            keys.stream()
                .collect(
                    Collectors.groupingBy(
                        key -> key.substring(0, key.indexOf('/')), Collectors.counting()))
                .values())
        .allMatch(children -> children <= 100);
    return keys.stream().map(key -> PREFIX + key.replace("/", "")).collect(Collectors.toSet());
  }

  private static String text(byte[] key) {
    return new String(key, ISO_8859_1);
  }

  /** A client that keeps what its connections were acknowledged. */
  private final class Recording implements StoreClient {
    private final StoreClient client;

    Recording(StoreClient client) {
      this.client = client;
    }

    @Override
    public Connection open(DriverSettings settings) {
      Connection connection = client.open(settings);
      return new Connection() {
        @Override
        public void submit(Request request, Completion completion) {
          connection.submit(
              request,
              completion.withAnswer(
                  answer -> {
                    if (answer instanceof Answer.Written) {
                      acknowledged.add(request);
                    }
                    completion.answered(answer);
                  }));
        }

        @Override
        public void close() {
          connection.close();
        }
      };
    }

    @Override
    public void close() {}
  }
}
