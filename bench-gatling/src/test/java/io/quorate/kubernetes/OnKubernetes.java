// SPDX-License-Identifier: Apache-2.0
package io.quorate.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.distribution.UnpackedZip;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.OperationCounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The built distribution on a real Kubernetes of one node. It takes minutes, root, and what {@code
 * kubernetes.md} names, so only {@code mvn verify -Pkubernetes} runs it.
 */
@RequiresDatabase("etcd")
class OnKubernetes {
  private static final Path MANIFESTS =
      Path.of(System.getProperty("quorate.home")).resolve("src/kubernetes");
  private static final int USER = 10_001;

  private static final String SHORT =
      """
      title: Two shards
      operation: put
      requests: 601
      warm-up: 11
      cold-start: true
      keys: {size: 32, distribution: random}
      values: {size: 32}
      load: {steps: [2, 7]}
      databases: [etcd]
      thresholds: [errors = 0, throughput >= 1/s]
      """;

  private static final String LONG =
      """
      title: Longer than this test waits
      operation: put
      duration: 600s
      warm-up: 11
      cold-start: true
      keys: {size: 32, count: 1000}
      values: {size: 32}
      load: {rates: [100/s], connections: 2}
      databases: [etcd]
      """;

  @TempDir private static Path directory;

  private static UnpackedZip zip;
  private static Path results;
  private static OneNode node;

  @TempDir private Path work;

  private RunsOnNode runs;

  @BeforeAll
  static void up() throws Exception {
    zip = UnpackedZip.in(directory);
    results = Files.createDirectory(directory.resolve("results"));
    Files.setAttribute(results, "unix:uid", USER);
    Files.writeString(directory.resolve("short.yaml"), SHORT);
    Files.writeString(directory.resolve("secured.yaml"), SHORT + "security: tls\n");
    Files.writeString(directory.resolve("long.yaml"), LONG);
    node = OneNode.up(directory.resolve("node"), zip.home());
  }

  @AfterAll
  static void down() {
    if (node != null) {
      node.close();
    }
  }

  @BeforeEach
  void runs() {
    runs = new RunsOnNode(node, zip, directory, results, work.resolve("servers"));
  }

  /** Leaves room for the Pods of the next test. */
  @AfterEach
  void removeAll() throws Exception {
    runs.close();
    String label = "app.kubernetes.io/name=quorate";
    node.kubectl("delete", "job,statefulset,service,configmap", "-l", label);
    node.kubectl("wait", "--for=delete", "--timeout=100s", "pod", "-l", label);
  }

  @ParameterizedTest
  @ValueSource(strings = {"base", "overlays/agents"})
  void the_api_server_takes_every_manifest(String path) throws Exception {
    requireAccepted("-k", MANIFESTS.resolve(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"no-shared-volume", "one-node"})
  void the_api_server_takes_rendered_manifests_with_a_component(String component) throws Exception {
    Path rendered =
        runs.render(
            component, "--scenario", "short.yaml", "--shards", "2", "--endpoints", "etcd:2379");
    requireAccepted("-f", runs.kustomize(rendered, component));
  }

  private static void requireAccepted(String option, Path manifests) throws Exception {
    assertThat(node.kubectl("apply", "--dry-run=server", option, manifests).lines())
        .hasSizeGreaterThan(3)
        .allMatch(each -> each.endsWith(" created (server dry run)"));
  }

  @Test
  void the_api_server_takes_manifests_with_all_options() throws Exception {
    String[] options = {
      "--scenario",
      "short.yaml",
      "--shards",
      "2",
      "--endpoints",
      "etcd:2379",
      "--tls-secret",
      "a",
      "--client-certificate-secret",
      "b",
      "--credentials-secret",
      "c",
      "--namespace",
      "default",
      "--storage-class",
      "nfs",
      "--storage-size",
      "1e12",
      "--ttl",
      "86400",
      "--image-pull-secret",
      "d",
      "--node-selector",
      "pool=load",
      "--node-selector",
      "example.com/rack="
    };
    assertThat(
            node.kubectl("apply", "--dry-run=server", "-f", runs.render("options", options))
                .lines())
        .hasSize(6)
        .allMatch(each -> each.endsWith(" created (server dry run)"));
  }

  @Test
  void two_load_generators_make_the_load_and_the_merge_leaves_the_page() throws Exception {
    runs.apply("whole", "short.yaml");
    node.await("end", () -> !node.outcome("whole-merge").isEmpty());
    assertThat(node.outcome("whole-merge")).as(node.logs("whole")).isEqualTo("Complete");
    assertThat(node.outcome("whole-load")).isEqualTo("Complete");
    assertThat(
            node.kubectl(
                "get",
                "pods",
                "-l",
                "app.kubernetes.io/instance=whole",
                "-o",
                "jsonpath={.items[*].status.qosClass}"))
        .isEqualTo("Guaranteed Guaranteed Guaranteed");

    Path merged = results.resolve("whole/merged");
    assertThat(merged.resolve("index.html")).content().contains("Two shards");
    assertThat(Files.getAttribute(merged.resolve("index.html"), "unix:uid")).isEqualTo(USER);
    DatabaseRun run = DatabaseRun.read(merged.resolve("etcd"));
    ClientResults clients = run.clients().orElseThrow();
    assertThat(clients.operations(1)).containsExactly(new OperationCounts("put", 0, 300, 0));
    assertThat(clients.operations(2)).containsExactly(new OperationCounts("put", 0, 301, 0));
    assertThat(run.manifest().verification().orElseThrow().readKeys()).isEqualTo(601);
    assertThat(run.manifest().shards())
        .extracting(MergedShard::succeeded)
        .containsExactly(301L, 300L);
  }

  @Test
  void secrets_are_files_that_open_secured_servers() throws Exception {
    runs.apply(
        "secured",
        "secured.yaml",
        "--tls-secret",
        "authority",
        "--client-certificate-secret",
        "client",
        "--credentials-secret",
        "login");
    node.await("end", () -> !node.outcome("secured-merge").isEmpty());
    assertThat(node.outcome("secured-merge")).as(node.logs("secured")).isEqualTo("Complete");
    assertThat(results.resolve("secured/merged/all-aggregated.txt"))
        .content()
        .containsPattern("authenticated with a certificate and\\s+a password");
  }

  @Test
  void an_agent_runs_and_measures_a_server_for_a_load_generator() throws Exception {
    createKeys();
    Files.createDirectory(directory.resolve("data"));
    String built = node.kubectl("kustomize", MANIFESTS.resolve("one-node/agents"));
    Path manifests = work.resolve("agents.yaml");
    Files.writeString(manifests, built.replace("/var/lib/quorate", directory.toString()));
    node.kubectl("apply", "-f", manifests);
    node.await("end", () -> !node.outcome("quorate-load").isEmpty());
    assertThat(node.outcome("quorate-load")).as(node.logs("quorate")).isEqualTo("Complete");
    try (Stream<Path> runs = Files.list(results.resolve("quorate/example"))) {
      DatabaseRun run = DatabaseRun.read(runs.findFirst().orElseThrow().resolve("zookeeper"));
      assertThat(run.manifest().status()).isEqualTo(RunStatus.COMPLETE);
      assertThat(run.clients().orElseThrow().successCount()).isEqualTo(200);
    }
    assertThat(node.logs("quorate")).contains("zookeeper-1 is stopped");
  }

  @Test
  void a_pod_that_is_deleted_ends_the_run_and_is_not_replaced() throws Exception {
    runs.begin("deleted");
    String pod =
        runs.pods("deleted").stream().filter(each -> each.contains("load-1")).findFirst().get();
    node.kubectl("delete", "--wait=false", pod);
    runs.requireFailed("deleted", "interrupted");
    assertThat(runs.pods("deleted")).filteredOn(each -> each.contains("load-1")).isEmpty();
  }

  @Test
  void a_pod_whose_load_generator_is_killed_ends_the_run() throws Exception {
    runs.begin("killed");
    List<ProcessHandle> generators =
        ProcessHandle.allProcesses()
            .filter(each -> commandLine(each).contains(" io.quorate.run.LoadGenerator /results/"))
            .filter(each -> commandLine(each).contains("-shard-2-of-2/plan.json "))
            .toList();
    assertThat(generators).hasSize(1);
    generators.get(0).destroyForcibly();
    runs.requireFailed("killed", "shard 2 of 2 has failed: its load generator was killed");
  }

  @Test
  void a_job_that_is_deleted_ends_its_pods_and_the_merge() throws Exception {
    runs.begin("removed");
    node.kubectl("delete", "job", "removed-load", "--wait=false");
    node.await("end of the merge", () -> node.outcome("removed-merge").equals("Failed"));
    assertThat(node.logs("removed")).contains("of 2 has failed: interrupted");
    node.await("end of Pods", () -> runs.pods("removed").size() == 1);
    assertThat(runs.statuses("removed"))
        .containsExactly(RunStatus.INTERRUPTED, RunStatus.INTERRUPTED);
  }

  private static String commandLine(ProcessHandle process) {
    try {
      Path file = Path.of("/proc", Long.toString(process.pid()), "cmdline");
      return Files.readString(file, StandardCharsets.ISO_8859_1).replace('\0', ' ');
    } catch (IOException ended) {
      return "";
    }
  }

  /** Makes keys and Secrets of them as the guide says. */
  private void createKeys() throws Exception {
    String host = "quorate-agent-%d.quorate-agent";
    Path keys = work.resolve("keys");
    List<String> hosts = Stream.of(0, 1, 2).map(host::formatted).toList();
    List<String> make = new ArrayList<>(List.of(zip.home().resolve("bin/quorate").toString()));
    make.addAll(List.of("agent", "keys", "--directory", keys.toString()));
    make.addAll(List.of("--hosts", String.join(",", hosts)));
    assertThat(zip.run(work, make.toArray(String[]::new)).exitCode()).isZero();
    String client = "--from-file=" + keys.resolve("client");
    node.kubectl("create", "secret", "generic", "quorate-client-keys", client);
    List<Object> command = new ArrayList<>();
    command.addAll(List.of("create", "secret", "generic", "quorate-agent-keys"));
    for (int i = 0; i < hosts.size(); i++) {
      for (String file : List.of("ca.crt", "agent.crt", "agent.key")) {
        String key = "agent-" + i + "." + file.replaceFirst("^agent\\.", "");
        Path path = keys.resolve("agents").resolve(hosts.get(i)).resolve(file);
        command.add("--from-file=" + key + "=" + path);
      }
    }
    node.kubectl(command.toArray());
  }
}
