// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.NightlyRun;
import io.quorate.QuorateException;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("try") // a cluster may be closed by hand, and again
class LocalClusterIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String VERSION = "\\d+\\.\\d+\\.\\d+";

  @TempDir(factory = MemoryBackedDirectory.class)
  Path directory;

  @Test
  @RequiresDatabase("etcd")
  void etcd_serves_until_it_is_closed() {
    NightlyRun.sizes(3, 1).forEach(size -> servesUntilClosed(EtcdStore.STORE, size, VERSION));
  }

  @Test
  void zookeeper_serves_until_it_is_closed() {
    NightlyRun.sizes(1, 3)
        .forEach(size -> servesUntilClosed(ZooKeeperStore.STORE, size, "3\\.9\\.5"));
  }

  @Test
  @RequiresDatabase("consul")
  void consul_serves_until_it_is_closed() {
    NightlyRun.sizes(1, 3).forEach(size -> servesUntilClosed(ConsulStore.STORE, size, VERSION));
  }

  private void servesUntilClosed(Store database, int members, String version) {
    Cluster cluster = LocalCluster.start(database, members, directory, TestSettings.withUsualEnd());
    List<Member> started = cluster.members();
    try (cluster) {
      assertThat(cluster.database()).isEqualTo(database);
      assertThat(started).hasSize(members).doesNotHaveDuplicates();
      assertThat(cluster.version()).matches(version);
      Await.until(
          "a member leads", LIMIT, () -> cluster.leader().filter(started::contains).isPresent());
      assertThat(cluster.failures()).isEmpty();
      for (Member member : started) {
        assertThat(member.name()).isEqualTo(database + "-" + member.index());
        assertThat(member.pids()).hasSize(1).allMatch(LocalClusterIT::isAlive);
        assertThat(member.dataDirectory())
            .contains(directory.resolve("data").resolve(member.name()));
        assertThat(member.dataDirectory().get()).isNotEmptyDirectory();
        assertThat(member.log())
            .contains(directory.resolve("logs").resolve(member.name() + ".log"));
      }
      List<Endpoint> endpoints = started.stream().map(Member::endpoint).toList();
      try (Cluster given = ExternalCluster.of(database, endpoints, Access.PLAIN)) {
        assertThat(given.version()).isEqualTo(cluster.version());
        // on a busy machine the members may elect another leader at any time
        Await.until(
            "both know the same leader",
            LIMIT,
            () -> given.leader().map(Member::index).equals(cluster.leader().map(Member::index)));
        assertThat(given.members()).allMatch(member -> member.pids().isEmpty());
      }
    }
    cluster.close();
    assertThat(started).noneMatch(member -> isAlive(member.pids().get(0)));
    assertThat(directory.resolve("data")).doesNotExist();
    assertThat(started).allMatch(member -> Files.isRegularFile(member.log().get()));
    assertThat(cluster.failures()).isEmpty();
  }

  @Test
  @RequiresDatabase("etcd")
  void a_member_of_etcd_that_is_killed_is_a_failure_and_another_one_leads() {
    survivesTheLeader(EtcdStore.STORE);
  }

  @Test
  @Nightly // etcd's takes the same road
  @RequiresDatabase("consul")
  void a_member_of_consul_that_is_killed_is_a_failure_and_another_one_leads() {
    survivesTheLeader(ConsulStore.STORE);
  }

  private void survivesTheLeader(Store database) {
    try (Cluster cluster = TestServers.start(database, 3, directory)) {
      Await.until("there is a leader", LIMIT, () -> cluster.leader().isPresent());
      Member killed = cluster.leader().orElseThrow();
      kill(killed);
      Await.until("the failure is noticed", LIMIT, () -> !cluster.failures().isEmpty());
      assertThat(cluster.failures()).hasSize(1);
      assertThat(cluster.failures().get(0))
          .isEqualTo(
              killed.name()
                  + " was ended by signal 9; "
                  + killed.log().get()
                  + " does not say why");
      Await.until(
          "another member leads",
          LIMIT,
          () -> cluster.leader().filter(leader -> !leader.equals(killed)).isPresent());
      assertThat(cluster.version()).isNotEmpty();
      cluster.close();
      assertThat(cluster.failures()).hasSize(1);
    }
  }

  @Test
  @Nightly // ServerAnswersTest has such an answer, and FaultRunIT kills one of three
  void zookeeper_without_a_quorum_has_no_leader() {
    try (Cluster cluster = TestServers.start(ZooKeeperStore.STORE, 3, directory)) {
      Await.until("there is a leader", LIMIT, () -> cluster.leader().isPresent());
      kill(cluster.members().get(0));
      kill(cluster.members().get(2));
      Await.until("there is no leader", LIMIT, () -> cluster.leader().isEmpty());
      Await.until("both failures are noticed", LIMIT, () -> cluster.failures().size() == 2);
    }
  }

  @Test
  @RequiresDatabase("consul")
  void consul_is_empty_at_the_start_and_takes_more_connections_than_its_default() throws Exception {
    try (Cluster cluster = TestServers.start(ConsulStore.STORE, 1, directory)) {
      Endpoint endpoint = cluster.members().get(0).endpoint();
      assertThat(HttpResponseText.get(endpoint, Access.PLAIN, "/v1/kv/?recurse", LIMIT).status())
          .isEqualTo(404);
      List<Socket> clients = new ArrayList<>();
      try {
        for (int client = 0; client < 250; client++) {
          clients.add(new Socket(endpoint.host(), endpoint.port()));
        }
        Socket last = clients.get(249);
        last.setSoTimeout((int) LIMIT.toMillis());
        last.getOutputStream()
            .write("GET /v1/status/leader HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
        assertThat(new String(last.getInputStream().readNBytes(15), US_ASCII))
            .isEqualTo("HTTP/1.1 200 OK");
      } finally {
        for (Socket client : clients) {
          client.close();
        }
      }
    }
  }

  @Test
  void a_base_port_that_is_taken_is_said_at_once() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      ClusterSettings settings = TestSettings.ofThisUser().withBasePort(port);
      assertThatThrownBy(() -> LocalCluster.start(ZooKeeperStore.STORE, 1, directory, settings))
          .isInstanceOf(QuorateException.class)
          .hasMessage(
              "port %d of 127.0.0.1 is taken: stop what listens there or choose another base port"
                  + " than %d",
              port, port);
    }
  }

  @Test
  void data_of_other_servers_is_left_alone() throws IOException {
    Path theirs = Files.createDirectories(directory.resolve("data/zookeeper-1"));
    assertThatThrownBy(() -> TestServers.start(ZooKeeperStore.STORE, 1, directory))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            directory.resolve("data") + " is not empty: data of other servers may be in it");
    assertThat(theirs).exists();
  }

  @Test
  void the_in_memory_map_is_one_member_without_a_process() {
    try (Cluster cluster = TestServers.start(MemoryStore.STORE, 3, directory)) {
      assertThat(cluster.members()).hasSize(1);
      assertThat(cluster.members().get(0).pids()).isEmpty();
      assertThat(cluster.members().get(0).endpoint()).hasToString("127.0.0.1:1");
      assertThat(cluster.leader()).contains(cluster.members().get(0));
      assertThat(cluster.failures()).isEmpty();
    }
    assertThat(directory).isEmptyDirectory();
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).isPresent();
  }

  private static void kill(Member member) {
    ProcessHandle.of(member.pids().get(0)).orElseThrow().destroyForcibly();
  }
}
