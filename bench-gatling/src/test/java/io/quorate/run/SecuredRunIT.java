// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.NightlyRun;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.install.Installation;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.store.Login;
import io.quorate.store.Security;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulServers;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.server.Program;
import io.quorate.stores.Stores;
import io.quorate.tls.TlsFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs over TLS, and where the secrets of them are. */
class SecuredRunIT {
  private static final String SCENARIO =
      """
      title: Secured
      operation: put
      requests: 300
      warm-up: 100
      cold-start: true
      keys: {size: 32}
      values: {size: 64}
      load: {clients: 10}
      members: 1
      databases: [%s]
      timeout: 60s
      """;

  private static final Duration LIMIT = Duration.ofMinutes(5);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  @RequiresDatabase({"etcd", "consul"})
  void local_servers_of_each_store_are_measured_over_TLS_and_no_secret_is_told() throws Exception {
    List<String> stores = NightlyRun.stores(List.of("etcd", "zookeeper", "consul"), "etcd");
    Files.writeString(
        directory.resolve("local.yaml"),
        SCENARIO.formatted(String.join(", ", stores)) + "security: tls\n");
    Set<String> secrets = new TreeSet<>();
    try (QuorateProcess run =
        QuorateProcess.start(
            directory,
            Map.of("QUORATE_PASSWORD", "in-the-environment"),
            "run",
            "local.yaml",
            "--results",
            "results")) {
      QuorateProcess.await(
          () -> {
            secrets.addAll(secretsBelow(directory.resolve("results")));
            run.handle().descendants().forEach(child -> assertKnowsNoSecret(child, secrets));
            return !run.handle().isAlive();
          },
          LIMIT,
          run::output);
      assertThat(run.exitCode()).as(run.output()).isZero();
      assertThat(secrets).hasSameSizeAs(stores);
      assertThat(stores)
          .allSatisfy(
              store ->
                  assertThat(run.output())
                      .contains(
                          Stores.byId(store).orElseThrow().title()
                              + "  300 acknowledged keys verified, all correct"));
      assertNowhere(run.output(), secrets);
      Path results = only(directory.resolve("results/local"));
      assertThat(results.resolve(stores.get(0)).resolve("gatling")).doesNotExist();
      assertThat(stores)
          .allSatisfy(
              store ->
                  assertThat(secured(results, store))
                      .isEqualTo(
                          new ServerInfo.Secured(
                              "tls",
                              List.of(
                                  "certificate", store.equals("consul") ? "token" : "password"))));
      assertThat(Files.readString(results.resolve("result.json"))).contains("\"security\"");
      String table = Files.readString(results.resolve("all-aggregated.txt"));
      assertThat(stores)
          .allSatisfy(
              store ->
                  assertThat(table)
                      .containsPattern(
                          "(?i)"
                              + store
                              + ": requests were sent over TLS, clients authenticated with a"
                              + " certificate and a "
                              + (store.equals("consul") ? "token" : "password")));
    }
  }

  @Test
  @Nightly // EtcdLimitedUserIT and LoginTest are the smaller ones
  @RequiresDatabase("etcd")
  void given_servers_take_a_password_from_the_environment() throws Exception {
    givenServers(EtcdStore.STORE, false);
  }

  @Test
  @RequiresDatabase("consul")
  void given_servers_take_a_token_from_a_file() throws Exception {
    givenServers(ConsulStore.STORE, true);
  }

  private void givenServers(Store database, boolean inFile) throws Exception {
    Files.writeString(directory.resolve("given.yaml"), SCENARIO.formatted(database));
    try (Cluster cluster =
        TestServers.start(database, 1, directory.resolve("servers"), Security.TLS)) {
      TlsFiles files = cluster.access().tls().orElseThrow().files();
      Login login = cluster.access().login();
      TlsFiles.Identity own = files.identity().orElseThrow();
      List<String> arguments = new ArrayList<>();
      arguments.addAll(List.of("run", "given.yaml", "--results", "results"));
      arguments.addAll(List.of("--database", database.id()));
      arguments.addAll(List.of("--endpoints", cluster.members().get(0).endpoint().toString()));
      arguments.addAll(List.of("--tls-ca", files.authority().toString()));
      arguments.addAll(List.of("--tls-certificate", own.certificate().toString()));
      arguments.addAll(List.of("--tls-key", own.key().toString()));
      arguments.add("--keep-keys");

      if (inFile) {
        Path file = files.authority().resolveSibling("credentials");
        arguments.addAll(List.of("--credentials", file.toString()));
      } else {
        assertMistypedVariableIsRefused(arguments);
      }
      String output = inFile ? inThisProcess(arguments) : inAnother(variables(login), arguments);
      assertThat(secured(only(directory.resolve("results/given")), database.id()).security())
          .isEqualTo("tls");
      assertNowhere(output, Set.of(secret(login)));
      assertThat(afterRemoval(output, inFile ? ConsulServers.CONSUL : EtcdServers.ETCD, login))
          .contains(inFile ? "Deleted keys" : "300\n");
    }
  }

  /** Runs the command that a run printed, with the tool next to the servers' program. */
  private String afterRemoval(String run, Program tool, Login login) throws Exception {
    Matcher printed = Pattern.compile("were kept; remove them with: (.*)").matcher(run);
    assertThat(printed.find()).as(run).isTrue();
    String command =
        printed.group(1).replace("CONSUL_HTTP_TOKEN=...", "CONSUL_HTTP_TOKEN=" + secret(login));
    Path tools = Installation.of(System.getenv(), System.getProperties()).require(tool).getParent();
    ProcessBuilder shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true);
    shell.environment().put("PATH", tools + ":" + System.getenv("PATH"));
    shell.environment().put("ETCDCTL_PASSWORD", secret(login));
    Process process = shell.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(command + "\n" + output).isZero();
    return output;
  }

  private void assertMistypedVariableIsRefused(List<String> arguments) throws Exception {
    QuorateProcess mistyped =
        QuorateProcess.run(
            directory, Map.of("QUORATE_PASWORD", "hunter2"), arguments.toArray(String[]::new));

    assertThat(mistyped.exitCode()).isEqualTo(1);
    assertThat(mistyped.output())
        .contains("QUORATE_PASWORD: there is no such variable; did you mean QUORATE_PASSWORD?")
        .doesNotContain("hunter2");
  }

  private String inThisProcess(List<String> arguments) {
    InProcessRun run = InProcessRun.run(directory, arguments.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.output()).isZero();
    return run.output();
  }

  private String inAnother(Map<String, String> environment, List<String> arguments)
      throws Exception {
    QuorateProcess run =
        QuorateProcess.run(directory, environment, arguments.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.output()).isZero();
    return run.output();
  }

  private static Map<String, String> variables(Login login) {
    Login.Password known = (Login.Password) login;
    return Map.of("QUORATE_USER", known.user(), "QUORATE_PASSWORD", known.password());
  }

  private static String secret(Login login) {
    return login instanceof Login.Password password
        ? password.password()
        : ((Login.Token) login).token();
  }

  private static ServerInfo.Secured secured(Path run, String database) {
    return DatabaseRun.read(run.resolve(database))
        .manifest()
        .store()
        .servers()
        .secured()
        .orElseThrow();
  }

  private static Path only(Path parent) throws IOException {
    try (Stream<Path> children = Files.list(parent)) {
      return children.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  /** The passwords and tokens of clusters that run now. */
  private static Set<String> secretsBelow(Path results) {
    Set<String> secrets = new TreeSet<>();
    for (Path file : files(results)) {
      if (file.endsWith("keys/client/credentials")) {
        read(file)
            .lines()
            .filter(line -> line.matches("(password|token): \\S{20,}"))
            .forEach(line -> secrets.add(line.substring(line.indexOf(' ') + 1)));
      }
    }
    return secrets;
  }

  private static List<Path> files(Path directory) {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(directory)) {
      return all.toList();
    } catch (IOException | UncheckedIOException removedMeanwhile) {
      return List.of();
    }
  }

  private static void assertKnowsNoSecret(ProcessHandle process, Set<String> secrets) {
    Path known = Path.of("/proc", Long.toString(process.pid()));
    String environment = read(known.resolve("environ"));
    String command = read(known.resolve("cmdline"));
    if (command.isEmpty() || command.contains("jspawnhelper")) {
      return; // not yet the process that was started, or no longer there
    }
    assertThat(environment).as(command).doesNotContain("in-the-environment");
    for (String secret : secrets) {
      assertThat(environment).doesNotContain(secret);
      assertThat(command).doesNotContain(secret);
    }
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException ended) {
      return "";
    }
  }

  private void assertNowhere(String output, Set<String> secrets) {
    for (String secret : secrets) {
      assertThat(output).doesNotContain(secret);
      for (Path file : files(directory.resolve("results"))) {
        if (Files.isRegularFile(file)) {
          assertThat(read(file)).as(file.toString()).doesNotContain(secret);
        }
      }
    }
  }
}
