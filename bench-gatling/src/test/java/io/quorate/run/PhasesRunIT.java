// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.measure.EventCounts;
import io.quorate.results.DatabaseRun;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.OperationCounts;
import io.quorate.store.etcd.EtcdStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads that change, compared with the counters of the server that got them. */
@RequiresDatabase("etcd")
class PhasesRunIT {
  private static final Pattern HANDLED =
      Pattern.compile(
          "grpc_server_handled_total\\{grpc_code=\"OK\",grpc_method=\"(\\w+)\",[^}]*} ([0-9.e+]+)");

  private static final String COMMON =
      """
      keys: {size: 32, count: 1_000}
      values: {size: 64}
      warm-up: 1
      cold-start: true
      timeout: 60s
      verify: none
      databases: [etcd]
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void the_server_has_counted_the_requests_of_each_phase() throws Exception {
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 1, directory.resolve("servers"))) {
      DatabaseRun run =
          run(
              cluster,
              """
              title: A ramp of deletes and puts, stairs of transactions, reads that think
              phases:
                - {mix: {put: 1, delete: 1}, load: {rate: 100/s, ramp: {to: 500/s}}, duration: 2s}
                - {operation: get, load: {rate: 500/s, ramp: {to: 100/s, stairs: 2}}, duration: 2s}
                - {operation: delete, load: {clients: 20, think-time: 100ms}, duration: 2s}
                - {operation: put, load: {clients: 5}, requests: 300}
              """);
      ClientResults results = run.clients().orElseThrow();

      assertThat(counts(results, 1, "put").intended() + counts(results, 1, "delete").intended())
          .isEqualTo(600);
      assertThat(counts(results, 2, "get").intended()).isEqualTo(600);
      assertThat(counts(results, 2, "put").intended()).isZero();
      // each client sends one in 100 ms, and those that have not slept until the end send one less
      assertThat(counts(results, 3, "delete").succeeded()).isBetween(1L, 420L);
      assertThat(counts(results, 4, "put").succeeded()).isEqualTo(300);
      assertThat(results.errorCount()).isZero();

      Map<String, Double> handled = handled(cluster);
      long preparing = 1_000;
      assertThat(handled.get("Put"))
          .isCloseTo(
              preparing + counts(results, 1, "put").succeeded() + 300.0, withinPercentage(2));
      assertThat(handled.get("DeleteRange"))
          .isCloseTo(
              (double)
                  (counts(results, 1, "delete").succeeded()
                      + counts(results, 3, "delete").succeeded()),
              withinPercentage(2));
      assertThat(handled.get("Range")).isCloseTo(600, withinPercentage(2));
    }
  }

  @Test
  void groups_run_side_by_side() throws Exception {
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 1, directory.resolve("servers"))) {
      DatabaseRun run =
          run(
              cluster,
              """
              title: Lists next to puts
              groups:
                - {operation: range, load: {clients: 3, connections: 1, think-time: 10ms}}
                - {operation: put, load: {rate: 200/s, connections: 2}}
              watch: {watchers: 5, streams: 2}
              range: {keys: 100}
              duration: 3s
              """);
      ClientResults results = run.clients().orElseThrow();

      assertThat(results.steps()).hasSize(1);
      assertThat(counts(results, 1, "put").intended()).isEqualTo(600);
      assertThat(counts(results, 1, "range").succeeded()).isPositive();
      assertThat(results.errorCount()).isZero();
      EventCounts events = run.watches().get(0).counts();
      assertThat(events.expected()).isEqualTo(5 * 600);
      assertThat(events.delivered()).isEqualTo(5 * 600);
      assertThat(handled(cluster).get("Put")).isCloseTo(1_600, withinPercentage(2));
      assertThat(handled(cluster).get("Range"))
          .isCloseTo((double) counts(results, 1, "range").succeeded(), withinPercentage(2));
    }
  }

  private DatabaseRun run(Cluster cluster, String load) throws IOException {
    Files.writeString(directory.resolve("phases.yaml"), load + COMMON);
    InProcessRun run =
        InProcessRun.run(
            directory,
            "run",
            "phases.yaml",
            "--endpoints",
            cluster.members().get(0).endpoint().toString(),
            "--keep-keys",
            "--results",
            "results");
    assertThat(run.exitCode()).as(run.output()).isZero();
    return DatabaseRun.read(run.onlyRun("phases").resolve("etcd"));
  }

  private static OperationCounts counts(ClientResults results, int step, String operation) {
    return results.operations(step).stream()
        .filter(each -> each.operation().equals(operation))
        .findFirst()
        .orElseThrow();
  }

  /** Returns how many requests of each method the server has carried out. */
  private static Map<String, Double> handled(Cluster cluster) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://" + cluster.members().get(0).endpoint() + "/metrics"))
            .build();
    String text =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    Map<String, Double> handled = new TreeMap<>();
    Matcher line = HANDLED.matcher(text);
    while (line.find()) {
      handled.put(line.group(1), Double.parseDouble(line.group(2)));
    }
    return handled;
  }
}
