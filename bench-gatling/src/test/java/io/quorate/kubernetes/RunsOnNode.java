// SPDX-License-Identifier: Apache-2.0
package io.quorate.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.Cluster;
import io.quorate.cluster.TestServers;
import io.quorate.distribution.UnpackedZip;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.RunStatus;
import io.quorate.store.Security;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs of two load generators on Kubernetes against an etcd on this machine, which it starts. */
final class RunsOnNode implements AutoCloseable {
  private final OneNode node;
  private final UnpackedZip zip;
  private final Path directory;
  private final Path results;
  private final Path data;

  /** Empty as long as no run made load. */
  private Optional<Cluster> servers = Optional.empty();

  /**
   * @param zip whose {@code quorate} renders the manifests
   * @param directory of scenarios, and for manifests
   * @param results directory that the Pods see
   * @param data directory of the servers, which is missing yet
   */
  RunsOnNode(OneNode node, UnpackedZip zip, Path directory, Path results, Path data) {
    this.node = node;
    this.zip = zip;
    this.directory = directory;
    this.results = results;
    this.data = data;
  }

  /** Returns a file with what {@code quorate kubernetes render} prints. */
  Path render(String name, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(zip.home().resolve("bin/quorate").toString());
    command.addAll(List.of("kubernetes", "render", "--name", name));
    command.addAll(List.of(options));
    UnpackedZip.Ended rendered = zip.run(directory, command.toArray(String[]::new));
    assertThat(rendered.exitCode()).as(rendered.output()).isZero();
    return Files.writeString(directory.resolve(name + ".yaml"), rendered.output());
  }

  /**
   * Returns a file with what kubectl builds of rendered manifests and a component, with results in
   * the directory that the Pods see.
   */
  Path kustomize(Path rendered, String component) throws Exception {
    Path own = Files.createDirectory(Path.of(rendered + ".d"));
    Files.copy(rendered, own.resolve("run.yaml"));
    Path components = zip.home().resolve("src/kubernetes/components");
    Files.writeString(
        own.resolve("kustomization.yaml"),
        "resources: [run.yaml]\ncomponents: [\"%s\"]\n"
            .formatted(own.toRealPath().relativize(components.toRealPath().resolve(component))));
    String built = node.kubectl("kustomize", own);
    return Files.writeString(
        own.resolve("built.yaml"), built.replace("/var/lib/quorate/results", results.toString()));
  }

  /**
   * Starts the server and two load generators.
   *
   * @param secrets options that name Secrets; if there are any, the server is secured
   */
  void apply(String name, String scenario, String... secrets) throws Exception {
    Security security = secrets.length == 0 ? Security.NONE : Security.TLS;
    Cluster started = TestServers.start(EtcdStore.STORE, 1, data, security);
    servers = Optional.of(started);
    if (security == Security.TLS) {
      createSecrets(started.access().tls().orElseThrow().files());
    }
    List<String> options = new ArrayList<>(List.of("--scenario", scenario, "--shards", "2"));
    options.addAll(List.of("--endpoints", started.members().get(0).endpoint().toString()));
    options.addAll(List.of("--image", OneNode.IMAGE, "--cpus", "800m", "--memory", "1Gi"));
    options.addAll(List.of(secrets));
    Path rendered = render(name, options.toArray(String[]::new));
    node.kubectl("apply", "-f", kustomize(rendered, "one-node"));
  }

  private void createSecrets(TlsFiles files) throws Exception {
    TlsFiles.Identity own = files.identity().orElseThrow();
    secret("authority", "ca.crt", files.authority());
    node.kubectl(
        "create", "secret", "tls", "client", "--cert=" + own.certificate(), "--key=" + own.key());
    secret("login", "credentials", files.authority().resolveSibling("credentials"));
  }

  private void secret(String name, String key, Path file) throws Exception {
    node.kubectl("create", "secret", "generic", name, "--from-file=" + key + "=" + file);
  }

  /** Starts two load generators, and returns when they measure. */
  void begin(String name) throws Exception {
    apply(name, "long.yaml");
    node.await(
        "beginning",
        () -> {
          String logs = node.logs(name);
          return Stream.of(0, 1)
              .allMatch(
                  each ->
                      logs.lines()
                          .anyMatch(
                              line ->
                                  line.contains(name + "-load-" + each)
                                      && line.contains("step 1 began")));
        });
  }

  /** Waits for the end of a run, which has to be that of one that failed. */
  void requireFailed(String name, String reason) throws Exception {
    node.await("end of the load", () -> node.outcome(name + "-load").equals("Failed"));
    node.await("end of the merge", () -> node.outcome(name + "-merge").equals("Failed"));
    assertThat(node.logs(name)).contains(reason).contains("nothing was merged");
    assertThat(results.resolve(name).resolve("merged")).doesNotExist();
    assertThat(statuses(name)).hasSize(2).doesNotContain(RunStatus.COMPLETE);
  }

  /** Returns what became of each load generator of the scenario {@code long}. */
  List<RunStatus> statuses(String name) throws IOException {
    List<RunStatus> statuses = new ArrayList<>();
    try (Stream<Path> runs = Files.list(results.resolve(name).resolve("long"))) {
      for (Path run : runs.toList()) {
        statuses.add(DatabaseRun.read(run.resolve("etcd")).manifest().status());
      }
    }
    return statuses;
  }

  /** Returns the Pods of a run that are there. */
  Set<String> pods(String name) {
    try {
      return node.kubectl("get", "pods", "-l", "app.kubernetes.io/instance=" + name, "-o", "name")
          .lines()
          .filter(each -> each.startsWith("pod/"))
          .collect(Collectors.toSet());
    } catch (IOException | InterruptedException failure) {
      throw new AssertionError(failure);
    }
  }

  @Override
  public void close() {
    servers.ifPresent(Cluster::close);
  }
}
