// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.SharedCluster;
import io.quorate.load.verify.ReadBack;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.Verification;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.OperationMix.RangeShape;
import io.quorate.scenario.OperationMix.Share;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Scenarios;
import io.quorate.scenario.Steps;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.Capabilities;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ConnectionContract;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A load of ranges, compare-and-sets and transactions on each store that can do them. No key comes
 * twice, so that nothing conflicts.
 */
class StoreOperationsIT {
  private static final String PREFIX = "operations/";
  private static final String ONE_KEY = "one-key/";
  private static final String WITH_TTL = "ttl/";
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int REQUESTS = 100;
  private static final int CLIENTS = 8;
  private static final int PUTS = 4;
  private static final int KEYS = REQUESTS * PUTS;

  private static final RangeShape TEN_KEYS = new RangeShape(10, 0, ReturnedValue.ENTRIES, 0, false);
  private static final Share RANGE = new Share(Operation.RANGE, 2);
  private static final Share COMPARE_AND_SET = new Share(Operation.COMPARE_AND_SET, 1);
  private static final Share TXN = new Share(Operation.TXN, 1);

  @Test
  void in_memory_every_request_succeeds() throws Exception {
    Endpoint endpoint = new Endpoint("127.0.0.1", 301);
    assertRangesAndWritesSucceed(MemoryStore.STORE, endpoint, TEN_KEYS);
    assertRangesAndWritesSucceed(
        MemoryStore.STORE, endpoint, new RangeShape(100, 7, ReturnedValue.ENTRIES, 0, false));
    assertRangesAndWritesSucceed(
        MemoryStore.STORE, endpoint, new RangeShape(1_000, 0, ReturnedValue.COUNT, 0, false));
    assertRangesAndWritesSucceed(
        MemoryStore.STORE, endpoint, new RangeShape(0, 0, ReturnedValue.ENTRIES, 150, false));
    assertNoUpdateIsLost(MemoryStore.STORE, new Endpoint("127.0.0.1", 302), true);
  }

  @Test
  @RequiresDatabase("etcd")
  void of_etcd_every_request_succeeds() throws Exception {
    Endpoint endpoint = server(EtcdStore.STORE);
    assertRangesAndWritesSucceed(EtcdStore.STORE, endpoint, TEN_KEYS);
    assertRangesAndWritesSucceed(
        EtcdStore.STORE, endpoint, new RangeShape(100, 7, ReturnedValue.ENTRIES, 0, false));
    assertRangesAndWritesSucceed(
        EtcdStore.STORE, endpoint, new RangeShape(1_000, 0, ReturnedValue.COUNT, 0, false));
    assertRangesAndWritesSucceed(
        EtcdStore.STORE, endpoint, new RangeShape(0, 0, ReturnedValue.KEYS, 150, false));
    assertNoUpdateIsLost(EtcdStore.STORE, endpoint, true);
    assertKeysEndWithTheirLeases(EtcdStore.STORE, endpoint);
    assertCompactionsSucceed(endpoint);
  }

  @Test
  @RequiresDatabase("consul")
  void of_consul_every_request_succeeds() throws Exception {
    Endpoint endpoint = server(ConsulStore.STORE);
    assertRangesAndWritesSucceed(ConsulStore.STORE, endpoint, TEN_KEYS);
    assertNoUpdateIsLost(ConsulStore.STORE, endpoint, false);
    assertKeysEndWithTheirLeases(ConsulStore.STORE, endpoint);
  }

  @Test
  void of_zookeeper_every_request_succeeds_without_ranges() throws Exception {
    Endpoint endpoint = server(ZooKeeperStore.STORE);
    assertThat(
            successes(
                ZooKeeperStore.STORE,
                endpoint,
                new OperationMix(
                    List.of(COMPARE_AND_SET, TXN), TEN_KEYS, PUTS, 0, OperationMix.USUAL_LEASES)))
        .containsExactly(entry("compare-and-set", 51L), entry("txn", 49L));
    assertNoUpdateIsLost(ZooKeeperStore.STORE, endpoint, true);
    assertKeysEndWithTheirLeases(ZooKeeperStore.STORE, endpoint);
  }

  private static Endpoint server(Store database) {
    return SharedCluster.of(database).members().get(0).endpoint();
  }

  private static void assertRangesAndWritesSucceed(
      Store database, Endpoint endpoint, RangeShape range) throws Exception {
    assertThat(
            successes(
                database,
                endpoint,
                new OperationMix(
                    List.of(RANGE, COMPARE_AND_SET, TXN),
                    range,
                    PUTS,
                    0,
                    OperationMix.USUAL_LEASES)))
        .containsExactly(entry("compare-and-set", 24L), entry("range", 52L), entry("txn", 24L));
  }

  /**
   * Several clients read and write one key, which has another revision after each write. All of
   * them read the key before the first one writes it, so one write succeeds and the others
   * conflict.
   *
   * @param counts whether the revision counts the writes of this key alone
   */
  private static void assertNoUpdateIsLost(Store database, Endpoint endpoint, boolean counts)
      throws Exception {
    OperationMix mix = OperationMix.of(Operation.STM);
    try (HeldReads client = new HeldReads(client(database, endpoint, ONE_KEY));
        Connection reader = client.open(new DriverSettings(endpoint, LIMIT, LIMIT, Access.PLAIN))) {
      StoreLoad databaseLoad = new StoreLoad(database, List.of(Steps.closed(CLIENTS, 4, REQUESTS)));
      KeySpace one = new KeySpace(13, KeySpace.Order.SEQUENTIAL, 1, true, KeySpace.USUAL_HOT_SET);
      Load load = load(scenario(mix, one, databaseLoad), databaseLoad, ONE_KEY);
      load.connectTo(new Connector(client, List.of(endpoint), LIMIT, Access.PLAIN));
      load.prepare();
      long before = revision(reader);
      client.hold(CLIENTS);
      StepMeasurement measured = run(load.steps().get(0));

      assertThat(measured.errors()).isEmpty();
      assertThat(measured.successes().count()).isEqualTo(REQUESTS);
      assertThat(measured.operations().get(0).conflicts()).isGreaterThanOrEqualTo(CLIENTS - 1);
      if (counts) {
        assertThat(revision(reader) - before).isEqualTo(REQUESTS);
      }
    }
  }

  /** Runs puts and gets of keys with a TTL, reads them back, and revokes their leases. */
  private static void assertKeysEndWithTheirLeases(Store database, Endpoint endpoint)
      throws Exception {
    OperationMix mix =
        new OperationMix(
            List.of(new Share(Operation.PUT, 1), new Share(Operation.GET, 1)),
            OperationMix.ONE_KEY,
            1,
            0,
            OperationMix.USUAL_LEASES);
    KeySpace keys =
        new KeySpace(8, KeySpace.Order.SEQUENTIAL, 20, true, KeySpace.USUAL_HOT_SET)
            .ending(Optional.of(Duration.ofMinutes(2)));
    StoreLoad databaseLoad = new StoreLoad(database, List.of(Steps.closed(4, 2, REQUESTS)));
    try (StoreClient client = client(database, endpoint, WITH_TTL);
        Connection reader = client.open(new DriverSettings(endpoint, LIMIT, LIMIT, Access.PLAIN))) {
      Load load = load(scenario(mix, keys, databaseLoad), databaseLoad, WITH_TTL);
      Connector connector = new Connector(client, List.of(endpoint), LIMIT, Access.PLAIN);
      load.connectTo(connector);
      load.prepare();
      StepMeasurement measured = run(load.steps().get(0));
      Verification verified =
          new ReadBack(load.writtenKeys().orElseThrow(), ReadBack.Limits.PATIENT, (read, all) -> {})
              .run(connector, database);

      assertThat(measured.errors()).isEmpty();
      assertThat(measured.successes().count()).isEqualTo(REQUESTS);
      assertThat(verified.readKeys()).isPositive();
      assertThat(verified.missingKeys() + verified.wrongKeys()).isZero();
      if (database.capabilities().expiry() == Capabilities.Expiry.LEASE) {
        load.revokeLeases(LIMIT);
        for (int key = 0; key < keys.count(); key++) {
          assertThat(ConnectionContract.read(reader, "ttl/%04d".formatted(key).getBytes(US_ASCII)))
              .isEqualTo("missing");
        }
      }
    }
  }

  private static long revision(Connection reader) {
    byte[] key = (ONE_KEY + "00000").getBytes(US_ASCII);
    var done = new RecordedCompletion();
    reader.submit(new Request.Get(key, ReadConsistency.LINEARIZABLE), done);
    return ((Answer.Found) done.answer()).revision();
  }

  private static void assertCompactionsSucceed(Endpoint endpoint) throws Exception {
    Share put = new Share(Operation.PUT, 2);
    Share compact = new Share(Operation.COMPACT, 1);
    OperationMix mix =
        new OperationMix(
            List.of(put, compact), OperationMix.ONE_KEY, 1, 10, OperationMix.USUAL_LEASES);
    assertThat(successes(EtcdStore.STORE, endpoint, mix)).containsKeys("put", "compact");
  }

  /**
   * Returns how many requests of each operation succeeded, which is all that the seed draws: the
   * same on every store.
   */
  private static Map<String, Long> successes(Store database, Endpoint endpoint, OperationMix mix)
      throws Exception {
    try (WrittenValues client = new WrittenValues(client(database, endpoint, PREFIX))) {
      StoreLoad databaseLoad = new StoreLoad(database, List.of(Steps.closed(4, 2, REQUESTS)));
      Load load = load(scenario(mix, databaseLoad), databaseLoad, PREFIX);
      load.connectTo(new Connector(client, List.of(endpoint), LIMIT, Access.PLAIN));
      load.prepare();
      StepMeasurement measured = run(load.steps().get(0));

      assertThat(measured.errors()).isEmpty();
      assertThat(measured.successes().count()).isEqualTo(REQUESTS);
      assertEachKeyHoldsWhatWasWritten(client, endpoint);
      Map<String, Long> counts = new TreeMap<>();
      measured.operations().forEach(each -> counts.put(each.operation(), each.successes().count()));
      return counts;
    }
  }

  /** Starts a client for keys of this test, as the server is shared. */
  private static StoreClient client(Store database, Endpoint endpoint, String prefix) {
    StoreClient client = database.clients().get(0).start();
    client.enter(new DriverSettings(endpoint, LIMIT, LIMIT, Access.PLAIN), prefix);
    return client;
  }

  private static Load load(Scenario scenario, StoreLoad databaseLoad, String prefix) {
    return new Load(LoadShare.whole(scenario, databaseLoad).below(prefix), RunClock.start());
  }

  private static Scenario scenario(OperationMix mix, StoreLoad load) {
    return scenario(
        mix, new KeySpace(27, KeySpace.Order.RANDOM, KEYS, true, KeySpace.USUAL_HOT_SET), load);
  }

  private static Scenario scenario(OperationMix mix, KeySpace keys, StoreLoad load) {
    return Scenarios.of(mix, ReadConsistency.LINEARIZABLE, REQUESTS, 20, keys, 32, LIMIT, load);
  }

  private static StepMeasurement run(RunningStep step) throws Exception {
    for (int client = 1; client < step.step().clients(); client++) {
      step.join(new RequestLog(RequestListener.NOBODY));
    }
    step.join(new RequestLog(RequestListener.NOBODY)).get(60, TimeUnit.SECONDS);
    return step.recorder().measurement();
  }

  private static void assertEachKeyHoldsWhatWasWritten(WrittenValues client, Endpoint endpoint) {
    assertThat(client.values).hasSize(KEYS);
    try (Connection driver =
        client.open(new DriverSettings(endpoint, LIMIT, LIMIT, Access.PLAIN))) {
      client.values.forEach(
          (key, values) ->
              assertThat(ConnectionContract.read(driver, key.getBytes(US_ASCII))).isIn(values));
    }
  }

  /** Delays the answers to the next reads until all of them have arrived. */
  private static final class HeldReads implements StoreClient {
    private final StoreClient client;
    private final List<Runnable> answers = new ArrayList<>();
    private int wanted;

    HeldReads(StoreClient client) {
      this.client = client;
    }

    /** Delays the answers to the next reads until this number of them has arrived. */
    synchronized void hold(int reads) {
      wanted = reads;
    }

    @Override
    public Connection open(DriverSettings settings) {
      Connection driver = client.open(settings);
      return new Connection() {
        @Override
        public void submit(Request request, Completion completion) {
          driver.submit(request, request instanceof Request.Get ? held(completion) : completion);
        }

        @Override
        public void close() {
          driver.close();
        }
      };
    }

    private Completion held(Completion completion) {
      return new Completion() {
        @Override
        public void answered(Answer answer) {
          pass(() -> completion.answered(answer));
        }

        @Override
        public void failed(ErrorKind kind, String message) {
          pass(() -> completion.failed(kind, message));
        }
      };
    }

    private void pass(Runnable answer) {
      List<Runnable> now;
      synchronized (this) {
        answers.add(answer);
        if (answers.size() < wanted) {
          return;
        }
        wanted = 0;
        now = List.copyOf(answers);
        answers.clear();
      }
      now.forEach(Runnable::run);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /** Keeps the values that are sent to each key, as a read would find them. */
  private record WrittenValues(StoreClient client, Map<String, Set<String>> values)
      implements StoreClient {
    WrittenValues(StoreClient client) {
      this(client, new ConcurrentHashMap<>());
    }

    @Override
    public Connection open(DriverSettings settings) {
      Connection driver = client.open(settings);
      return new Connection() {
        @Override
        public void submit(Request request, Completion completion) {
          keep(request);
          driver.submit(request, completion);
        }

        @Override
        public void close() {
          driver.close();
        }
      };
    }

    private void keep(Request request) {
      if (request instanceof Request.Put put) {
        keep(put.key(), put.value());
      } else if (request instanceof Request.CompareAndSet compared) {
        keep(compared.key(), compared.value());
      } else if (request instanceof Request.Txn txn) {
        txn.puts().forEach(put -> keep(put.key(), put.value()));
      }
    }

    private void keep(byte[] key, byte[] value) {
      values
          .computeIfAbsent(new String(key, US_ASCII), name -> ConcurrentHashMap.newKeySet())
          .add("found:" + new String(value, US_ASCII));
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
