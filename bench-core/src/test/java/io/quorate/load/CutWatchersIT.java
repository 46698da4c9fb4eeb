// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static io.quorate.store.ConnectionContract.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.SharedCluster;
import io.quorate.measure.EventCounts;
import io.quorate.measure.RunClock;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Access;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.TcpProxy;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * ZooKeeper's persistent recursive watches while their connection is cut: what is written meanwhile
 * is never told, and must be counted as lost. A gate holds puts back, so that a given number of
 * them is written before, during and after the cut on every machine.
 */
class CutWatchersIT {
  private static final String PREFIX = "cut/";
  private static final int WATCHERS = 10;
  private static final int MISSED = 100;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final String SCENARIO =
      """
      title: Puts whose watchers are cut off
      operation: put
      requests: 400
      warm-up: 10
      cold-start: true
      keys: {size: 12}
      values: {size: 16}
      watch: {watchers: 10, streams: 2}
      load: {rate: 200/s, connections: 2}
      databases: [zookeeper]
      """;

  /** Passes a limited number of puts and queues the others. */
  private static final class Gate {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private long left = Long.MAX_VALUE;

    /** Passes this number of further puts, the queued ones first. */
    synchronized void letPass(long puts) {
      left = puts;
      while (left > 0 && !waiting.isEmpty()) {
        left--;
        waiting.remove().run();
      }
    }

    synchronized void pass(Runnable put) {
      if (left > 0) {
        left--;
        put.run();
      } else {
        waiting.add(put);
      }
    }
  }

  /** A client whose streams go through a proxy, and whose puts go through a gate. */
  private record Divided(StoreClient client, Endpoint streams, Gate gate) implements StoreClient {
    @Override
    public Connection open(DriverSettings settings) {
      Connection driver = client.open(settings);
      return new Connection() {
        @Override
        public void submit(Request request, Completion completion) {
          if (request instanceof Request.Put) {
            gate.pass(() -> driver.submit(request, completion));
          } else {
            driver.submit(request, completion);
          }
        }

        @Override
        public void close() {
          driver.close();
        }
      };
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
    Endpoint server = SharedCluster.of(ZooKeeperStore.STORE).members().get(0).endpoint();
    Gate gate = new Gate();
    StoreClient zooKeeper = ZooKeeperStore.STORE.clients().get(0).start();
    zooKeeper.enter(new DriverSettings(server, LIMIT, LIMIT, Access.PLAIN), PREFIX);
    try (TcpProxy proxy = new TcpProxy(server);
        StoreClient client = new Divided(zooKeeper, proxy.endpoint(), gate)) {
      assertLostAndCounted(events(proxy, gate, step(client, server)));
    }
  }

  private static RunningStep step(StoreClient client, Endpoint server) {
    Scenario scenario = ScenarioReader.read("cut.yaml", SCENARIO, 1);
    LoadShare whole = LoadShare.whole(scenario, scenario.databases().get(0));
    Load load = new Load(whole.below(PREFIX), RunClock.start());
    load.connectTo(new Connector(client, List.of(server), LIMIT, Access.PLAIN));
    load.prepare();
    return load.steps().get(0);
  }

  private static EventCounts events(TcpProxy proxy, Gate gate, RunningStep step) throws Exception {
    gate.letPass(MISSED);
    CompletableFuture<Void> ended = step.join(new RequestLog(RequestListener.NOBODY));
    step.join(new RequestLog(RequestListener.NOBODY));
    await(
        "the events of some puts",
        () -> step.hasStarted() && counts(step).delivered() == MISSED * WATCHERS);
    proxy.cut();
    await("all have noticed the cut", () -> counts(step).interruptions() >= WATCHERS);
    gate.letPass(MISSED);
    await(
        "puts that nobody is told of",
        () -> step.recorder().operations().get(0).successCount() == 2 * MISSED);
    proxy.mend();
    gate.letPass(Long.MAX_VALUE);
    ended.get(120, TimeUnit.SECONDS);
    return counts(step);
  }

  private static EventCounts counts(RunningStep step) {
    return step.recorder().watch().orElseThrow().measurement().counts();
  }

  private static void assertLostAndCounted(EventCounts events) {
    assertThat(events.expected()).isEqualTo(400 * WATCHERS);
    assertThat(events.lost()).isGreaterThanOrEqualTo(MISSED * WATCHERS);
    assertThat(events.delivered()).isGreaterThanOrEqualTo(MISSED * WATCHERS);
    assertThat(events.delivered() + events.lost()).isEqualTo(events.expected());
    assertThat(events.coalesced()).isZero();
    assertThat(events.duplicated()).isZero();
    assertThat(events.interruptions()).isGreaterThanOrEqualTo(WATCHERS);
  }
}
