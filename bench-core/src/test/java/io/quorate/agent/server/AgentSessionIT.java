// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.NightlyRun;
import io.quorate.agent.Protocol;
import io.quorate.agent.RawClient;
import io.quorate.agent.SecuredAgent;
import io.quorate.agent.TestAgents;
import io.quorate.agent.wire.Heartbeat;
import io.quorate.agent.wire.Measure;
import io.quorate.agent.wire.Plan;
import io.quorate.agent.wire.Record;
import io.quorate.agent.wire.Request;
import io.quorate.agent.wire.Start;
import io.quorate.agent.wire.StopMember;
import io.quorate.agent.wire.StopRecording;
import io.quorate.cluster.Await;
import io.quorate.install.DirectoryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever is sent in whatever order: when the calls have ended, the agent is free. */
class AgentSessionIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Queue<String> CONSOLE = new ConcurrentLinkedQueue<>();
  private static Path directory;
  private static AgentServer agent;

  @BeforeContainer
  static void start() throws IOException {
    directory = Files.createTempDirectory("quorate-agent-session");
    agent =
        TestAgents.start(
            "127.0.0.1",
            directory.resolve("data"),
            Optional.empty(),
            Clock.systemUTC(),
            Protocol.SILENCE_LIMIT,
            CONSOLE);
  }

  @AfterContainer
  static void stop() {
    agent.close();
    new DirectoryTree(directory).remove();
  }

  /** A message that a load generator may send, rightly or wrongly. */
  enum Action {
    HELLO(client -> send(client, Request.newBuilder().setHello(RawClient.hello()))),
    HELLO_OF_ANOTHER_VERSION(
        client -> send(client, Request.newBuilder().setHello(RawClient.hello().setProtocol(9)))),
    HELLO_FOR_A_PATH(
        client -> send(client, Request.newBuilder().setHello(RawClient.hello().setRun("../a")))),
    HELLO_FOR_A_NAME_TOO_LONG_FOR_A_FILE(
        client ->
            send(client, Request.newBuilder().setHello(RawClient.hello().setRun("日".repeat(150))))),
    HEARTBEAT(client -> send(client, Request.newBuilder().setHeartbeat(Heartbeat.newBuilder()))),
    PLAN(client -> send(client, Request.newBuilder().setPlan(SecuredAgent.plan("zookeeper")))),
    PLAN_OF_NOTHING(client -> send(client, Request.newBuilder().setPlan(Plan.newBuilder()))),
    START_OF_NOBODY(client -> send(client, Request.newBuilder().setStart(Start.newBuilder()))),
    RECORD_AT_NO_TIME(
        client ->
            send(
                client,
                Request.newBuilder()
                    .setRecord(Record.newBuilder().setClockAheadNanos(Long.MIN_VALUE)))),
    STOP_RECORDING(
        client -> send(client, Request.newBuilder().setStopRecording(StopRecording.newBuilder()))),
    MEASURE(client -> send(client, Request.newBuilder().setMeasure(Measure.newBuilder()))),
    STOP_MEMBER(
        client -> send(client, Request.newBuilder().setStopMember(StopMember.newBuilder()))),
    NOTHING(client -> send(client, Request.newBuilder())),
    TOO_LARGE(
        client ->
            send(
                client,
                Request.newBuilder().setHello(RawClient.hello().setRun("a".repeat(70_000))))),
    HALF_CLOSE(RawClient::halfClose),
    CANCEL(RawClient::cancel),
    CLOSE(RawClient::close);

    private final Consumer<RawClient> action;

    Action(Consumer<RawClient> action) {
      this.action = action;
    }

    private static void send(RawClient client, Request.Builder request) {
      client.send(request);
    }

    /** Returns whether the library of the client lets nothing more be sent. */
    boolean isLast() {
      return this == HALF_CLOSE || this == CANCEL || this == CLOSE;
    }

    void of(RawClient client) {
      action.accept(client);
    }
  }

  @Property(seed = "1", tries = 60)
  @Tag("nightly")
  void the_agent_is_free_after_very_many_messages(
      @ForAll @Size(max = 12) List<Action> actions,
      @ForAll @Size(value = 12) List<@IntRange(max = 1) Integer> clients)
      throws Exception {
    the_agent_is_free_after_any_messages(actions, clients);
  }

  @Property(seed = "1", tries = 20)
  void the_agent_is_free_after_any_messages(
      @ForAll @Size(max = 12) List<Action> actions,
      @ForAll @Size(value = 12) List<@IntRange(max = 1) Integer> clients)
      throws Exception {
    try (RawClient first = new RawClient(agent.address(), Optional.empty());
        RawClient second = new RawClient(agent.address(), Optional.empty())) {
      Set<RawClient> speaking = new HashSet<>(Set.of(first, second));
      for (int i = 0; i < actions.size(); i++) {
        RawClient client = clients.get(i) == 0 ? first : second;
        if (speaking.contains(client)) {
          actions.get(i).of(client);
        }
        if (actions.get(i).isLast()) {
          speaking.remove(client);
        }
      }
      speaking.forEach(RawClient::halfClose);
      first.end();
      second.end();
    }
    assertFree();
  }

  @Example
  void a_hello_after_the_end_has_no_effect() throws Exception {
    for (Action first : List.of(Action.PLAN, Action.HELLO_OF_ANOTHER_VERSION, Action.NOTHING)) {
      for (int round = 0; round < (NightlyRun.isOn() ? 20 : 7); round++) {
        try (RawClient client = new RawClient(agent.address(), Optional.empty())) {
          first.of(client);
          Action.HELLO.of(client);
          client.end();
        }
      }
    }
    assertThat(CONSOLE).noneMatch(line -> line.startsWith("held by"));
    assertFree();
    CONSOLE.clear();
  }

  private static void assertFree() throws IOException {
    SecuredAgent.assertServes(agent, Optional.empty());
    Path runs = directory.resolve("data/runs");
    Await.until("no file is left", SOON, () -> runs.toFile().list().length == 0);
    assertThat(CONSOLE).noneMatch(line -> line.contains("defect"));
  }
}
