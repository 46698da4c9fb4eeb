// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.Nightly;
import io.quorate.QuorateException;
import io.quorate.cluster.process.ProcessHandleInfo;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.server.MemberAddress;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members that are started one by one and find each other at different addresses. */
class LocalMemberIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir Path directory;
  private List<LocalMember> members = List.of();

  @AfterEach
  void stop() {
    members.forEach(LocalMember::close);
  }

  /** AgentMeasurementsIT starts such a cluster, too. */
  @Test
  @Nightly
  void three_of_zookeeper_make_a_cluster() {
    make(ZooKeeperStore.STORE);
  }

  @Test
  @RequiresDatabase("etcd")
  void three_of_etcd_make_a_cluster() {
    make(EtcdStore.STORE);
  }

  @Test
  @RequiresDatabase("consul")
  void three_of_consul_make_a_cluster() {
    make(ConsulStore.STORE);
  }

  @Test
  @Nightly // ShimClusterIT starts three
  @RequiresDatabase({"etcd", "zetcd"})
  void three_of_zetcd_make_a_cluster() {
    make(ZetcdStore.STORE);
  }

  private void make(Store database) {
    members =
        IntStream.rangeClosed(1, 3)
            .mapToObj(index -> plan(database, index, "127.0.0." + (index + 1)))
            .toList();
    List<MemberAddress> addresses = members.stream().map(LocalMember::address).toList();
    CompletableFuture.allOf(
            members.stream()
                .map(
                    member ->
                        CompletableFuture.runAsync(
                            () -> member.start(addresses, Optional.empty()),
                            starting -> new Thread(starting).start()))
                .toArray(CompletableFuture[]::new))
        .join();

    assertThat(addresses)
        .extracting(MemberAddress::host)
        .containsExactly("127.0.0.2", "127.0.0.3", "127.0.0.4");
    List<List<Endpoint>> servers =
        members.stream()
            .map(each -> each.member().servers().stream().map(Member.Server::endpoint).toList())
            .toList();
    try (Cluster together = ExternalCluster.ofServers(database, servers, Access.PLAIN)) {
      assertThat(together.members())
          .extracting(each -> each.endpoint().host())
          .containsExactly("127.0.0.2", "127.0.0.3", "127.0.0.4");
      Await.until("there is a leader", LIMIT, () -> together.leader().isPresent());
      assertThat(together.version()).isEqualTo(members.get(0).version());
    }
    assertThat(members).allMatch(member -> member.failures().isEmpty());
    List<Long> pids = members.stream().flatMap(each -> each.member().pids().stream()).toList();

    stop();
    assertThat(pids)
        .noneMatch(pid -> ProcessHandle.of(pid).filter(ProcessHandleInfo::isAlive).isPresent());
    assertThat(
            Stream.of("1", "2", "3")
                .map(index -> directory.resolve(index).resolve("data"))
                .toList())
        .noneMatch(data -> data.toFile().exists());
  }

  private LocalMember plan(Store database, int index, String host) {
    return LocalMember.plan(
        database,
        index,
        host,
        directory.resolve(Integer.toString(index)),
        TestSettings.ofThisUser());
  }

  @Test
  void a_port_that_is_taken_meanwhile_is_told_from_other_failures() throws IOException {
    LocalMember member = plan(ZooKeeperStore.STORE, 1, "127.0.0.2");
    try (ServerSocket taken =
        new ServerSocket(member.address().ports().get(0), 1, InetAddress.getByName("127.0.0.2"))) {
      assertThatThrownBy(() -> member.start(List.of(member.address()), Optional.empty()))
          .isInstanceOf(PortTakenException.class)
          .hasMessageContaining("one of its ports of 127.0.0.2 (" + taken.getLocalPort());
    }
  }

  @Test
  void one_that_is_not_among_the_members_is_not_started() {
    LocalMember member = plan(ZooKeeperStore.STORE, 2, "127.0.0.2");
    assertThatThrownBy(() -> member.start(List.of(member.address()), Optional.empty()))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith("zookeeper-2 listens at ");
    assertThat(directory.resolve("2/data")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "host",
        "127.0.0.1,evil=http://x",
        "1.2.3",
        "1.2.3.4.",
        "256.1.1.1",
        "1.2.3.4\n"
      })
  void only_an_ipv4_address_is_one(String host) {
    assertThatThrownBy(() -> new MemberAddress(host, List.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected an IPv4 address");
  }

  @Test
  void ports_are_bounded() {
    assertThatThrownBy(() -> new MemberAddress("10.0.0.1", List.of(0)))
        .hasMessage("found the ports [0], expected 1 to 8 different ones between 1 and 65535");
    assertThatThrownBy(() -> new MemberAddress("10.0.0.1", List.of(7, 7)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new MemberAddress("10.0.0.1", List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
