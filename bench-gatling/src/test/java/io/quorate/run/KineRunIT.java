// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.Await;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.install.Installation;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.kine.KineStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
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
      timeout: 60s
      """;

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  private Process kine;

  @AfterEach
  void stop() throws InterruptedException {
    if (kine != null) {
      kine.destroyForcibly().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @Nightly
  @Test
  @RequiresDatabase("kine")
  void the_load_of_a_Kubernetes_cluster_is_sent_verified_and_removed() throws Exception {
    Files.writeString(directory.resolve("kubernetes.yaml"), KUBERNETES);
    InProcessRun run = run("kubernetes.yaml", "--endpoints", startKine().toString());

    assertThat(run.exitCode()).as(run.output()).isZero();
    DatabaseRun result = DatabaseRun.read(run.onlyRun("kubernetes").resolve("kine"));
    assertThat(result.clients().orElseThrow().errorCount()).as(run.output()).isZero();
    assertThat(result.clients().orElseThrow().successCount()).isEqualTo(2_000);
    assertThat(result.watches().get(0).counts().lost()).as(run.output()).isZero();
    Manifest manifest = result.manifest();
    assertThat(manifest.store().servers().version()).hasValue("3.6.11 (emulated)");
    assertThat(manifest.store().tag()).isEqualTo("kine-v3.6.11-emulated");
    assertThat(manifest.verification().orElseThrow().firstFaults()).isEmpty();
    assertThat(manifest.store().servers().keys().orElseThrow().state())
        .isEqualTo(ServerInfo.RunKeys.State.REMOVED);
    assertThat(run.output()).contains(" acknowledged keys verified, all correct");
  }

  /** Their warm-up keys are removed, too, though kine deletes no key by its name. */
  @Nightly
  @Test
  @RequiresDatabase("kine")
  void puts_are_sent_verified_and_removed() throws Exception {
    Files.writeString(directory.resolve("puts.yaml"), PUTS);
    InProcessRun run = run("puts.yaml", "--endpoints", startKine().toString());

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output())
        .containsSubsequence(
            "500 acknowledged keys verified, all correct", "keys below quorate/", " were removed");
  }

  @Nightly
  @Test
  @RequiresDatabase("kine")
  void it_is_not_measured_under_the_name_of_etcd() throws Exception {
    Files.writeString(directory.resolve("puts.yaml"), PUTS.replace("[kine]", "[etcd]"));
    Endpoint endpoint = startKine();
    InProcessRun run = run("puts.yaml", "--endpoints", endpoint.toString());

    assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
    assertThat(run.output())
        .contains(
            "no etcd server answers: "
                + endpoint
                + " (it is kine: choose it with --database kine)");
  }

  @Test
  void without_endpoints_a_run_and_its_check_say_how_to_start_it() throws Exception {
    Files.writeString(directory.resolve("puts.yaml"), PUTS);
    for (InProcessRun refused : new InProcessRun[] {run("puts.yaml"), check("puts.yaml")}) {
      assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
      assertThat(refused.output().replaceAll("\\s+", " "))
          .contains("Quorate does not start kine. Start it, for example with 'CGO_ENABLED=0 go ")
          .contains("and pass its address with --endpoints HOST:PORT")
          .doesNotContain("\tat ");
    }
  }

  private Endpoint startKine() throws IOException {
    Path program =
        Installation.of(System.getenv(), System.getProperties())
            .require(TestServers.externalProgram(KineStore.STORE));
    Endpoint endpoint = new Endpoint("127.0.0.1", TestServers.freePort("127.0.0.1"));
    kine =
        new ProcessBuilder(
                program.toString(),
                "--listen-address",
                endpoint.toString(),
                "--metrics-bind-address",
                "0")
            .directory(Files.createDirectories(directory.resolve("servers")).toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("kine.log").toFile())
            .start();
    Await.until("an answer of kine", LIMIT, () -> answers(endpoint));
    return endpoint;
  }

  private static boolean answers(Endpoint endpoint) {
    try {
      return KineStore.SERVERS
          .kinds()
          .get(0)
          .protocol()
          .ask(endpoint, Access.PLAIN, Duration.ofSeconds(1))
          .ready();
    } catch (IOException notYet) {
      return false;
    }
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
