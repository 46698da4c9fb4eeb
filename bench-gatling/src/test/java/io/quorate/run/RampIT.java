// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.results.DatabaseRun;
import io.quorate.store.Store;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ramp that the suite exists for, with few requests: 1 to 100 clients on one member, and every
 * night 1 to 1000 on three.
 */
class RampIT {
  private static final String RAMP =
      """
      title: One to a thousand clients
      operation: write
      requests: 16000
      warm-up: 1000
      cold-start: true
      keys: {size: 64}
      values: {size: 256}
      load: {steps: [1, 10, 50, 100, 300, 500, 700, 1000]}
      databases: [etcd, zookeeper]
      timeout: 60s
      """;

  private static final String SHORT_RAMP =
      RAMP.replace("16000", "600")
          .replace("warm-up: 1000", "warm-up: 100")
          .replace("[1, 10, 50, 100, 300, 500, 700, 1000]", "[1, 10, 100]");

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void a_ramp_to_100_clients_leaves_600_keys_in_zookeeper_and_no_error() throws Exception {
    ramp(ZooKeeperStore.STORE, 1, SHORT_RAMP, 600, RampIT::zooKeeperKeys);
  }

  @Nightly
  @Test
  void a_ramp_to_1000_clients_leaves_16000_keys_in_zookeeper_and_no_error() throws Exception {
    ramp(ZooKeeperStore.STORE, 3, RAMP, 16_000, RampIT::zooKeeperKeys);
  }

  @Nightly // the smaller one is on ZooKeeper
  @Test
  @RequiresDatabase("etcd")
  void a_ramp_to_100_clients_leaves_600_keys_in_etcd_and_no_error() throws Exception {
    ramp(EtcdStore.STORE, 1, SHORT_RAMP, 600, RampIT::etcdKeys);
  }

  @Nightly
  @Test
  @RequiresDatabase("etcd")
  void a_ramp_to_1000_clients_leaves_16000_keys_in_etcd_and_no_error() throws Exception {
    ramp(EtcdStore.STORE, 3, RAMP, 16_000, RampIT::etcdKeys);
  }

  private void ramp(
      Store database, int members, String scenario, long count, ToLongFunction<Member> keys)
      throws Exception {
    Files.writeString(directory.resolve("ramp.yaml"), scenario);
    try (Cluster cluster = TestServers.start(database, members, directory.resolve("servers"))) {
      String endpoints =
          cluster.members().stream()
              .map(member -> member.endpoint().toString())
              .collect(Collectors.joining(","));
      InProcessRun run = run(database, endpoints, "results");

      assertThat(run.exitCode()).as(run.output()).isZero();
      DatabaseRun result = DatabaseRun.read(run.onlyRun("ramp").resolve(database.id()));
      assertThat(result.clients().orElseThrow().errorCount()).as(run.output()).isZero();
      assertThat(result.clients().orElseThrow().successCount()).isEqualTo(count);
      cluster.members().forEach(member -> assertThat(keys.applyAsLong(member)).isEqualTo(count));

      InProcessRun again = run(database, endpoints, "again");
      assertThat(again.exitCode()).as(again.output()).isEqualTo(1);
      assertThat(again.output()).contains("quorate/ramp", ", perhaps of another run. ");
      cluster.members().forEach(member -> assertThat(keys.applyAsLong(member)).isEqualTo(count));
    }
  }

  private InProcessRun run(Store database, String endpoints, String results) throws Exception {
    return InProcessRun.run(
        directory,
        "run",
        "ramp.yaml",
        "--database",
        database.id(),
        "--endpoints",
        endpoints,
        "--run-name",
        "ramp",
        "--keep-keys",
        "--results",
        results);
  }

  private static long zooKeeperKeys(Member member) {
    try (CuratorFramework client =
        CuratorFrameworkFactory.newClient(member.endpoint().toString(), new RetryOneTime(1000))) {
      client.start();
      client.sync().forPath("/");
      return client.getZookeeperClient().getZooKeeper().getAllChildrenNumber("/quorate/ramp");
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  private static long etcdKeys(Member member) {
    // from quorate/ramp/ to quorate/ramp0, so without the mark of the run
    String allKeys =
        "{\"key\":\"cXVvcmF0ZS9yYW1wLw==\",\"range_end\":\"cXVvcmF0ZS9yYW1wMA==\",\"count_only\":true}";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + member.endpoint() + "/v3/kv/range"))
            .POST(HttpRequest.BodyPublishers.ofString(allKeys))
            .build();
    try {
      String body =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
      Matcher count = Pattern.compile("\"count\":\"(\\d+)\"").matcher(body);
      assertThat(count.find()).as(body).isTrue();
      return Long.parseLong(count.group(1));
    } catch (IOException | InterruptedException failure) {
      throw new AssertionError(failure);
    }
  }
}
