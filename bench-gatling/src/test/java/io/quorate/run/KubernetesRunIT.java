// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.measure.EventCounts;
import io.quorate.results.DatabaseRun;
import io.quorate.results.requests.OperationCounts;
import io.quorate.store.Endpoint;
import io.quorate.store.etcd.EtcdStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The requests of API servers, as etcd's own counters have them. */
@RequiresDatabase("etcd")
class KubernetesRunIT {
  /** 134.9 requests per second by the table: 50 heartbeats, 5 started and 5 removed Pods. */
  private static final String CLUSTER =
      """
      title: 500 nodes
      kubernetes: {version: VERSION, nodes: 500, pods-per-node: 4, pod-changes: 10/s, api-servers: 1}
      duration: SECONDSs
      cold-start: true
      verify: none
      databases: [etcd]
      members: 1
      timeout: 60s
      """;

  private static final Pattern HANDLED =
      Pattern.compile(
          "(?m)^grpc_server_handled_total\\{grpc_code=\"OK\",grpc_method=\"(\\w+)\".*\\} (\\d+)$");

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  /** What a run has sent and what the server has counted. */
  private record Counts(Map<String, Long> handled, Map<String, Long> sent, EventCounts events) {
    long handled(String method, Counts before) {
      return handled.getOrDefault(method, 0L) - before.handled.getOrDefault(method, 0L);
    }

    long sent(String operation, Counts before) {
      return sent.get(operation) - before.sent.get(operation);
    }
  }

  @Test
  void etcd_counts_the_requests_of_the_table() throws Exception {
    Counts before = run("1.37", 5);
    Counts after = run("1.37", 15);

    // the setup of both runs is the same, so that the difference is 10 s of load
    assertThat(after.handled("LeaseGrant", before)).isEqualTo(after.sent("lease-grant", before));
    assertThat(after.handled("Txn", before) / 10.0)
        .isCloseTo(50 + 1.67 + 20 + 35 + 10 + 0.3 + 9.5, within(6.3));
    // conflicts of deletes are planned; on a slow machine, some updates in flight conflict, too
    assertThat(after.handled("Txn", before))
        .isBetween(
            changes(after, before) + after.sent("optimistic-delete", before) * 85 / 100,
            changes(after, before)
                + after.sent("optimistic-delete", before)
                + changes(after, before) / 20);
    assertThat(after.handled("Range", before) + after.handled("RangeStream", before))
        .isEqualTo(
            after.sent("get", before)
                + after.sent("revision", before)
                + after.sent("range", before));
    assertThat(after.handled("RangeStream", before)).isPositive();
    assertThat(after.events().lost()).isZero();
    assertThat(after.events().duplicated()).isZero();
    assertThat(after.events().expected()).isEqualTo(after.events().delivered()).isPositive();
  }

  @Test
  void an_older_API_server_reads_without_streams() throws Exception {
    Counts counts = run("1.36", 15);

    assertThat(counts.handled()).containsEntry("RangeStream", 0L);
    assertThat(counts.sent().get("range")).isPositive();
    assertThat(counts.events().lost()).isZero();
  }

  private static long changes(Counts after, Counts before) {
    return after.sent("optimistic-update", before)
        + after.sent("optimistic-create", before)
        + after.sent("optimistic-delete", before);
  }

  private Counts run(String version, int seconds) throws Exception {
    String name = "seconds-" + seconds;
    Files.writeString(
        directory.resolve(name + ".yaml"),
        CLUSTER.replace("VERSION", version).replace("SECONDS", String.valueOf(seconds)));
    try (Cluster etcd = TestServers.start(EtcdStore.STORE, 1, directory.resolve(name))) {
      Endpoint endpoint = etcd.members().get(0).endpoint();
      InProcessRun run =
          InProcessRun.run(
              directory,
              "run",
              name + ".yaml",
              "--results",
              "results",
              "--endpoints",
              endpoint.toString());
      assertThat(run.exitCode()).as(run.output()).isZero();
      DatabaseRun result = DatabaseRun.read(run.onlyRun(name).resolve("etcd"));
      assertThat(result.clients().orElseThrow().errorCount()).as(run.output()).isZero();
      Map<String, Long> sent = new HashMap<>();
      for (OperationCounts each : result.clients().orElseThrow().operations(1)) {
        sent.put(each.operation(), each.succeeded());
      }
      return new Counts(handled(endpoint), sent, result.watches().get(0).counts());
    }
  }

  private static Map<String, Long> handled(Endpoint endpoint) throws Exception {
    String metrics =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://" + endpoint + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    Map<String, Long> handled = new HashMap<>();
    Matcher each = HANDLED.matcher(metrics);
    while (each.find()) {
      handled.put(each.group(1), Long.parseLong(each.group(2)));
    }
    return handled;
  }
}
