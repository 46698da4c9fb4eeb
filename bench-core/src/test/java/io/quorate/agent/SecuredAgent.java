// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.quorate.agent.server.AgentServer;
import io.quorate.agent.wire.Plan;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An agent with keys, those of others, and clients that misbehave. */
public abstract class SecuredAgent {
  static final Duration SOON = Duration.ofSeconds(60);

  /** Silence limit of the agent. It is long because RawClient sends no heartbeats. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  static final String HOST = "127.0.0.1";

  @TempDir static Path sets;
  static Path ours;
  static Path others;
  static Path expired;

  @TempDir Path directory;
  final Queue<String> console = new ConcurrentLinkedQueue<>();
  AgentServer agent;

  @BeforeAll
  static void makeKeys() throws IOException {
    ours = keys("ours", Instant.now());
    others = keys("others", Instant.now());
    expired = keys("expired", Instant.now().minus(Duration.ofDays(10)));
    // so that ours knows who made the expired ones
    Files.writeString(
        ours.resolve("agents/127.0.0.1/ca.crt"),
        Files.readString(ours.resolve("client/ca.crt"))
            + Files.readString(expired.resolve("client/ca.crt")));
  }

  static Path keys(String name, Instant now) {
    KeyDirectory.make(sets.resolve(name), List.of(HOST), now, Duration.ofDays(9));
    return sets.resolve(name);
  }

  @BeforeEach
  void start() {
    agent = start(Optional.of(new KeyDirectory(ours.resolve("agents/127.0.0.1"))), PATIENCE);
  }

  AgentServer start(Optional<KeyDirectory> keys, Duration silenceLimit) {
    Path data = directory.resolve("agent-" + keys.isPresent() + silenceLimit.toMillis());
    return TestAgents.start(HOST, data, keys, Clock.systemUTC(), silenceLimit, console);
  }

  @AfterEach
  void stop() {
    agent.close();
  }

  static Optional<KeyDirectory> client() {
    return Optional.of(new KeyDirectory(ours.resolve("client")));
  }

  static AgentConnection open(AgentServer agent, Optional<KeyDirectory> keys) {
    return AgentConnection.open(agent.address(), keys, RawClient.hello().build());
  }

  public void assertServes() {
    assertServes(agent, client());
  }

  /** Holds it, and has a member planned. */
  public static void assertServes(AgentServer agent, Optional<KeyDirectory> keys) {
    try (AgentConnection connection = open(agent, keys)) {
      Reply reply =
          connection.await(
              connection.ask(Request.newBuilder().setPlan(plan("zookeeper")).build()),
              SOON,
              "does not plan");
      assertThat(reply.getPlanned().getAddress().getPortsList()).hasSize(3);
    }
  }

  public static Plan plan(String store) {
    return Plan.newBuilder().setStore(store).setIndex(1).setMembers(1).build();
  }

  static SslContext tls(Path trusted, Optional<Path> own, String name) throws IOException {
    SslContextBuilder builder =
        SslContextBuilder.forClient().trustManager(trusted.resolve("ca.crt").toFile());
    own.ifPresent(
        keys ->
            builder.keyManager(
                keys.resolve(name + ".crt").toFile(), keys.resolve(name + ".key").toFile()));
    return GrpcSslContexts.configure(builder, SslProvider.JDK).build();
  }

  String refusal(Optional<SslContext> tls) throws Exception {
    try (RawClient client = new RawClient(agent.address(), tls)) {
      client.send(Request.newBuilder().setHello(RawClient.hello()));
      return client.problem();
    }
  }

  RawClient trusted() throws IOException {
    return new RawClient(
        agent.address(),
        Optional.of(tls(ours.resolve("client"), Optional.of(ours.resolve("client")), "client")));
  }

  RawClient holding() throws IOException, InterruptedException {
    RawClient client = trusted();
    client.send(Request.newBuilder().setHello(RawClient.hello()));
    assertThat(client.next().hasWelcome()).isTrue();
    return client;
  }
}
