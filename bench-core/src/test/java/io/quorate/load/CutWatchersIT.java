package io.quorate.load;

import static io.quorate.store.ConnectionContract.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.TestServers;
import io.quorate.measure.EventCounts;
import io.quorate.measure.RunClock;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ScenarioReader;
import io.quorate.store.Access;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.TcpProxy;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * ZooKeeper's persistent recursive watches while their connection is cut: what is written meanwhile
 * is never told, and must be counted as lost.
 */
class CutWatchersIT {
  private static final int WATCHERS = 10;
  private static final int MISSED = 100;

  private static final String SCENARIO =
      """
      title: Puts whose watchers are cut off
      operation: put
      requests: 1_500
      warm-up: 10
      keys: {size: 8}
      values: {size: 16}
      watch: {watchers: 10, streams: 2}
      load: {rate: 200/s, connections: 2}
      databases: [zookeeper]
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  /** A client whose streams go through a proxy, and whose requests do not. */
  private record Divided(StoreClient client, Endpoint streams) implements StoreClient {
    @Override
    public Connection open(DriverSettings settings) {
      return client.open(settings);
    }

    @Override
    public Subscriptions subscribe(DriverSettings settings) {
      return client.subscribe(
          new DriverSettings(
              streams, settings.requestTimeout(), settings.connectTimeout(), settings.access()));
    }

    @Override
    public void close() {
      client.close();
    }
  }

  @Test
  void what_is_written_while_persistent_watches_are_cut_is_lost_and_counted() throws Exception {
    try (Cluster cluster = TestServers.start(ZooKeeperStore.STORE, 1, directory)) {
      Endpoint server = cluster.members().get(0).endpoint();
      try (TcpProxy proxy = new TcpProxy(server);
          StoreClient client =
              new Divided(ZooKeeperStore.STORE.clients().get(0).start(), proxy.endpoint())) {
        assertLostAndCounted(events(proxy, step(client, server)));
      }
    }
  }

  private static LoadStep step(StoreClient client, Endpoint server) {
    Scenario scenario = ScenarioReader.read("cut.yaml", SCENARIO, 1);
    Load load = new Load(scenario, scenario.databases().get(0), RunClock.start());
    load.connectTo(new Connector(client, List.of(server), Duration.ofSeconds(20), Access.PLAIN));
    load.prepare();
    return load.steps().get(0);
  }

  private static EventCounts events(TcpProxy proxy, LoadStep step) throws Exception {
    CompletableFuture<Void> ended = step.join(new RequestLog(RequestListener.NOBODY));
    step.join(new RequestLog(RequestListener.NOBODY));
    await("some puts", () -> succeeded(step) >= MISSED);
    proxy.cut();
    long before = succeeded(step);
    await("puts that nobody is told of", () -> succeeded(step) >= before + MISSED);
    proxy.mend();
    ended.get(60, TimeUnit.SECONDS);
    return step.recorder().measurement().watch().orElseThrow().counts();
  }

  private static long succeeded(LoadStep step) {
    return step.recorder().operations().get(0).successCount();
  }

  private static void assertLostAndCounted(EventCounts events) {
    assertThat(events.expected()).isEqualTo(1_500 * WATCHERS);
    assertThat(events.lost()).isGreaterThanOrEqualTo(MISSED * WATCHERS);
    assertThat(events.delivered()).isGreaterThan(MISSED * WATCHERS / 2);
    assertThat(events.delivered() + events.lost()).isEqualTo(events.expected());
    assertThat(events.coalesced()).isZero();
    assertThat(events.duplicated()).isZero();
    assertThat(events.interruptions()).isGreaterThanOrEqualTo(WATCHERS);
  }
}
