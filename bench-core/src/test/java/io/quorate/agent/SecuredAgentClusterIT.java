// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.Nightly;
import io.quorate.QuorateException;
import io.quorate.agent.server.AgentServer;
import io.quorate.cluster.Await;
import io.quorate.cluster.ExternalCluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.host.HostRecording;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.hosts.HostFiles;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Security;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters that speak TLS and are run by agents, whose members keep their keys. */
class SecuredAgentClusterIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path directory;
  private final Queue<String> console = new ConcurrentLinkedQueue<>();
  private final List<AgentServer> agents = new ArrayList<>();

  @AfterEach
  void stopAgents() {
    agents.forEach(AgentServer::close);
  }

  @Test
  @Nightly // members of Consul do below
  @RequiresDatabase("etcd")
  void members_of_etcd_speak_TLS() throws IOException {
    assertSecured(EtcdStore.STORE, 3);
  }

  @Nightly
  @Test
  void members_of_zookeeper_speak_TLS() throws IOException {
    assertSecured(ZooKeeperStore.STORE, 3);
  }

  @Test
  @RequiresDatabase("consul")
  void members_of_consul_speak_TLS() throws IOException {
    assertSecured(ConsulStore.STORE, 3);
  }

  private void assertSecured(Store database, int members) throws IOException {
    List<String> hosts = Stream.of(1, 2, 3).limit(members).map(i -> "127.0.0." + i).toList();
    Path keys = directory.resolve("agent-keys");
    KeyDirectory.make(keys, hosts, Instant.now(), Duration.ofDays(1));
    for (String host : hosts) {
      Optional<KeyDirectory> own =
          Optional.of(new KeyDirectory(keys.resolve("agents").resolve(host)));
      agents.add(
          TestAgents.start(
              host,
              directory.resolve("agent-" + host),
              own,
              Clock.systemUTC(),
              Protocol.SILENCE_LIMIT,
              console));
    }
    DatabaseDirectory results =
        new DatabaseDirectory(Files.createDirectories(directory.resolve("results")));
    List<String> secrets;
    try (AgentCluster cluster = start(database, results, keys)) {
      assertOnlyItsOwnGetIn(cluster);
      assertKeysStayWhereTheyAre(results, hosts);
      assertMeasured(cluster, results);
      secrets = secrets(cluster.access().login(), results);
    }
    Await.until(
        "agents are free", LIMIT, () -> console.stream().filter("free again"::equals).count() == 3);
    assertThat(results.path().resolve("data")).doesNotExist();
    for (String host : hosts) {
      assertThat(files(directory.resolve("agent-" + host).resolve("runs"))).isEmpty();
    }
    assertThat(secrets).isNotEmpty();
    for (String secret : secrets) {
      assertThat(console).noneMatch(line -> line.contains(secret));
      assertThat(files(results.path())).noneMatch(file -> read(file).contains(secret));
    }
  }

  private AgentCluster start(Store database, DatabaseDirectory results, Path keys) {
    return AgentCluster.start(
        database,
        ServerSettings.NONE,
        Security.TLS,
        agents.stream().map(AgentServer::address).toList(),
        Optional.of(new KeyDirectory(keys.resolve("client"))),
        "run-1",
        results);
  }

  private static void assertOnlyItsOwnGetIn(AgentCluster cluster) {
    Store database = cluster.database();
    List<Endpoint> last = List.of(cluster.members().get(2).endpoint());
    Await.until("there is a leader", LIMIT, () -> cluster.leader().isPresent());
    assertThat(cluster.access().security()).isEqualTo(Security.TLS);
    assertThat(ExternalCluster.of(database, last, cluster.access()).version())
        .isEqualTo(cluster.version())
        .isNotEmpty();
    assertThatThrownBy(() -> ExternalCluster.of(database, last, Access.PLAIN))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("it speaks TLS: name the certificate of its authority");
    Access nobody = Access.over(cluster.access().tls().orElseThrow(), Login.NONE);
    if (database != ZooKeeperStore.STORE) {
      assertThatThrownBy(() -> ExternalCluster.of(database, last, nobody))
          .isInstanceOf(QuorateException.class)
          .hasMessageContaining("it accepts only ");
    }
  }

  private void assertKeysStayWhereTheyAre(DatabaseDirectory results, List<String> hosts)
      throws IOException {
    assertThat(withKeys(results.path()))
        .extracting(file -> results.path().relativize(file).toString())
        .containsExactly("data/keys/client/client.key");
    for (String host : hosts) {
      List<Path> keys = withKeys(directory.resolve("agent-" + host));
      assertThat(keys).isNotEmpty();
      for (Path key : keys) {
        assertThat(Files.getPosixFilePermissions(key)).hasSize(2);
        assertThat(key.toString()).contains("/data/keys/");
      }
    }
  }

  private static void assertMeasured(AgentCluster cluster, DatabaseDirectory results) {
    try (HostRecording recording =
        HostRecording.start(
            cluster.database(),
            cluster.members(),
            () -> 1,
            results,
            new HostRecording.Scope(Optional.of(cluster.metrics()), Optional.empty(), 1, 1),
            Access.PLAIN,
            Clock.systemUTC())) {
      Path internals = new HostFiles(results).internals();
      Await.until(
          "each member has said how it is",
          LIMIT,
          () ->
              cluster.members().stream()
                  .allMatch(member -> read(internals).contains("," + member.index() + ",")));
      assertThat(AgentClusters.remarks(recording)).isEmpty();
    }
  }

  private static List<String> secrets(Login login, DatabaseDirectory results) throws IOException {
    List<String> secrets = new ArrayList<>();
    if (login instanceof Login.Password known) {
      secrets.add(known.password());
    } else if (login instanceof Login.Token known) {
      secrets.add(known.token());
    }
    String key = Files.readString(results.path().resolve("data/keys/client/client.key"));
    secrets.add(key.lines().skip(1).findFirst().orElseThrow());
    return secrets;
  }

  private static List<Path> withKeys(Path directory) throws IOException {
    return files(directory).stream().filter(file -> read(file).contains("PRIVATE KEY")).toList();
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.exists(file)
          ? new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
          : "";
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void secrets_are_not_sent_to_other_machines_in_plain_text() {
    List<Endpoint> elsewhere =
        List.of(
            new Endpoint("127.0.0.1", 1), new Endpoint("10.0.0.1", 1), new Endpoint("db1", 7300));
    DatabaseDirectory results = new DatabaseDirectory(directory);
    assertThatThrownBy(
            () ->
                AgentCluster.start(
                    EtcdStore.STORE,
                    ServerSettings.NONE,
                    Security.TLS,
                    elsewhere,
                    Optional.empty(),
                    "run-1",
                    results))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            agent 10.0.0.1:1: %1$s
            agent db1:7300: %1$s\
            """
                .formatted(
                    "security: tls needs agent keys, because secrets are only sent over "
                        + "encrypted connections. Pass the load generator's keys (--agent-keys "
                        + "DIR/client)"));
  }
}
