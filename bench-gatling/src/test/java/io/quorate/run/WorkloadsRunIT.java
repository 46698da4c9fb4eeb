// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.measure.EventCounts;
import io.quorate.measure.Verification;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.requests.OperationCounts;
import io.quorate.store.etcd.EtcdStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workloads that were reported for these stores, or that other tools have, on real servers. */
@RequiresDatabase({"etcd", "consul"})
class WorkloadsRunIT {
  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  /** As keeper-bench with a remove factor of 0.5. */
  @Test
  void keys_are_removed_and_written_again_on_each_store() throws Exception {
    run(
        "deletes",
        """
        title: Deletes next to puts and gets
        mix: {put: 10, delete: 5, get: 10}
        requests: 4_000
        keys: {size: 30, count: 100, distribution: uniform}
        values: {min: 10, max: 20}
        load: {clients: 20}
        databases: [zookeeper, etcd, consul]
        """);
    for (String database : List.of("zookeeper", "etcd", "consul")) {
      DatabaseRun read = read("deletes", database);
      assertThat(operations(read)).containsExactly("put", "delete", "get");
      assertThat(read.clients().orElseThrow().successCount()).isEqualTo(4_000);
      assertThat(read.clients().orElseThrow().errorCount()).isZero();
      assertIntact(read);
    }
  }

  /** As keeper-bench: creates, multis, gets, and lists of children. */
  @Test
  void children_are_listed_next_to_transactions() throws Exception {
    run(
        "children",
        """
        title: Puts, transactions of 20, gets, lists
        mix: {put: 10, txn: 10, get: 10, range: 10}
        requests: 1_000
        keys: {size: 30, count: 1_000, distribution: random}
        values: {min: 10, max: 20}
        range: {keys: all, keys-only: true}
        txn: {puts: 20}
        load: {clients: 20, connections: 1}
        databases: [zookeeper, etcd]
        """);
    for (String database : List.of("zookeeper", "etcd")) {
      DatabaseRun read = read("children", database);
      assertThat(operations(read)).containsExactly("put", "txn", "get", "range");
      assertThat(read.clients().orElseThrow().errorCount()).isZero();
      assertIntact(read);
    }
  }

  @Test
  void transactions_read_and_remove_keys() throws Exception {
    run(
        "reading",
        """
        title: Transactions that read, write and remove
        operation: txn
        txn: {puts: 3, gets: 2, deletes: 1}
        requests: 500
        keys: {size: 30}
        values: {size: 100}
        load: {clients: 10}
        databases: [etcd, consul]
        """);
    for (String database : List.of("etcd", "consul")) {
      DatabaseRun read = read("reading", database);
      assertThat(read.clients().orElseThrow().operations(1))
          .containsExactly(new OperationCounts("txn", 0, 500, 0));
      Verification verification = assertIntact(read);
      assertThat(verification.acknowledgedKeys()).isEqualTo(2_000);
    }
  }

  /** Issue 15402 of etcd: events wait while ranges fill the only connection. */
  @Test
  void watchers_of_a_mix_get_every_put_next_to_ranges() throws Exception {
    run(
        "starvation",
        """
        title: Watch events next to ranges on one TLS connection
        mix: {range: 80, put: 20}
        requests: 500
        keys: {size: 64, count: 1_000}
        values: {size: 1024}
        range: {keys: 100}
        watch: {watchers: 20, streams: 1}
        load: {clients: 10, connections: 1}
        security: tls
        databases: [etcd]
        """);
    DatabaseRun read = read("starvation", "etcd");
    long puts = read.clients().orElseThrow().operations(1).get(1).succeeded();
    EventCounts events = read.watches().get(0).counts();
    assertThat(events.expected()).isEqualTo(20 * puts);
    assertThat(events.delivered()).isEqualTo(20 * puts);
    assertIntact(read);
  }

  /** Issue 18109 of etcd: values before puts make events twice as long. */
  @Test
  void watchers_get_the_values_before_puts_if_they_ask_for_them() throws Exception {
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 1, directory.resolve("servers"))) {
      long without = bytesSent(cluster, "without", "watch: {watchers: 1, streams: 1}");
      long with = bytesSent(cluster, "with", "watch: {watchers: 1, streams: 1, prev-kv: true}");

      // 60 events of 64 KiB, which contain two values each then
      assertThat(with - without).isBetween(50L << 16, 70L << 16);
    }
  }

  private long bytesSent(Cluster cluster, String name, String watch) throws Exception {
    long before = sent(cluster);
    run(
        name,
        """
        title: Puts of 64 KiB with a watcher
        operation: put
        requests: 60
        keys: {size: 32, count: 1}
        values: {size: 64KiB}
        load: {clients: 1}
        warm-up: 0
        verify: none
        databases: [etcd]
        %s
        """
            .formatted(watch),
        "--endpoints",
        cluster.members().get(0).endpoint().toString());
    assertThat(read(name, "etcd").watches().get(0).counts().delivered()).isEqualTo(60);
    return sent(cluster) - before;
  }

  private static long sent(Cluster cluster) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://" + cluster.members().get(0).endpoint() + "/metrics"))
            .build();
    String text =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    Matcher line =
        Pattern.compile("(?m)^etcd_network_client_grpc_sent_bytes_total (\\S+)").matcher(text);
    assertThat(line.find()).isTrue();
    return (long) Double.parseDouble(line.group(1));
  }

  /** As zookeeper-benchmark: few clients with many requests in flight. */
  @Test
  void few_connections_carry_many_requests() throws Exception {
    run(
        "async",
        """
        title: 5 connections with 2,000 requests in flight
        operation: put
        requests: 4_000
        keys: {size: 20}
        values: {size: 1024}
        load: {clients: 2_000, connections: 5}
        databases: [zookeeper]
        """);
    assertThat(read("async", "zookeeper").clients().orElseThrow().successCount()).isEqualTo(4_000);
  }

  @Test
  void consul_writes_128_keys_at_once_and_refuses_values_above_its_limit() throws Exception {
    run(
        "large",
        """
        title: Transactions of 128 keys
        operation: txn
        txn: {puts: 128}
        requests: 40
        keys: {size: 64}
        values: {size: 1KiB}
        load: {clients: 10}
        databases: [consul]
        """);
    assertThat(read("large", "consul").clients().orElseThrow().errorCount()).isZero();
    InProcessRun refused =
        InProcessRun.ofScenario(
            directory,
            "limit",
            """
            title: Values around the limit of 512 KiB
            operation: put
            requests: 100
            keys: {size: 64}
            values: {sizes: {1KiB: 90, 600KiB: 10}}
            load: {clients: 4}
            databases: [consul]
            """);
    assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
    assertThat(refused.output())
        .contains("limit.yaml:5:17: found values of 600KiB, above the limit of consul");
  }

  /** As events of Kubernetes, which end with a lease. */
  @Test
  void objects_share_leases_of_an_hour() throws Exception {
    run(
        "leases",
        """
        title: Creations with a lease of an hour next to gets
        mix: {optimistic-create: 90, get: 10}
        requests: 500
        keys: {size: 100, count: 100}
        values: {size: 1KiB}
        leases: {count: 10, ttl: 1h}
        load: {rate: 200/s}
        databases: [etcd]
        """);
    assertThat(read("leases", "etcd").clients().orElseThrow().errorCount()).isZero();
  }

  /** Issue 16839 of etcd: one object for many streams. */
  @Test
  void each_of_many_streams_gets_every_put() throws Exception {
    run(
        "streams",
        """
        title: Objects of 30 kB to 100 streams
        operation: put
        requests: 30
        keys: {size: 32, count: 1}
        values: {size: 30KB}
        watch: {watchers: 100, streams: 100}
        load: {rate: 10/s}
        databases: [etcd]
        """);
    assertThat(read("streams", "etcd").watches().get(0).counts().delivered()).isEqualTo(3_000);
  }

  private static List<String> operations(DatabaseRun run) {
    return run.clients().orElseThrow().operations(1).stream()
        .map(OperationCounts::operation)
        .toList();
  }

  private static Verification assertIntact(DatabaseRun run) {
    Verification verification = run.manifest().verification().orElseThrow();
    assertThat(verification.missingKeys() + verification.wrongKeys())
        .as(verification.toString())
        .isZero();
    assertThat(verification.readKeys()).isPositive();
    return verification;
  }

  private void run(String name, String text, String... options) throws IOException {
    InProcessRun run =
        InProcessRun.ofScenario(
            directory, name, text + "members: 1\ncold-start: true\ntimeout: 60s\n", options);
    assertThat(run.exitCode()).as(run.output()).isZero();
  }

  private DatabaseRun read(String name, String database) throws IOException {
    Path run = InProcessRun.onlyRun(directory, name);
    DatabaseRun read = DatabaseRun.read(run.resolve(database));
    assertThat(read.manifest().status()).isEqualTo(RunStatus.COMPLETE);
    return read;
  }
}
