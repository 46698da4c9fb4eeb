// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.Nightly;
import io.quorate.QuorateException;
import io.quorate.network.Hop;
import io.quorate.network.NetworkEffect;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Clusters whose leader is isolated by the relay, which all data between members passes. */
@EnabledOnOs(OS.LINUX)
class IsolatedLeaderIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path directory;

  @Test
  @RequiresDatabase("etcd")
  void an_isolated_leader_of_etcd_is_replaced() {
    assertThatAnIsolatedLeaderIsReplaced(EtcdStore.STORE);
  }

  @Nightly
  @Test
  void an_isolated_leader_of_zookeeper_is_replaced() {
    assertThatAnIsolatedLeaderIsReplaced(ZooKeeperStore.STORE);
  }

  @Nightly // ServerCommandsTest checks how its members are reached
  @Test
  @RequiresDatabase("consul")
  void an_isolated_leader_of_consul_is_replaced() {
    assertThatAnIsolatedLeaderIsReplaced(ConsulStore.STORE);
  }

  private void assertThatAnIsolatedLeaderIsReplaced(Store store) {
    try (Cluster cluster =
        LocalCluster.start(
            store,
            3,
            directory,
            TestSettings.ofThisUser()
                .withTaps(new ClusterSettings.Taps(true, false, Optional.empty())))) {
      MemberControl control = cluster.control().orElseThrow();
      Await.until("a leader", LIMIT, () -> cluster.leader().isPresent());
      Member leader = cluster.leader().orElseThrow();
      List<Member> others = new ArrayList<>(cluster.members());
      others.remove(leader);
      List<Hop> hops = new ArrayList<>();
      others.forEach(other -> hops.addAll(Hop.both(leader.index(), other.index())));

      assertThat(control.disturb(hops, NetworkEffect.HOLD).connections()).isPositive();
      Await.until(
          "another leader", LIMIT, () -> others.stream().anyMatch(cluster.protocol()::isLeading));
      assertThat(control.restore(hops).bytes()).isPositive();
      Await.until(
          "all members",
          LIMIT,
          () -> cluster.members().stream().allMatch(cluster.protocol()::isServing));
      assertThat(cluster.failures()).isEmpty();
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void a_cluster_without_a_relay_cannot_be_disturbed() {
    Cluster cluster = SharedCluster.of(EtcdStore.STORE);
    MemberControl control = cluster.control().orElseThrow();
    assertThat(cluster.relay()).isEmpty();
    assertThatThrownBy(() -> control.disturb(Hop.both(Hop.CLIENTS, 1), NetworkEffect.RESET))
        .isInstanceOf(QuorateException.class)
        .hasMessage("found no relay between the members");
  }
}
