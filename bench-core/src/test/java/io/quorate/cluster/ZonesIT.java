// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;

import io.quorate.Nightly;
import io.quorate.network.Link;
import io.quorate.network.NamedTopology;
import io.quorate.network.Topology;
import io.quorate.network.ZonePair;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import io.quorate.store.Security;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.server.ServerInternals;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.stores.Stores;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clusters whose members are in zones, with a relay between them. {@link IsolatedLeaderIT} tests
 * the relay between members of each store.
 */
@EnabledOnOs(OS.LINUX)
class ZonesIT {
  private static final long ROUND_TRIP = 40_000_000;
  private static final Link LINK = Link.of(Duration.ofNanos(ROUND_TRIP));
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final int PUTS = 5;
  private static final AtomicInteger KEYS = new AtomicInteger();

  @TempDir private Path directory;

  @Test
  @Nightly
  @RequiresDatabase("etcd")
  void a_put_of_etcd_takes_a_round_trip_through_the_leader_and_two_through_a_follower() {
    assertThatPutsTakeRoundTrips(EtcdStore.STORE, Security.NONE);
  }

  @Test
  @Nightly // the test of pairs of zones is the smaller one
  @RequiresDatabase("etcd")
  void a_put_of_etcd_over_tls_takes_a_round_trip_through_the_leader_and_two_through_a_follower() {
    assertThatPutsTakeRoundTrips(EtcdStore.STORE, Security.TLS);
  }

  @Test
  @Nightly
  void a_put_of_zookeeper_takes_a_round_trip_through_the_leader_and_two_through_a_follower() {
    assertThatPutsTakeRoundTrips(ZooKeeperStore.STORE, Security.NONE);
  }

  @Test
  @Nightly
  @RequiresDatabase("consul")
  void a_put_of_consul_takes_a_round_trip_through_the_leader_and_two_through_a_follower() {
    assertThatPutsTakeRoundTrips(ConsulStore.STORE, Security.NONE);
  }

  @Test
  @RequiresDatabase("etcd")
  void each_pair_of_zones_has_a_round_trip_of_its_own_and_the_load_generator_too() {
    Topology topology =
        new Topology(
            Topology.OWN,
            List.of("a", "b", "b"),
            Optional.of("c"),
            Map.of(
                new ZonePair("a", "b"),
                LINK,
                new ZonePair("a", "c"),
                Link.NONE,
                new ZonePair("b", "c"),
                Link.of(Duration.ofMillis(70))));
    try (Cluster cluster = start(EtcdStore.STORE, topology, Security.TLS)) {
      assertThat(cluster.members())
          .extracting(member -> member.endpoint().host())
          .containsExactly("127.0.1.1", "127.0.2.2", "127.0.2.3");
      assertThat(cluster.roundTrips()).containsOnlyKeys("a to b", "b to c");
      assertThat(cluster.roundTrips().get("b to c").medianNanos())
          .isGreaterThanOrEqualTo(70_000_000);
      // its zone is without the majority, whoever leads
      assertThat(fastestPutNanos(cluster, cluster.members().get(0)))
          .isGreaterThanOrEqualTo(ROUND_TRIP);
      assertThat(fastestPutNanos(cluster, cluster.members().get(1)))
          .isGreaterThanOrEqualTo(70_000_000);
      assertThat(cluster.members().get(1).ownEndpoint())
          .isNotEqualTo(cluster.members().get(1).endpoint());
      assertThatNobodyComplains(cluster);
    }
  }

  private void assertThatPutsTakeRoundTrips(Store store, Security security) {
    try (Cluster cluster = start(store, NamedTopology.MN_MZ.with(LINK), security)) {
      assertThat(cluster.roundTrips())
          .containsOnlyKeys("zone-a to zone-b", "zone-a to zone-c", "zone-b to zone-c")
          .allSatisfy(
              (zones, found) -> assertThat(found.medianNanos()).isGreaterThanOrEqualTo(ROUND_TRIP));
      FastestPuts fastest = fastestPuts(cluster);
      assertThat(fastest.leaderNanos()).isGreaterThanOrEqualTo(ROUND_TRIP);
      assertThat(fastest.followerNanos()).isGreaterThanOrEqualTo(2 * ROUND_TRIP);
      assertThatNobodyComplains(cluster);
    }
  }

  private static void assertThatNobodyComplains(Cluster cluster) {
    // Java itself may say that it has options from the environment
    assertThat(contentOf(cluster.relay().orElseThrow().log().toFile()).lines())
        .allMatch(line -> line.startsWith("Picked up JAVA_TOOL_OPTIONS: "));
    ServerInternals internals = Stores.servers(cluster.database()).internals().orElseThrow();
    assertThat(cluster.members())
        .allSatisfy(
            member ->
                assertThat(internals.ask(member.ownEndpoint(), cluster.access(), LIMIT))
                    .isNotEmpty());
    assertThat(cluster.failures()).isEmpty();
  }

  /** The times of the fastest puts through the leader and through a follower. */
  private record FastestPuts(long leaderNanos, long followerNanos) {}

  /** Measures again if the leader has changed meanwhile, as it may on a busy machine. */
  private static FastestPuts fastestPuts(Cluster cluster) {
    AtomicReference<FastestPuts> measured = new AtomicReference<>();
    Await.until(
        "puts while one member leads",
        LIMIT,
        () -> {
          Optional<Member> leader = cluster.leader();
          if (leader.isEmpty()) {
            return false;
          }
          Member follower =
              cluster.members().stream()
                  .filter(each -> !each.equals(leader.get()))
                  .findAny()
                  .orElseThrow();
          measured.set(
              new FastestPuts(
                  fastestPutNanos(cluster, leader.get()), fastestPutNanos(cluster, follower)));
          return cluster.leader().equals(leader);
        });
    return measured.get();
  }

  private Cluster start(Store store, Topology topology, Security security) {
    ClusterSettings settings =
        TestSettings.ofThisUser().withSecurity(security).withTopology(Optional.of(topology));
    return LocalCluster.start(store, topology.members(), directory, settings);
  }

  private static long fastestPutNanos(Cluster cluster, Member member) {
    try (StoreClient client = cluster.database().clients().get(0).start();
        Connection connection =
            client.open(new DriverSettings(member.endpoint(), LIMIT, LIMIT, cluster.access()))) {
      long fastest = Long.MAX_VALUE;
      for (int put = 0; put < PUTS; put++) {
        long sent = System.nanoTime();
        put(connection, "key-" + KEYS.getAndIncrement()).join();
        fastest = Math.min(fastest, System.nanoTime() - sent);
      }
      return fastest;
    }
  }

  private static CompletableFuture<Answer> put(Connection connection, String key) {
    CompletableFuture<Answer> end = new CompletableFuture<>();
    connection.submit(
        new Request.Put(key.getBytes(StandardCharsets.US_ASCII), new byte[] {'v'}, true),
        new Completion() {
          @Override
          public void answered(Answer answer) {
            end.complete(answer);
          }

          @Override
          public void failed(ErrorKind kind, String message) {
            end.completeExceptionally(new AssertionError(kind + ": " + message));
          }
        });
    return end;
  }
}
