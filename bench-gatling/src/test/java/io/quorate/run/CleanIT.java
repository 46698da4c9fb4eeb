// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.load.Connector;
import io.quorate.load.workload.KeyRemoval;
import io.quorate.load.workload.RunMark;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Endpoint;
import io.quorate.store.Request;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code quorate clean} removes after a run whose processes were all killed. */
class CleanIT {
  private static final String ENDLESS =
      """
      title: Long enough to be killed
      operation: put
      requests: 10000000
      warm-up: 50
      cold-start: true
      keys: {size: 64}
      values: {size: 32}
      load: {clients: 2, max-rate: 50/s}
      databases: [etcd, zookeeper, consul]
      timeout: 60s
      """;

  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  @RequiresDatabase("etcd")
  void etcd_keeps_a_young_run_and_loses_an_old_one() throws Exception {
    cleans(EtcdStore.STORE);
  }

  @Test
  @Nightly // the one with etcd is the smaller one
  void so_does_zookeeper() throws Exception {
    cleans(ZooKeeperStore.STORE);
  }

  @Test
  @Nightly // the one with etcd is the smaller one
  @RequiresDatabase("consul")
  void so_does_consul() throws Exception {
    cleans(ConsulStore.STORE);
  }

  private void cleans(Store store) throws Exception {
    try (Cluster cluster = TestServers.start(store, 1, directory.resolve("servers"))) {
      Endpoint server = cluster.members().get(0).endpoint();
      killedRun(store, server);
      oldRun(store, cluster, server);

      InProcessRun listed = clean(store, server);
      assertThat(listed.exitCode()).as(listed.output()).isZero();
      assertThat(listed.output())
          .containsPattern("quorate/killed/ +[0-9,]+ +[0-9]+ min ago +stays: --all removes it")
          .containsPattern("quorate/old/ +2 +3 h ago +to be removed")
          .contains("nothing was removed: pass --yes");

      InProcessRun old = clean(store, server, "--yes");
      assertThat(old.output()).contains("removed quorate/old/").doesNotContain("removed quorate/k");

      InProcessRun all = clean(store, "127.0.0.1:1," + server, "--yes", "--all");
      assertThat(all.output()).as("the first member is down").contains("removed quorate/killed/");
      assertThat(clean(store, server).output()).contains("no run has left keys below quorate/");
    }
  }

  private InProcessRun clean(Store store, Endpoint server, String... more) {
    return clean(store, store == ZooKeeperStore.STORE ? "" + server : "http://" + server, more);
  }

  private InProcessRun clean(Store store, String endpoints, String... more) {
    List<String> arguments = new ArrayList<>(List.of("clean", "--database=" + store));
    arguments.add("--endpoints=" + endpoints);
    arguments.addAll(List.of(more));
    return InProcessRun.run(directory, arguments.toArray(String[]::new));
  }

  /** Runs a load until it measures, and kills the command and its load generator. */
  private void killedRun(Store store, Endpoint server) throws Exception {
    Files.writeString(directory.resolve("endless.yaml"), ENDLESS);
    try (QuorateProcess run =
        QuorateProcess.start(
            directory,
            Map.of(),
            "run",
            "endless.yaml",
            "--results=results",
            "--database=" + store,
            "--endpoints=" + server,
            "--run-name=killed",
            "--yes")) {
      run.awaitOutput(" ms  0 errors", LIMIT);
      ProcessHandle generator = run.handle().children().findFirst().orElseThrow();
      String[] pids = {"" + run.handle().pid(), "" + generator.pid()};
      // so that neither sees the end of the other
      QuorateProcess.signal("STOP", pids);
      QuorateProcess.signal("KILL", pids);
      run.waitFor(LIMIT);
    }
  }

  /** Writes what a run three hours ago would have left. */
  private static void oldRun(Store store, Cluster cluster, Endpoint server) throws Exception {
    try (StoreClient client = store.clients().get(0).start()) {
      Connector connector = new Connector(client, List.of(server), LIMIT, cluster.access());
      KeyRemoval.enter(connector, store.capabilities().range(), "quorate/old/");
      Connection open = connector.open(1, () -> false).get(0);
      for (String key : new String[] {"quorate/old/1", "quorate/old/2"}) {
        CompletableFuture<Answer> written = new CompletableFuture<>();
        open.submit(
            Request.create(key.getBytes(ISO_8859_1), new byte[] {1}), Completion.of(written));
        written.get();
      }
      open.close();
      RunMark.of("quorate/old/").write(connector, Instant.now().minus(Duration.ofMinutes(200)));
    }
  }
}
