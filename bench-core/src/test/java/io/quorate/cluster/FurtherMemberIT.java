// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.QuorateException;
import io.quorate.cluster.MemberControl.FurtherMember;
import io.quorate.store.Security;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Members that join a running cluster, and leave it again. */
class FurtherMemberIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Nightly
  @Test
  @RequiresDatabase("consul")
  void a_server_of_consul_becomes_a_voter_and_leaves() {
    assertThatMembersJoinAndLeave(ConsulStore.STORE, Security.TLS, 1);
  }

  @Nightly
  @Test
  void an_observer_of_zookeeper_joins_and_leaves() {
    assertThatMembersJoinAndLeave(ZooKeeperStore.STORE, Security.TLS, 1);
  }

  @ParameterizedTest
  @EnumSource(Security.class)
  @Nightly
  @RequiresDatabase("etcd")
  void members_of_etcd_join_and_leave_again(Security security) {
    assertThatMembersJoinAndLeave(EtcdStore.STORE, security, 2);
  }

  @Test
  @Nightly
  @RequiresDatabase("consul")
  void a_server_of_consul_joins_and_leaves_without_TLS() {
    assertThatMembersJoinAndLeave(ConsulStore.STORE, Security.NONE, 1);
  }

  @ParameterizedTest
  @EnumSource(Security.class)
  @Nightly
  void members_of_zookeeper_join_and_leave_again(Security security) {
    assertThatMembersJoinAndLeave(ZooKeeperStore.STORE, security, 2);
  }

  private void assertThatMembersJoinAndLeave(Store store, Security security, int times) {
    try (Cluster cluster = start(store, security)) {
      for (int time = 0; time < times; time++) {
        assertThatAMemberJoinsAndLeaves(cluster, store + "-4");
      }
    }
  }

  private Cluster start(Store store, Security security) {
    Cluster cluster = TestServers.start(store, 3, directory, security);
    Await.until("there is a leader", LIMIT, () -> cluster.leader().isPresent());
    return cluster;
  }

  private void assertThatAMemberJoinsAndLeaves(Cluster cluster, String name) {
    MemberControl control = cluster.control().orElseThrow();
    Path data = directory.resolve("data").resolve(name);
    ProcessHandle process;
    try (FurtherMember further = control.further(cluster.leader().orElseThrow())) {
      assertThat(further.name()).isEqualTo(name);
      assertThat(data).doesNotExist();
      // etcd admits a member if the others have been connected for five seconds
      Await.until("it is admitted", LIMIT, () -> isAdmitted(further));
      process = ProcessHandle.of(further.member().pids().get(0)).orElseThrow();
      assertThat(data).isDirectory();
      Await.until("it has its role", LIMIT, () -> further.takeRole().isEmpty());
      Await.until("it serves", LIMIT, () -> cluster.protocol().isServing(further.member()));
      further.leave();
      Await.until("it has left", LIMIT, further::hasLeft);
    }
    assertThat(process.isAlive()).isFalse();
    assertThat(data).doesNotExist();
    assertThat(cluster.failures()).isEmpty();
    assertThat(cluster.members()).hasSize(3).allMatch(cluster.protocol()::isServing);
  }

  private static boolean isAdmitted(FurtherMember further) {
    try {
      further.join();
      return true;
    } catch (QuorateException refusal) {
      assertThat(refusal).hasMessageContaining("unhealthy cluster");
      return false;
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void a_learner_of_etcd_becomes_a_voter_and_leaves_and_one_whose_cluster_ends_is_ended() {
    ProcessHandle process;
    FurtherMember further;
    try (Cluster cluster = start(EtcdStore.STORE, Security.TLS)) {
      assertThatAMemberJoinsAndLeaves(cluster, "etcd-4");
      assertThatAMemberThatIsClosedHasLeft(cluster);

      further = cluster.control().orElseThrow().further(cluster.leader().orElseThrow());
      FurtherMember joining = further;
      Await.until("it is admitted", LIMIT, () -> isAdmitted(joining));
      process = ProcessHandle.of(further.member().pids().get(0)).orElseThrow();
    }
    assertThat(process.isAlive()).isFalse();
    assertThat(directory.resolve("data")).doesNotExist();
    assertThatThrownBy(further::close)
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("does not remove etcd-4: ");
    assertThat(directory.resolve("data")).doesNotExist();
  }

  private void assertThatAMemberThatIsClosedHasLeft(Cluster cluster) {
    FurtherMember further = cluster.control().orElseThrow().further(cluster.leader().orElseThrow());
    Await.until("it is admitted", LIMIT, () -> isAdmitted(further));
    ProcessHandle process = ProcessHandle.of(further.member().pids().get(0)).orElseThrow();
    assertThat(further.hasLeft()).isFalse();
    further.close();
    assertThat(further.hasLeft()).isTrue();
    assertThat(process.isAlive()).isFalse();
    assertThat(directory.resolve("data/etcd-4")).doesNotExist();
    assertThat(cluster.failures()).isEmpty();
  }
}
