// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.DaemonThreads;
import io.quorate.cluster.ExternalCluster;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.driver.ConnectionLimit;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Servers that close each new connection at once, as at their limit for one address. */
class ConnectionLimitTest {
  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final String BUSY =
      "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 76\r\nConnection: close\r\n\r\n"
          + "Your IP is issuing too many concurrent connections, please rate limit your calls";

  /** What a server does with a new connection. */
  private interface Welcome {
    void meet(Socket client) throws IOException;
  }

  /** A server on this machine, with the connections that it keeps. */
  private record Server(ServerSocket listener, List<Socket> kept) implements AutoCloseable {
    static Server start(Welcome welcome) throws IOException {
      Server server =
          new Server(
              new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")), new ArrayList<>());
      DaemonThreads.start("server", () -> server.run(welcome));
      return server;
    }

    private void run(Welcome welcome) {
      try {
        while (true) {
          Socket client = listener.accept();
          kept.add(client);
          welcome.meet(client);
        }
      } catch (IOException closed) {
        return;
      }
    }

    Endpoint endpoint() {
      return new Endpoint("127.0.0.1", listener.getLocalPort());
    }

    @Override
    public void close() throws IOException {
      listener.close();
      for (Socket each : kept) {
        each.close();
      }
    }
  }

  private static void busy(Socket client) throws IOException {
    client.getOutputStream().write(BUSY.getBytes(US_ASCII));
    client.close();
  }

  @Test
  void only_a_server_that_closes_at_once_is_at_its_limit() throws IOException {
    assertThat(reason(Socket::close)).contains("at its limit for one address (most, 60)");
    assertThat(reason(ConnectionLimitTest::busy)).contains("at its limit");
    assertThat(reason(client -> {})).isEqualTo("silent");
    try (SilentPort nobody = new SilentPort()) {
      assertThat(new ConnectionLimit("most").orElse("silent", nobody.endpoint()))
          .isEqualTo("silent");
    }
  }

  private static String reason(Welcome welcome) throws IOException {
    try (Server server = Server.start(welcome)) {
      return new ConnectionLimit("most, 60").orElse("silent", server.endpoint());
    }
  }

  @Test
  void each_client_of_zookeeper_and_consul_names_the_setting_and_the_option() throws IOException {
    for (ClientKind kind : ZooKeeperStore.STORE.clients()) {
      assertNames(kind, Socket::close, "maxClientCnxns of ZooKeeper, 60 by default");
    }
    for (ClientKind kind : ConsulStore.STORE.clients()) {
      String setting = "limits.http_max_conns_per_client of Consul, 200 by default";
      assertNames(kind, Socket::close, setting);
      assertNames(kind, ConnectionLimitTest::busy, setting);
    }
  }

  @Test
  void the_first_question_to_a_server_names_the_setting_too() throws IOException {
    assertAsked(ZooKeeperStore.STORE, Socket::close, "maxClientCnxns of ZooKeeper");
    assertAsked(ConsulStore.STORE, ConnectionLimitTest::busy, "http_max_conns_per_client");
  }

  private static void assertAsked(Store store, Welcome welcome, String setting) throws IOException {
    try (Server full = Server.start(welcome)) {
      assertThatThrownBy(() -> ExternalCluster.of(store, List.of(full.endpoint()), Access.PLAIN))
          .hasMessageContaining("(it closes new connections at once, as at its limit")
          .hasMessageContaining(setting);
    }
  }

  private static void assertNames(ClientKind kind, Welcome welcome, String setting)
      throws IOException {
    try (Server server = Server.start(welcome);
        StoreClient client = kind.start()) {
      DriverSettings settings = new DriverSettings(server.endpoint(), LIMIT, LIMIT, Access.PLAIN);
      assertThatThrownBy(() -> client.open(settings))
          .as(kind.toString())
          .hasMessageContaining(server.endpoint().toString())
          .hasMessageContaining(setting)
          .hasMessageContaining("use fewer clients (--clients)");
    }
  }
}
