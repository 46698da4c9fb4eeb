// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import io.quorate.install.Installation;
import io.quorate.store.Access;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerInternals;
import io.quorate.store.zookeeper.ZooKeeperInternals;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real servers that are started with settings. */
class ChosenSettingsIT {
  @TempDir Path directory;

  @Test
  @RequiresDatabase("etcd")
  void etcd_starts_with_every_setting() throws IOException {
    serves(
        EtcdStore.STORE,
        Map.ofEntries(
            entry("snapshot-count", 1000L),
            entry("snapshot-catchup-entries", 500L),
            entry("quota-backend-bytes", 1L << 30),
            entry("heartbeat-interval", 50L),
            entry("election-timeout", 500L),
            entry("auto-compaction-period", 60_000L),
            entry("compaction-batch-limit", 200L),
            entry("compaction-sleep-interval", 5L),
            entry("backend-batch-interval", 20L),
            entry("backend-batch-limit", 500L),
            entry("backend-bbolt-freelist-type", 0L),
            entry("max-concurrent-streams", 100L),
            entry("unsafe-no-fsync", 1L)));
  }

  @Test
  @Nightly
  @RequiresDatabase("etcd@3.5.35")
  void an_own_etcd_3_5_gets_the_names_of_its_experiments() throws IOException {
    Installation installation = Installation.of(System.getenv(), System.getProperties());
    Program old = EtcdServers.ETCD.inVersion("3.5.35");
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("QUORATE_ETCD", installation.require(old).toString());
    ClusterSettings settings =
        TestSettings.with(environment)
            .withServers(
                Stores.servers(EtcdStore.STORE).choose(Map.of("compaction-batch-limit", 200L)));
    try (Cluster cluster = LocalCluster.start(EtcdStore.STORE, 1, directory, settings)) {
      assertThat(cluster.version()).isEqualTo("3.5.35");
    }
  }

  @Test
  void zookeeper_starts_with_every_setting() throws IOException {
    serves(
        ZooKeeperStore.STORE,
        Map.ofEntries(
            entry("heap", 128L << 20),
            entry("tickTime", 1000L),
            entry("initLimit", 5L),
            entry("syncLimit", 2L),
            entry("snapCount", 1000L),
            entry("jute.maxbuffer", 1L << 25),
            entry("preAllocSize", 1L << 20),
            entry("fsync-warning-threshold", 100L),
            entry("maxClientCnxns", 60L),
            entry("globalOutstandingLimit", 500L),
            entry("commitProcessor.numWorkerThreads", 1L),
            entry("collector", 2L),
            entry("metricsProvider", 1L),
            entry("forceSync", 1L)));
  }

  @Test
  @RequiresDatabase("consul")
  void consul_starts_with_every_setting() throws IOException {
    serves(
        ConsulStore.STORE,
        Map.of(
            "raft_multiplier", 2L,
            "raft_snapshot_threshold", 1000L,
            "raft_trailing_logs", 500L,
            "raft_snapshot_interval", 10_000L,
            "segment_size_mb", 16L,
            "kv_max_value_size", 1L << 20,
            "http_max_conns_per_client", 200L,
            "raft_logstore.backend", 0L));
  }

  private void serves(Store store, Map<String, Long> chosen) throws IOException {
    ClusterSettings settings =
        TestSettings.ofThisUser().withServers(Stores.servers(store).choose(chosen));
    try (Cluster cluster = LocalCluster.start(store, 1, directory, settings)) {
      assertThat(cluster.version()).isNotEmpty();
      long pid = cluster.members().get(0).pids().iterator().next();
      String command = Files.readString(Path.of("/proc/" + pid + "/cmdline")).replace('\0', ' ');
      if (store == EtcdStore.STORE) {
        assertThat(command)
            .contains("--snapshot-count=1000", "--backend-batch-interval=20ms")
            .contains("--compaction-batch-limit=200", "--compaction-sleep-interval=5ms")
            .contains("--backend-bbolt-freelist-type=array", "--max-concurrent-streams=100")
            .contains("--unsafe-no-fsync=true")
            .contains("--auto-compaction-mode=periodic --auto-compaction-retention=60000ms");
      }
      if (store == ZooKeeperStore.STORE) {
        assertThat(command)
            .contains("-Xms134217728 -Xmx134217728", "-Dzookeeper.preAllocSize=1024")
            .contains("-Dzookeeper.globalOutstandingLimit=500", "-XX:+UseSerialGC")
            .contains("-Dzookeeper.commitProcessor.numWorkerThreads=1", "-Dzookeeper.forceSync=no")
            .doesNotContain("MaxRAMPercentage");
        assertThat(directory.resolve("data/zookeeper-1/zoo.cfg"))
            .content()
            .contains("tickTime=1000", "initLimit=5", "syncLimit=2", "maxClientCnxns=60")
            .doesNotContain("metricsProvider");
        assertThat(
                new ZooKeeperInternals()
                    .ask(cluster.members().get(0).endpoint(), Access.PLAIN, ServerInternals.LIMIT))
            .containsKey("zk_outstanding_requests")
            .doesNotContainKey("zk_jvm_memory_bytes_used");
      }
      if (store == ConsulStore.STORE) {
        assertThat(directory.resolve("data/consul-1/consul.json"))
            .content()
            .contains("\"raft_multiplier\" : 2", "\"kv_max_value_size\" : 1048576")
            .contains("\"segment_size_mb\" : 16", "\"http_max_conns_per_client\" : 200")
            .contains("\"raft_snapshot_interval\" : \"10000ms\"", "\"backend\" : \"boltdb\"");
        assertThat(directory.resolve("data/consul-1/raft/raft.db")).exists();
        assertThat(directory.resolve("data/consul-1/raft/wal")).doesNotExist();
      }
    }
  }
}
