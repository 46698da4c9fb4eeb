// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.SharedCluster;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.store.Endpoint;
import io.quorate.store.keeper.KeeperDouble;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a stand-in for ClickHouse Keeper: its four-letter words in front of ZooKeeper. */
class KeeperRunIT {
  private static final String MIXED =
      """
      title: Mixed
      mix: {put: 30, get: 20, exists: 10, compare-and-set: 20, create: 20, remove: 10, range: 20, txn: 20}
      txn: {objects: 8}
      objects: {count: 150, ephemeral: 50}
      range: {keys: 10, keys-only: true}
      requests: 300
      warm-up: 100
      cold-start: true
      keys: {size: 40, count: 200}
      values: {size: 256}
      consistency: linearizable
      load: {clients: 5}
      databases: [clickhouse-keeper]
      timeout: 60s
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void a_stand_in_is_measured_verified_and_left_without_keys() throws Exception {
    try (KeeperDouble keeper = new KeeperDouble(zooKeeper())) {
      Files.writeString(directory.resolve("mixed.yaml"), MIXED);
      InProcessRun run = run("mixed.yaml", keeper.endpoint());

      assertThat(run.exitCode()).as(run.output()).isZero();
      Path results = run.onlyRun("mixed").resolve("clickhouse-keeper");
      DatabaseRun result = DatabaseRun.read(results);
      assertThat(result.clients().orElseThrow().successCount()).isPositive();
      assertThat(result.manifest().store().tag()).isEqualTo("clickhouse-keeper-v24.2.1.2248");
      ServerInfo found = result.manifest().store().servers();
      assertThat(found.leader()).hasValue(keeper.endpoint().toString());
      assertThat(found.keys().orElseThrow().state()).isEqualTo(ServerInfo.RunKeys.State.REMOVED);
      assertThat(run.output()).contains(" acknowledged keys verified, all correct");
      assertThat(run.onlyRun("mixed").resolve("index.html"))
          .content()
          .contains("ClickHouse Keeper");
    }
  }

  @Test
  void neither_is_measured_under_the_name_of_the_other() throws Exception {
    try (KeeperDouble keeper = new KeeperDouble(zooKeeper())) {
      Files.writeString(directory.resolve("keeper.yaml"), MIXED);
      InProcessRun asKeeper = run("keeper.yaml", zooKeeper());
      Files.writeString(
          directory.resolve("zookeeper.yaml"), MIXED.replace("[clickhouse-keeper]", "[zookeeper]"));
      InProcessRun asZooKeeper = run("zookeeper.yaml", keeper.endpoint());

      assertThat(asKeeper.exitCode()).as(asKeeper.output()).isEqualTo(1);
      assertThat(asKeeper.output())
          .contains("no ClickHouse Keeper server answers: ")
          .contains("(it is ZooKeeper ")
          .contains(": choose it with --database zookeeper");
      assertThat(asZooKeeper.exitCode()).as(asZooKeeper.output()).isEqualTo(1);
      assertThat(asZooKeeper.output())
          .contains(
              "(it is ClickHouse Keeper 24.2.1.2248: choose it with --database clickhouse-keeper");
    }
  }

  private static Endpoint zooKeeper() {
    return SharedCluster.of(ZooKeeperStore.STORE).members().get(0).endpoint();
  }

  private InProcessRun run(String scenario, Endpoint endpoint) throws Exception {
    return InProcessRun.run(
        directory, "run", scenario, "--endpoints", endpoint.toString(), "--results", "results");
  }
}
