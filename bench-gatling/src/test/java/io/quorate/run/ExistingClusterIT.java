// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.NightlyRun;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.store.Answer;
import io.quorate.store.ClientKind;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on clusters that have other keys: what they write, and what they leave. */
class ExistingClusterIT {
  private static final String SCENARIO =
      """
      title: Some puts
      operation: put
      requests: 500
      warm-up: 50
      cold-start: true
      keys: {size: 16}
      values: {size: 32}
      load: {clients: 4}
      databases: [etcd, zookeeper, consul]
      """;

  private static final String ENDLESS =
      SCENARIO
          .replace("requests: 500", "requests: 10000000")
          .replace("{size: 16}", "{size: 64}")
          .replace("{clients: 4}", "{clients: 4, max-rate: 200/s}");

  private static final String OF_USER = "0000000000000002";
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  @RequiresDatabase("etcd")
  void a_run_on_etcd_leaves_the_keys_of_others_and_none_of_its_own() throws Exception {
    leavesTheKeysOfOthers(EtcdStore.STORE);
  }

  @Test
  void a_run_on_zookeeper_leaves_the_nodes_of_others_and_none_of_its_own() throws Exception {
    leavesTheKeysOfOthers(ZooKeeperStore.STORE);
  }

  @Test
  @RequiresDatabase("consul")
  void a_run_on_consul_leaves_the_keys_of_others_and_none_of_its_own() throws Exception {
    leavesTheKeysOfOthers(ConsulStore.STORE);
  }

  private void leavesTheKeysOfOthers(Store store) throws Exception {
    try (Cluster cluster = TestServers.start(store, 1, directory.resolve("servers"))) {
      Endpoint server = cluster.members().get(0).endpoint();
      ask(
          server,
          store,
          keys -> {
            keys.create(OF_USER);
            if (store == ZooKeeperStore.STORE) {
              keys.create("quorate");
            }
            keys.create("quorate/other");
          });
      InProcessRun run = run(SCENARIO, store, server, "--run-name", "it");

      assertThat(run.exitCode()).as(run.output()).isZero();
      assertThat(run.output())
          .containsSubsequence(
              store.title()
                  + "  writes at most 550 keys (26 kB) below quorate/it/ to the existing cluster"
                  + " at "
                  + server
                  + ", and removes them afterwards (--keep-keys keeps them)",
              "warming up",
              "500 acknowledged keys verified, all correct",
              "keys below quorate/it/ were removed");
      ask(
          server,
          store,
          keys -> {
            assertThat(keys.get(OF_USER)).isEqualTo("mine");
            assertThat(keys.get("quorate/other")).isEqualTo("mine");
            keys.assertEmpty("quorate/it/");
          });
      assertThat(state(run.onlyRun("puts"), store)).isEqualTo(ServerInfo.RunKeys.State.REMOVED);
      assertThat(run.onlyRun("puts").resolve("index.html"))
          .content()
          .contains("keys below quorate/it/ were removed");
      if (store != ConsulStore.STORE || NightlyRun.isOn()) { // ConsulOperationsIT removes a prefix
        removedByEachClient(store, server);
      }
    }
  }

  @Test
  void a_run_below_a_path_of_zookeeper_leaves_that_path() throws Exception {
    try (Cluster cluster =
        TestServers.start(ZooKeeperStore.STORE, 1, directory.resolve("servers"))) {
      Endpoint server = cluster.members().get(0).endpoint();
      ask(
          server,
          ZooKeeperStore.STORE,
          keys -> {
            keys.create("app");
            keys.create("app/bench");
          });

      InProcessRun run =
          InProcessRun.ofScenario(
              directory,
              "puts",
              SCENARIO
                      .replace("{size: 16}", "{size: 64}")
                      .replace("requests: 500", "requests: 20")
                      .replace("warm-up: 50\n", "")
                  + "timeout: 60s\n",
              "--database",
              "zookeeper",
              "--endpoints",
              server + "/app/bench",
              "--run-name",
              "it");

      assertThat(run.exitCode()).as(run.output()).isZero();
      assertThat(run.output())
          .contains("below app/bench/quorate/it/ to the existing cluster")
          .contains("keys below app/bench/quorate/it/ were removed");
      ask(
          server,
          ZooKeeperStore.STORE,
          keys -> {
            assertThat(keys.get("app/bench")).isEqualTo("mine");
            keys.assertEmpty("app/bench/quorate/");
          });
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void a_path_is_refused_before_any_request_by_a_store_without_nodes() throws Exception {
    InProcessRun run =
        InProcessRun.ofScenario(
            directory, "puts", SCENARIO, "--database", "etcd", "--endpoints", "10.0.0.1:1/app");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.output())
        .contains("endpoints: found the path /app/, which etcd does not have: leave it out");
  }

  /** Takes locks with the first client, which has put keys before, and puts with the others. */
  private void removedByEachClient(Store store, Endpoint server) throws Exception {
    String ttl = store == ConsulStore.STORE ? "10s" : "4s";
    String locks =
        SCENARIO
            .replace("[etcd, zookeeper, consul]", "[" + store + "]")
            .replace("operation: put", "operation: lock")
            .replace("requests: 500", "requests: 12")
            .replace("warm-up: 50", "sessions: {ttl: " + ttl + ", hold: 10ms, crash-every: 6}")
            .replace("{size: 16}", "{size: 64, count: 2}");
    ClientKind first = store.clients().get(0);
    for (ClientKind client : store.clients()) {
      String scenario = client.equals(first) ? locks : SCENARIO;
      String option = "--" + store + "-client";
      InProcessRun run = run(scenario, store, server, "--run-name", "more", option, client.id());

      assertThat(run.exitCode()).as(run.output()).isZero();
      assertThat(run.output()).contains("keys below quorate/more/ were removed");
      ask(server, store, keys -> keys.assertEmpty("quorate/more/"));
    }
  }

  @Nightly
  @Test
  void ctrl_c_removes_the_nodes_of_zookeeper() throws Exception {
    interrupted(ZooKeeperStore.STORE);
  }

  @Test
  @RequiresDatabase("etcd")
  void ctrl_c_removes_the_keys_of_etcd() throws Exception {
    interrupted(EtcdStore.STORE);
  }

  private void interrupted(Store store) throws Exception {
    try (Cluster cluster = TestServers.start(store, 1, directory.resolve("servers"))) {
      Endpoint server = cluster.members().get(0).endpoint();
      try (QuorateProcess run = start(ENDLESS, store, server)) {
        run.awaitOutput(" ms  0 errors", LIMIT);
        // what a terminal sends on Ctrl-C
        QuorateProcess.signal("INT", Long.toString(run.handle().pid()));
        run.waitFor(LIMIT);

        assertThat(run.output()).containsSubsequence("ending early (Ctrl-C): ", " were removed");
        assertThat(state(run.onlyRun("puts"), store)).isEqualTo(ServerInfo.RunKeys.State.REMOVED);
        ask(server, store, keys -> keys.assertEmpty(prefix(run)));
      }
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void keys_are_kept_if_that_is_asked_for() throws Exception {
    Store store = EtcdStore.STORE;
    try (Cluster cluster = TestServers.start(store, 1, directory.resolve("servers"))) {
      Endpoint server = cluster.members().get(0).endpoint();
      InProcessRun run = run(SCENARIO, store, server, "--run-name", "it", "--keep-keys");

      assertThat(run.exitCode()).as(run.output()).isZero();
      assertThat(run.output())
          .contains("and keeps them")
          .contains(
              "keys below quorate/it/ were kept; remove them with: etcdctl --endpoints=http://"
                  + server
                  + " del --prefix quorate/it/");
      assertThat(state(run.onlyRun("puts"), store)).isEqualTo(ServerInfo.RunKeys.State.KEPT);
      ask(server, store, keys -> assertThat(keys.below("quorate/it/")).hasSize(500));

      InProcessRun again = run(SCENARIO, store, server, "--run-name", "it");
      assertThat(again.exitCode()).isEqualTo(1);
      assertThat(again.output())
          .contains("the servers have keys that begin with quorate/it/, perhaps of another run");
      ask(server, store, keys -> assertThat(keys.below("quorate/it/")).hasSize(500));
    }
  }

  @Test
  @Nightly // KeyRemovalTest is the smaller one
  @RequiresDatabase("etcd")
  void what_cannot_be_removed_is_said_with_the_command_that_does_it() throws Exception {
    Store store = EtcdStore.STORE;
    Cluster cluster = TestServers.start(store, 1, directory.resolve("servers"));
    try (cluster) {
      Endpoint server = cluster.members().get(0).endpoint();
      try (QuorateProcess run = start(ENDLESS, store, server)) {
        run.awaitOutput(" ms  0 errors", LIMIT);
        cluster.close();
        run.handle().destroy();
        run.waitFor(LIMIT);

        assertThat(run.output())
            .contains("etcd  the keys cannot be removed: ")
            .contains(
                "may be left; remove them with: etcdctl --endpoints=http://"
                    + server
                    + " del --prefix "
                    + prefix(run));
        assertThat(state(run.onlyRun("puts"), store)).isEqualTo(ServerInfo.RunKeys.State.LEFT);
      }
    }
  }

  @Test
  @Nightly // NothingLeftBehindIT kills one, too
  void the_keys_of_a_killed_load_generator_are_removed() throws Exception {
    for (String each : NightlyRun.stores(List.of("zookeeper", "etcd", "consul"), "zookeeper")) {
      Store store = Stores.byId(each).orElseThrow();
      try (Cluster cluster = TestServers.start(store, 1, directory.resolve(each))) {
        Endpoint server = cluster.members().get(0).endpoint();
        try (QuorateProcess run = start(ENDLESS, store, server)) {
          run.awaitOutput(" ms  0 errors", LIMIT);
          run.loadGenerator().destroyForcibly();

          assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(1);
          assertThat(run.output()).contains("keys below " + prefix(run) + " were removed");
          ask(server, store, keys -> keys.assertEmpty(prefix(run)));
        }
      }
    }
  }

  @Test
  void keys_that_are_too_short_and_compaction_are_refused() throws Exception {
    Endpoint nowhere = new Endpoint("127.0.0.1", 1);
    InProcessRun tooShort = run(SCENARIO, EtcdStore.STORE, nowhere);
    assertThat(tooShort.exitCode()).isEqualTo(1);
    assertThat(tooShort.output())
        .contains(
            "scenario puts: keys of 16 bytes are too short for an existing cluster, where all keys"
                + " of a run begin with quorate/xxxxxx/ (15 bytes) and need 3 digits. Set 'keys:"
                + " size' of the scenario to at least 18");

    String compacting =
        SCENARIO
            .replace("operation: put", "operation: compact")
            .replace("[etcd, zookeeper, consul]", "[etcd]");
    InProcessRun compact = run(compacting, EtcdStore.STORE, nowhere);
    assertThat(compact.exitCode()).isEqualTo(1);
    assertThat(compact.output())
        .contains("'compact' discards the history of all keys of the cluster");
  }

  private InProcessRun run(String scenario, Store store, Endpoint server, String... others)
      throws Exception {
    return InProcessRun.run(directory, arguments(scenario, store, server, others));
  }

  private QuorateProcess start(String scenario, Store store, Endpoint server) throws Exception {
    // a shell that runs the build in the background has its programs ignore the signal
    List<String> interruptible = List.of("env", "--default-signal=INT");
    return QuorateProcess.startBehind(
        interruptible, directory, Map.of(), arguments(scenario, store, server));
  }

  private String[] arguments(String scenario, Store store, Endpoint server, String... others)
      throws IOException {
    Files.writeString(directory.resolve("puts.yaml"), scenario);
    List<String> arguments = new ArrayList<>(List.of("run", "puts.yaml", "--results", "results"));
    arguments.addAll(List.of("--database", store.id(), "--endpoints", server.toString()));
    arguments.addAll(List.of(others));
    return arguments.toArray(String[]::new);
  }

  private static ServerInfo.RunKeys keys(Path run, Store store) {
    Path manifest = run.resolve(store.id()).resolve("manifest.json");
    return Manifest.read(manifest).store().servers().keys().orElseThrow();
  }

  private static ServerInfo.RunKeys.State state(Path run, Store store) {
    return keys(run, store).state();
  }

  private static String prefix(QuorateProcess run) {
    return run.output().replaceFirst("(?s).* below (quorate/[a-z0-9]{6}/) to .*", "$1");
  }

  private static void ask(Endpoint server, Store store, Consumer<Asked> questions) {
    try (StoreClient client = store.clients().get(0).start();
        Connection connection =
            client.open(new DriverSettings(server, LIMIT, LIMIT, io.quorate.store.Access.PLAIN))) {
      questions.accept(new Asked(connection, store));
    }
  }

  /** The keys of a cluster. */
  private record Asked(Connection connection, Store store) {
    void create(String key) {
      answer(Request.create(key.getBytes(ISO_8859_1), "mine".getBytes(ISO_8859_1)));
    }

    String get(String key) {
      Answer answer =
          answer(new Request.Get(key.getBytes(ISO_8859_1), ReadConsistency.LINEARIZABLE));
      return answer instanceof Answer.Found found ? new String(found.value(), ISO_8859_1) : "";
    }

    List<Answer.Entry> below(String prefix) {
      Answer answer =
          answer(
              new Request.Range(
                  prefix.getBytes(ISO_8859_1),
                  0,
                  ReturnedValue.KEYS,
                  ReadConsistency.LINEARIZABLE));
      return ((Answer.Entries) answer).entries();
    }

    void assertEmpty(String prefix) {
      if (!store.capabilities().range().isByPrefix()) {
        String node = prefix.replaceFirst("/$", "");
        assertThat(answer(new Request.Get(node.getBytes(ISO_8859_1), ReadConsistency.LINEARIZABLE)))
            .isEqualTo(Answer.MISSING);
      } else {
        assertThat(below(prefix)).isEmpty();
      }
    }

    private Answer answer(Request request) {
      CompletableFuture<Answer> answer = new CompletableFuture<>();
      connection.submit(
          request,
          new Completion() {
            @Override
            public void answered(Answer known) {
              answer.complete(known);
            }

            @Override
            public void failed(ErrorKind kind, String message) {
              answer.completeExceptionally(new AssertionError(kind + ": " + message));
            }
          });
      return answer.join();
    }
  }
}
