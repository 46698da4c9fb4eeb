// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.measure.EventCounts;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.store.Endpoint;
import io.quorate.store.kine.KineStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on kine with a database of SQLite, which speaks etcd's protocol for Kubernetes. */
class KineRunIT {
  private static final String KUBERNETES =
      """
      title: Kubernetes in small
      mix: {optimistic-update: 700, optimistic-create: 50, optimistic-delete: 40, get: 200, range: 10}
      range: {keys: 100, page: 30}
      objects: {count: 50}
      leases: {count: 2, ttl: 1h}
      requests: 2_000
      warm-up: 200
      cold-start: true
      keys: {size: 60, count: 300}
      values: {sizes: {1KiB: 90, 4KiB: 10}}
      watch: {watchers: 2, streams: 2}
      load: {clients: 5}
      databases: [kine]
      members: 1
      timeout: 60s
      """;

  private static final String PUTS =
      """
      title: Puts
      operation: put
      requests: 500
      warm-up: 50
      cold-start: true
      keys: {size: 60}
      values: {size: 256}
      load: {clients: 5}
      databases: [kine]
      members: 1
      timeout: 60s
      """;

  /** Each of 10 watches starts again five times. */
  private static final String CHURN =
      """
      title: Watches that start again
      mix: {optimistic-update: 9, get: 1}
      duration: 10s
      warm-up: 10
      cold-start: true
      keys: {size: 64, count: 50, distribution: uniform}
      values: {size: 64}
      watch: {watchers: 10, streams: 10, prev-kv: true, progress-notify: true, progress: 50ms, restart: 2s}
      load: {rate: 50/s, connections: 2}
      databases: [kine]
      members: 1
      timeout: 60s
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Nightly
  @Test
  @RequiresDatabase("kine")
  void the_load_of_a_Kubernetes_cluster_is_sent_verified_and_removed() throws Exception {
    Files.writeString(directory.resolve("kubernetes.yaml"), KUBERNETES);
    InProcessRun run = run("kubernetes.yaml");

    assertThat(run.exitCode()).as(run.output()).isZero();
    DatabaseRun result = DatabaseRun.read(run.onlyRun("kubernetes").resolve("kine"));
    assertThat(result.clients().orElseThrow().errorCount()).as(run.output()).isZero();
    assertThat(result.clients().orElseThrow().successCount()).isEqualTo(2_000);
    assertThat(result.watches().get(0).counts().lost()).as(run.output()).isZero();
    Manifest manifest = result.manifest();
    assertThat(manifest.store().servers().version()).hasValue("3.6.11 (emulated)");
    assertThat(manifest.store().tag()).isEqualTo("kine-v3.6.11-emulated");
    assertThat(manifest.verification().orElseThrow().firstFaults()).isEmpty();
    assertThat(run.output()).contains(" acknowledged keys verified, all correct");
  }

  @Nightly
  @Test
  @RequiresDatabase("kine")
  void watches_that_start_again_and_request_progress_lose_no_event() throws Exception {
    Files.writeString(directory.resolve("churn.yaml"), CHURN);
    InProcessRun run = run("churn.yaml");

    assertThat(run.exitCode()).as(run.output()).isZero();
    EventCounts events =
        DatabaseRun.read(run.onlyRun("churn").resolve("kine")).watches().get(0).counts();
    assertThat(events.expected()).isPositive();
    assertThat(events.delivered()).isEqualTo(events.expected());
    assertThat(events.lost()).isZero();
    assertThat(events.duplicated()).isZero();
    assertThat(events.reordered()).isZero();
    assertThat(events.interruptions()).isZero();
  }

  /** Their warm-up keys are removed, too, though kine deletes no key by its name. */
  @Nightly
  @Test
  @RequiresDatabase("kine")
  void puts_are_sent_verified_and_removed() throws Exception {
    Files.writeString(directory.resolve("puts.yaml"), PUTS);
    try (Cluster kine = TestServers.start(KineStore.STORE, 1, directory.resolve("servers"))) {
      InProcessRun run = run("puts.yaml", "--endpoints", endpoint(kine).toString());

      assertThat(run.exitCode()).as(run.output()).isZero();
      assertThat(run.output())
          .containsSubsequence(
              "500 acknowledged keys verified, all correct",
              "keys below quorate/",
              " were removed");
      assertThat(manifest(run, "puts").store().servers().keys().orElseThrow().state())
          .isEqualTo(ServerInfo.RunKeys.State.REMOVED);
    }
  }

  @Nightly
  @Test
  @RequiresDatabase("kine")
  void it_is_not_measured_under_the_name_of_etcd() throws Exception {
    Files.writeString(directory.resolve("puts.yaml"), PUTS.replace("[kine]", "[etcd]"));
    try (Cluster kine = TestServers.start(KineStore.STORE, 1, directory.resolve("servers"))) {
      InProcessRun run = run("puts.yaml", "--endpoints", endpoint(kine).toString());

      assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
      assertThat(run.output())
          .contains(
              "no etcd server answers: "
                  + endpoint(kine)
                  + " (it is kine: choose it with --database kine)");
    }
  }

  @Nightly
  @Test
  @RequiresDatabase("kine")
  void it_speaks_TLS() throws Exception {
    Files.writeString(directory.resolve("puts.yaml"), PUTS + "security: tls\n");
    InProcessRun run = run("puts.yaml");

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).contains("500 acknowledged keys verified, all correct");
  }

  @Test
  @RequiresDatabase("kine")
  void it_has_one_member() throws Exception {
    Files.writeString(directory.resolve("puts.yaml"), PUTS.replace("members: 1", "members: 3"));
    for (InProcessRun refused : new InProcessRun[] {run("puts.yaml"), check("puts.yaml")}) {
      assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
      assertThat(refused.output()).contains("kine has one member here");
    }
  }

  private static Endpoint endpoint(Cluster kine) {
    return kine.members().get(0).endpoint();
  }

  private static Manifest manifest(InProcessRun run, String scenario) throws Exception {
    return DatabaseRun.read(run.onlyRun(scenario).resolve("kine")).manifest();
  }

  private InProcessRun check(String scenario) throws Exception {
    return InProcessRun.run(directory, "check", scenario);
  }

  private InProcessRun run(String scenario, String... more) throws Exception {
    String[] arguments = new String[more.length + 4];
    arguments[0] = "run";
    arguments[1] = scenario;
    arguments[2] = "--results";
    arguments[3] = "results";
    System.arraycopy(more, 0, arguments, 4, more.length);
    return InProcessRun.run(directory, arguments);
  }
}
