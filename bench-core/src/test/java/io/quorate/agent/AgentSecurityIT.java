// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.quorate.QuorateException;
import io.quorate.agent.server.AgentServer;
import io.quorate.agent.wire.Address;
import io.quorate.agent.wire.AgentGrpc;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.agent.wire.Setting;
import io.quorate.agent.wire.Slice;
import io.quorate.agent.wire.Start;
import io.quorate.agent.wire.Welcome;
import io.quorate.cluster.Await;
import io.quorate.store.Endpoint;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whoever is refused is told why, and the agent continues. */
final class AgentSecurityIT extends SecuredAgent {
  @ParameterizedTest
  @CsvSource({
    "100000, found a message of 100025 bytes",
    "2000000, it takes no message as large as ours"
  })
  void an_oversized_message_is_refused(int characters, String why) throws Exception {
    try (RawClient client = holding()) {
      client.send(Request.newBuilder().setHello(RawClient.hello().setRun("a".repeat(characters))));
      assertThat(client.problem()).contains(why);
    }
    Await.until(
        "it is free again",
        SOON,
        () -> console.stream().anyMatch(line -> line.startsWith("free again")));
    assertServes();
  }

  @Test
  void a_run_whose_name_is_a_path_or_worse_is_refused() throws Exception {
    for (String run :
        List.of(
            "../../up",
            "..",
            "/etc",
            "a/b",
            "a\\b",
            "a\nb",
            "",
            ".hidden",
            "a\u202Eb",
            "a\u0000")) {
      try (RawClient client = trusted()) {
        client.send(Request.newBuilder().setHello(RawClient.hello().setRun(run)));
        assertThat(client.problem())
            .as(run)
            .contains("expected a name of letters, digits, '.', '_' and '-' that is not a path");
      }
    }
    try (Stream<Path> all = Files.walk(directory)) {
      assertThat(all.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder(
              directory.getFileName().toString(), "agent-true300000", "agent.lock", "runs");
    }
    Await.until("it is free again", SOON, this::isFree);
    assertServes();
  }

  private boolean isFree() {
    return isFree(this::trusted);
  }

  private static boolean isFree(Callable<RawClient> connecting) {
    try (RawClient client = connecting.call()) {
      client.send(Request.newBuilder().setHello(RawClient.hello()));
      boolean welcome = client.next().hasWelcome();
      client.halfClose();
      client.end(); // the agent has no holder any more
      return welcome;
    } catch (Exception | AssertionError held) {
      return false;
    }
  }

  @Test
  void an_unknown_database_is_refused() throws Exception {
    try (RawClient client = holding()) {
      for (String store : List.of("", "nosuch", "memory", "ETCD", "../etcd")) {
        client.send(Request.newBuilder().setPlan(plan(store)));
        assertThat(client.next().getFailed().getReason())
            .isEqualTo("found the database " + store + ", which this agent does not know");
      }
      client.send(Request.newBuilder().setPlan(plan("zookeeper")));
      assertThat(client.next().hasPlanned()).isTrue();
    }
  }

  @Test
  void addresses_of_members_cannot_smuggle_in_settings() throws Exception {
    try (RawClient client = holding()) {
      client.send(Request.newBuilder().setPlan(plan("zookeeper")));
      assertThat(client.next().hasPlanned()).isTrue();
      client.send(
          Request.newBuilder()
              .setStart(
                  Start.newBuilder()
                      .addMembers(
                          Address.newBuilder()
                              .setHost("127.0.0.1\nadmin.enableServer=true")
                              .addPorts(1))));
      assertThat(client.next().getFailed().getReason())
          .isEqualTo(
              "found the host 127.0.0.1\\nadmin.enableServer=true, expected an IPv4 address");
    }
    assertServes();
  }

  @Test
  void a_second_load_generator_is_told_who_holds_the_agent() throws Exception {
    try (RawClient first = holding()) {
      assertThatThrownBy(() -> open(agent, client()))
          .isInstanceOf(QuorateException.class)
          .hasMessageMatching(
              "agent 127\\.0\\.0\\.1:\\d+: load generator a test \\(127\\.0\\.0\\.1\\) for the run"
                  + " run-1 holds the agent since 20\\S+Z: wait until it has ended, or use other"
                  + " agents");
      first.send(Request.newBuilder().setPlan(plan("zookeeper")));
      assertThat(first.next().hasPlanned()).isTrue();
    }
    Await.until("it is free again", SOON, this::isFree);
    assertServes();
  }

  @Test
  void settings_that_the_store_does_not_declare_are_refused() throws Exception {
    try (RawClient client = holding()) {
      client.send(
          Request.newBuilder()
              .setPlan(
                  plan("zookeeper").toBuilder()
                      .addSettings(Setting.newBuilder().setId("-javaagent:x").setValue(1))
                      .addSettings(Setting.newBuilder().setId("tickTime").setValue(-5))));
      assertThat(client.next().getFailed().getReason())
          .contains(
              "setting '-javaagent:x' of zookeeper: expected one of [heap, tickTime, ",
              "setting tickTime: found -5, expected a duration from 10ms to 1m");
    }
    assertServes();
  }

  @Test
  void another_version_of_the_protocol_is_refused_with_both_versions() throws Exception {
    try (RawClient client = trusted()) {
      client.send(
          Request.newBuilder()
              .setHello(RawClient.hello().setProtocol(7).setSuite("9.9.9\u001b[2J")));
      assertThat(client.problem())
          .contains(
              "the load generator is Quorate 9.9.9\\x1b[2J with protocol 7, the agent is Quorate ")
          .contains(" with protocol 5: run the same version on both");
    }
    assertServes();
  }

  @Test
  void who_does_not_say_hello_first_is_refused() throws Exception {
    try (RawClient client = trusted()) {
      client.send(Request.newBuilder().setPlan(plan("zookeeper")));
      assertThat(client.problem()).contains("found no Hello as the first message");
    }
    assertServes();
  }

  @Test
  void who_says_nothing_for_too_long_loses_the_agent() throws Exception {
    try (AgentServer impatient = start(Optional.empty(), Duration.ofMillis(800))) {
      try (RawClient client = new RawClient(impatient.address(), Optional.empty())) {
        client.send(Request.newBuilder().setHello(RawClient.hello()));
        assertThat(client.next().hasWelcome()).isTrue();
        assertThat(client.problem())
            .contains(
                "nothing was heard of the load generator for 0.8 s, so its member was stopped");
      }
      // assertServes may take longer than the 0.8 s of silence that this agent allows
      Await.until(
          "it is free again",
          SOON,
          () -> isFree(() -> new RawClient(impatient.address(), Optional.empty())));
    }
  }

  @Test
  void an_agent_cannot_write_what_is_no_file_of_the_run() throws Exception {
    for (String file : List.of("../../up.csv", "/etc/passwd", "manifest.json", "a\u001b[2J")) {
      assertThatAnAgentCannotWrite(file);
    }
  }

  private static void assertThatAnAgentCannotWrite(String file) throws Exception {
    Slice slice =
        Slice.newBuilder().setFile(file).setContent(ByteString.copyFromUtf8("x\n")).build();
    Server hostile =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getByName(HOST), 0))
            .addService(new Hostile(slice))
            .build()
            .start();
    Endpoint address = new Endpoint(HOST, hostile.getPort());
    try (AgentConnection connection =
        AgentConnection.open(address, Optional.empty(), RawClient.hello().build())) {
      Await.until("it is given up", SOON, () -> connection.lost().isPresent());
      assertThat(connection.failures().get(0))
          .startsWith("agent " + address + ": it sent the file '")
          .endsWith("', which is none of the run")
          .doesNotContain("\u001b");
    } finally {
      hostile.shutdownNow();
    }
  }

  /** Sends what it likes. */
  private static final class Hostile extends AgentGrpc.AgentImplBase {
    private final Slice slice;

    Hostile(Slice slice) {
      this.slice = slice;
    }

    @Override
    public StreamObserver<Request> hold(StreamObserver<Reply> replies) {
      replies.onNext(Reply.newBuilder().setWelcome(Welcome.getDefaultInstance()).build());
      replies.onNext(Reply.newBuilder().setSlice(slice).build());
      return new StreamObserver<>() {
        @Override
        public void onNext(Request request) {}

        @Override
        public void onError(Throwable gone) {}

        @Override
        public void onCompleted() {
          replies.onCompleted();
        }
      };
    }
  }

  @Test
  void two_agents_do_not_share_a_directory() {
    Path data = directory.resolve("agent-true300000");
    assertThatThrownBy(() -> TestAgents.start(HOST, data, Optional.empty()))
        .isInstanceOf(QuorateException.class)
        .hasMessage("another agent uses " + data + ": name another directory with --data");
  }
}
