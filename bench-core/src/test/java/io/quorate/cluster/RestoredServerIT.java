// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.MemberControl.RestoredServer;
import io.quorate.install.Installation;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Request;
import io.quorate.store.Security;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots that a new cluster of one server serves. */
class RestoredServerIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int KEYS = 20;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  @RequiresDatabase("etcd")
  void etcdutl_restores_a_snapshot_of_etcd() {
    Path etcd = Installation.of(System.getenv(), System.getProperties()).require(EtcdServers.ETCD);
    assumeTrue(
        Files.isExecutable(etcd.resolveSibling("etcdutl")),
        "etcdutl is not next to etcd: ./quorate install etcd");
    assertThatASnapshotIsServed(EtcdStore.STORE, Security.NONE);
  }

  @Test
  @RequiresDatabase("consul")
  void a_server_of_consul_loads_a_snapshot() {
    assertThatASnapshotIsServed(ConsulStore.STORE, Security.TLS);
  }

  @Test
  void a_server_of_zookeeper_starts_on_copied_files() {
    assertThatASnapshotIsServed(ZooKeeperStore.STORE, Security.NONE);
  }

  private void assertThatASnapshotIsServed(Store store, Security security) {
    Path data = directory.resolve("data");
    try (Cluster cluster = TestServers.start(store, 1, directory, security)) {
      Member leader = cluster.members().get(0);
      write(cluster, leader);
      MemberControl control = cluster.control().orElseThrow();
      try (RestoredServer restored = control.restored(leader)) {
        assertThat(restored.name()).isEqualTo(store.id() + "-2");
        long keys = restored.keys(true, LIMIT);
        assertThat(keys).isGreaterThanOrEqualTo(KEYS);
        assertThat(restored.save(LIMIT)).isPositive();
        restored.start();
        Await.until("it serves", LIMIT, () -> restored.isServing() || restored.end().isPresent());
        assertThat(restored.end()).isEmpty();
        restored.load(LIMIT);
        assertThat(restored.keys(false, LIMIT)).isEqualTo(keys);
        assertThat(data.resolve(store.id() + "-2")).isDirectory();
      }
      assertThat(data.resolve(store.id() + "-2")).doesNotExist();
      assertThat(data.resolve(store.id() + "-2-snapshot")).doesNotExist();
      assertThat(cluster.failures()).isEmpty();
      assertThat(cluster.protocol().isServing(leader)).isTrue();
    }
  }

  private static void write(Cluster cluster, Member member) {
    try (StoreClient client = cluster.database().clients().get(0).start();
        Connection connection =
            client.open(new DriverSettings(member.endpoint(), LIMIT, LIMIT, cluster.access()))) {
      for (int key = 0; key < KEYS; key++) {
        CompletableFuture<Answer> end = new CompletableFuture<>();
        byte[] name = ("key-" + key).getBytes(StandardCharsets.US_ASCII);
        connection.submit(new Request.Put(name, new byte[] {'v'}, true), Completion.of(end));
        end.join();
      }
    }
  }
}
