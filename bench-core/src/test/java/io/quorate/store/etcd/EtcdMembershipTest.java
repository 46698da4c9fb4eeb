// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.ServerSettings;
import io.quorate.store.server.MemberAddress;
import io.quorate.store.server.ServerPlan;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers of etcd to a member that is to be added. */
final class EtcdMembershipTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final String UNHEALTHY =
      "{\"code\":14, \"message\":\"etcdserver: unhealthy cluster\"}";
  private static final String UNSTARTED =
      "{\"code\":9, \"message\":\"etcdserver: re-configuration failed due to not enough started"
          + " members\"}";

  private final Deque<String> refusals = new ArrayDeque<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v3/cluster/member/add", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    boolean isRefused = !refusals.isEmpty();
    byte[] body = (isRefused ? refusals.poll() : "{}").getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(isRefused ? 503 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private void admit() throws IOException {
    Endpoint member = new Endpoint("127.0.0.1", server.getAddress().getPort());
    ServerPlan joining =
        new ServerPlan(
            Stores.servers(EtcdStore.STORE).kinds().get(0),
            4,
            new MemberAddress("127.0.0.1", List.of(1, 2)),
            Path.of("data"),
            Path.of("log"),
            Optional.empty(),
            ServerSettings.NONE,
            Optional.empty(),
            "127.0.0.1",
            "127.0.0.1",
            false);
    new EtcdMembership().admit(member, joining, Access.PLAIN, LIMIT);
  }

  @Test
  void a_cluster_whose_members_have_just_connected_is_asked_again() throws IOException {
    refusals.addAll(List.of(UNHEALTHY, UNHEALTHY));
    admit();
    assertThat(refusals).isEmpty();
  }

  @Test
  void another_refusal_is_final() {
    refusals.addAll(List.of(UNSTARTED, UNSTARTED));
    assertThatThrownBy(this::admit)
        .isInstanceOf(IOException.class)
        .hasMessage(
            "answers to /v3/cluster/member/add: HTTP status 503: "
                + UNSTARTED.replace("\\\"", "\""));
    assertThat(refusals).hasSize(1);
  }
}
