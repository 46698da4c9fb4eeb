// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.SharedCluster;
import io.quorate.measure.EventCounts;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepRecorder;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads of the requests of Kubernetes API servers, counted by the servers. */
@RequiresDatabase({"etcd", "etcd@3.5.35"})
class KubernetesRequestsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern CALLS =
      Pattern.compile(
          "(?m)^grpc_server_started_total\\{grpc_method=\"(\\w+)\",grpc_service=\"etcdserverpb\\."
              + ".*} (\\d+)$");

  private static final String SCENARIO =
      """
      title: Requests of API servers
      warm-up: 0
      cold-start: true
      databases: [%s]
      """;

  private static final String KEYS =
      """
      keys: {size: 40, count: 1_000}
      values: {size: 100}
      """;

  private static final String STREAMED =
      KEYS
          + """
      operation: range
      range: {keys: all, stream: true, page: 10_000}
      requests: 20
      load: {clients: 1}
      """;

  @ParameterizedTest
  @ValueSource(strings = {"etcd", "etcd@3.5.35"})
  void watchers_that_are_restarted_lose_no_event_and_get_none_twice(String store) throws Exception {
    Run run =
        run(
            store,
            KEYS
                + """
            mix: {put: 3, get: 1}
            requests: 2_000
            watch: {watchers: 10, streams: 10, prev-kv: true, progress-notify: true, progress: 20ms, restart: 1s, slow: 50ms}
            load: {rate: 400/s, connections: 2}
            """);
    EventCounts events = run.recorder.watch().orElseThrow().measurement().counts();
    // a slow machine sends fewer puts than are due
    assertThat(events.expected()).isPositive();
    assertThat(events.delivered()).isEqualTo(events.expected());
    assertThat(events.lost()).isZero();
    assertThat(events.duplicated()).isZero();
    assertThat(events.reordered()).isZero();
    assertThat(events.interruptions()).isZero();
    // 10 at first, and some of 50 restarts in 5 s, however slow the machine is
    assertThat(run.calls.get("Watch")).isGreaterThan(20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"etcd", "etcd@3.5.35"})
  void stale_deletes_are_two_transactions_of_which_the_first_is_a_conflict(String store)
      throws Exception {
    Run run =
        run(
            store,
            KEYS
                + """
            mix: {optimistic-create: 1, optimistic-delete: 1}
            objects: {count: 200, stale-deletes: 90}
            requests: 400
            load: {clients: 1}
            """);
    long creations = run.recorder.operations().get(0).successCount();
    long deletions = run.recorder.operations().get(1).successCount();
    long conflicts = run.recorder.measurement().operations().get(1).conflicts();
    assertThat(creations + deletions).isEqualTo(400);
    assertThat(conflicts).isBetween(deletions * 8 / 10, deletions - 1);
    assertThat(run.calls.get("Txn")).isEqualTo(200 + creations + deletions + conflicts);
  }

  @ParameterizedTest
  @ValueSource(strings = {"etcd", "etcd@3.5.35"})
  void leases_are_granted_at_a_rate_never_kept_alive_and_revoked_at_the_end(String store)
      throws Exception {
    Run run =
        run(
            store,
            """
            operation: lease-grant
            leases: {ttl: 15s}
            requests: 60
            load: {rate: 60/s, connections: 1}
            """);
    assertThat(run.recorder.operations().get(0).successCount()).isEqualTo(60);
    assertThat(run.calls).isEqualTo(Map.of("LeaseGrant", 60L, "LeaseRevoke", 60L));
  }

  @ParameterizedTest
  @ValueSource(strings = {"etcd", "etcd@3.5.35"})
  void keys_of_a_prefix_are_counted_without_being_read(String store) throws Exception {
    Run run =
        run(
            store,
            KEYS
                + """
            operation: range
            range: {keys: all, count-only: true}
            requests: 20
            load: {clients: 1}
            """);
    assertThat(run.recorder.operations().get(0).successCount()).isEqualTo(20);
    assertThat(run.calls).containsEntry("Range", 20L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"etcd", "etcd@3.5.35"})
  void pages_are_as_large_as_those_of_api_servers(String store) throws Exception {
    Run run =
        run(
            store,
            """
            keys: {size: 40, count: 1_000}
            values: {size: 20_000}
            operation: range
            range: {keys: all, page: 10_000}
            requests: 2
            load: {clients: 1}
            """);
    assertThat(run.recorder.operations().get(0).successCount()).isEqualTo(2);
    assertThat(run.calls).containsEntry("Range", 2L);
  }

  @Test
  void whole_resources_are_read_in_chunks() throws Exception {
    Run run = run("etcd", STREAMED);
    assertThat(run.recorder.operations().get(0).successCount()).isEqualTo(20);
    assertThat(run.calls).containsEntry("RangeStream", 21L).doesNotContainKey("Range");
  }

  @Test
  void older_servers_of_an_unknown_version_are_refused_before_the_load() {
    Endpoint old = SharedCluster.of(store("etcd@3.5.35")).members().get(0).endpoint();
    assertThatThrownBy(() -> run("etcd", STREAMED, old))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "a streamed range, which etcd has from 3.7 on, failed: of 1 requests, 1 ended with"
                + " other: UNIMPLEMENTED: unknown method RangeStream for service etcdserverpb.KV");
  }

  /** What a run has recorded, and the calls that the server has counted meanwhile. */
  private record Run(StepRecorder recorder, Map<String, Long> calls) {}

  private static Store store(String id) {
    return Stores.byId(id).orElseThrow();
  }

  private static Run run(String id, String requests) throws Exception {
    return run(id, requests, SharedCluster.of(store(id)).members().get(0).endpoint());
  }

  private static Run run(String id, String requests, Endpoint server) throws Exception {
    Scenario scenario = ScenarioReader.read("requests.yaml", SCENARIO.formatted(id) + requests, 1);
    Map<String, Long> before = calls(server);
    String prefix = "run-" + before.values().stream().mapToLong(Long::longValue).sum() + "/";
    LoadShare whole = LoadShare.whole(scenario, scenario.databases().get(0));
    try (StoreClient client = store(id).clients().get(0).start()) {
      boolean keys = scenario.requests().mix().usesKeys();
      Load load = new Load(keys ? whole.below(prefix) : whole, RunClock.start());
      load.connectTo(new Connector(client, List.of(server), LIMIT, Access.PLAIN));
      load.prepare();
      RunningStep step = load.steps().get(0);
      step.start();
      step.awaitEnd(TimeUnit.SECONDS.toNanos(120));
      assertThat(step.failure()).isEmpty();
      load.revokeLeases(LIMIT);
      Map<String, Long> calls = calls(server);
      before.forEach((method, count) -> calls.merge(method, -count, Long::sum));
      calls.values().removeIf(count -> count == 0);
      return new Run(step.recorder(), calls);
    }
  }

  private static Map<String, Long> calls(Endpoint server) throws IOException {
    Map<String, Long> calls = new TreeMap<>();
    Matcher matcher =
        CALLS.matcher(HttpResponseText.content(server, Access.PLAIN, "/metrics", Map.of(), LIMIT));
    while (matcher.find()) {
      calls.put(matcher.group(1), Long.parseLong(matcher.group(2)));
    }
    return calls;
  }
}
