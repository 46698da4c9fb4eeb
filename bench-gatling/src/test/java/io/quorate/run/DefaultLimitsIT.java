// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.load.Connector;
import io.quorate.store.Access;
import io.quorate.store.Connection;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on servers with the stores' own limits of connections per address. */
@Nightly // FewConnectionsTest, ConnectionLimitTest and NothingLeftBehindIT are the smaller ones
class DefaultLimitsIT {
  private static final String SCENARIO =
      """
      title: Some puts
      cold-start: true
      operation: put
      requests: 2000
      warm-up: 50
      keys: {size: 32}
      values: {size: 32}
      load: {clients: %d}
      databases: [zookeeper, consul]
      """;

  /** Connections that others leave: those of clients for HTTP of earlier runs stay open, too. */
  private static final int LEFT = 20;

  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void zookeeper_is_verified_and_left_clean_with_60_connections_for_an_address() throws Exception {
    limited(ZooKeeperStore.STORE, "maxClientCnxns", 60, 80);
  }

  @Test
  @RequiresDatabase("consul")
  void consul_is_verified_and_left_clean_with_200_connections_for_an_address() throws Exception {
    limited(ConsulStore.STORE, "http_max_conns_per_client", 200, 250);
  }

  private void limited(Store store, String setting, int limit, int tooMany) throws Exception {
    Map<String, Long> settings = Map.of(setting, (long) limit);
    try (Cluster cluster = TestServers.start(store, 1, directory.resolve("servers"), settings)) {
      Endpoint server = cluster.members().get(0).endpoint();
      assertThatAllIsDone(run(store, server, 2, "alone"));
      assertThatAllIsDone(run(store, server, limit / 2, "many"));

      String reason =
          "(?s).*"
              + setting
              + " of [^,]*, "
              + limit
              + " by default\\): raise the limit, or use fewer clients \\(--clients\\); \\d+ of "
              + (tooMany - 1)
              + " connections were open.*";
      InProcessRun refused = run(store, server, tooMany, "refused");
      // on a busy machine the server may have dropped sessions, and then accepts another one
      for (int i = 0; i < 3 && !refused.output().matches(reason); i++) {
        refused = run(store, server, tooMany, "again" + i);
      }
      assertThat(refused.output()).matches(reason);
      assertThat(refused.exitCode()).isEqualTo(1);

      try (StoreClient others = store.clients().get(0).start()) {
        List<Connection> open =
            new Connector(others, List.of(server), LIMIT, Access.PLAIN)
                .open(limit - LEFT, () -> false);
        assertThatAllIsDone(run(store, server, 2, "few"));
        open.forEach(Connection::close);
      }
    }
  }

  private static void assertThatAllIsDone(InProcessRun run) {
    assertThat(run.output())
        .contains("2,000 acknowledged keys verified, all correct", " were removed")
        .doesNotContain("incomplete");
    assertThat(run.exitCode()).as(run.output()).isZero();
  }

  private InProcessRun run(Store store, Endpoint server, int clients, String name)
      throws Exception {
    Files.writeString(directory.resolve("puts.yaml"), SCENARIO.formatted(clients));
    List<String> arguments = new ArrayList<>(List.of("run", "puts.yaml", "--results", "results"));
    arguments.addAll(List.of("--database", store.id(), "--endpoints", server.toString()));
    arguments.addAll(List.of("--run-name", name));
    return InProcessRun.run(directory, arguments.toArray(String[]::new));
  }
}
