// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that servers whose answers would control a terminal are shown escaped. */
class HostileServersTest {
  private static final String JSON_VERSION = "3.7.3\\u001b[2J\\u202e\\nroot#";
  private static final String ESCAPED = "3.7.3\\x1b[2J\\u202e\\nroot#";

  @Test
  void the_version_of_etcd_is_escaped() throws IOException {
    Map<String, String> answers =
        Map.of(
            "/health",
            "{\"health\": \"true\"}",
            "/v3/maintenance/status",
            "{\"version\": \"%s\", \"leader\": \"1\"}".formatted(JSON_VERSION));
    assertThat(version("etcd", answers)).isEqualTo(ESCAPED);
  }

  @Test
  void the_version_of_consul_is_escaped() throws IOException {
    Map<String, String> answers =
        Map.of(
            "/v1/agent/self",
            "{\"Config\": {\"Version\": \"%s\"}}".formatted(JSON_VERSION),
            "/v1/status/leader",
            "\"127.0.0.1:8300\"");
    assertThat(version("consul", answers)).isEqualTo(ESCAPED);
  }

  @Test
  void an_answer_that_is_no_json_is_escaped() throws IOException {
    String hostile = "\u001b]0;title\u0007\u202e\nroot#";
    assertThatThrownBy(() -> version("etcd", Map.of("/health", hostile)))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("\\x1b]0;title\\a\\u202e\\nroot#")
        .satisfies(failure -> assertVisible(failure.getMessage()));
  }

  @Test
  void the_version_of_zookeeper_is_escaped() throws Exception {
    String answer = "Zookeeper version: 3.9\u001b[2J\u202e-1\nMode: \u001b[31mfollower\n";
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread answering = new Thread(() -> answer(server, answer), "hostile-zookeeper");
      answering.setDaemon(true);
      answering.start();
      Cluster cluster = cluster("zookeeper", server.getLocalPort());
      assertThat(cluster.version()).isEqualTo("3.9\\x1b[2J\\u202e");
    }
  }

  private static String version(String store, Map<String, String> answers) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    answers.forEach(
        (path, body) ->
            server.createContext(
                path,
                exchange -> {
                  byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                  exchange.sendResponseHeaders(200, bytes.length);
                  exchange.getResponseBody().write(bytes);
                  exchange.close();
                }));
    server.start();
    try {
      return cluster(store, server.getAddress().getPort()).version();
    } finally {
      server.stop(0);
    }
  }

  private static Cluster cluster(String store, int port) {
    return ExternalCluster.ofServers(
        Stores.byId(store).orElseThrow(),
        List.of(List.of(new Endpoint("127.0.0.1", port))),
        Access.PLAIN);
  }

  private static void answer(ServerSocket server, String answer) {
    while (true) {
      try (Socket client = server.accept();
          OutputStream out = client.getOutputStream()) {
        client.getInputStream().readNBytes("srvr".length());
        out.write(answer.getBytes(StandardCharsets.UTF_8));
      } catch (IOException closed) {
        if (server.isClosed()) {
          return;
        }
      }
    }
  }

  private static void assertVisible(String text) {
    assertThat(text.codePoints()).allMatch(VisibleText::isVisible);
  }
}
