package io.quorate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.agent.server.AgentServer;
import io.quorate.agent.server.AgentSettings;
import io.quorate.agent.server.ConnectionLimits;
import io.quorate.agent.wire.Heartbeat;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.cluster.Await;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Floods and idle connections: a session that is held goes on, and others are still answered. */
class AgentFloodIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final int CONNECTIONS = 20;
  private static final int FRAMES = 2_000;

  @TempDir private Path directory;
  private final Queue<String> console = new ConcurrentLinkedQueue<>();
  private final ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor();
  private AgentServer agent;
  private AgentConnection session;

  @BeforeEach
  void hold() {
    agent = start(ConnectionLimits.usual());
    session = SecuredAgent.open(agent, Optional.empty());
    heart.scheduleAtFixedRate(() -> session.beat(1), 0, 200, TimeUnit.MILLISECONDS);
  }

  private AgentServer start(ConnectionLimits limits) {
    Path data = directory.resolve("data-" + limits.withoutSession().toMillis());
    AgentSettings settings =
        TestAgents.settings(
            "127.0.0.1",
            data,
            Optional.empty(),
            Clock.systemUTC(),
            Protocol.SILENCE_LIMIT,
            console);
    return AgentServer.start(settings, limits);
  }

  @AfterEach
  void stop() {
    heart.shutdownNow();
    session.close();
    agent.close();
  }

  /** Asserts that the agent serves the session that holds it, and answers others. */
  private void assertServes() throws Exception {
    Request plan = Request.newBuilder().setPlan(SecuredAgent.plan("zookeeper")).build();
    Reply reply = session.await(session.ask(plan), SOON, "does not plan");
    assertThat(reply.hasPlanned()).isTrue();
    assertThat(session.lost()).isEmpty();
    int answered = session.offset().count();
    Await.until(
        "heartbeats are answered",
        SOON,
        () -> session.offset().count() > answered || answered == ClockOffset.KEPT);
    try (RawClient other = new RawClient(agent.address(), Optional.empty())) {
      other.send(Request.newBuilder().setHello(RawClient.hello()));
      assertThat(other.problem()).contains("for the run run-1 holds the agent since ");
    }
  }

  /** One round of frames, on its own stream of odd number. */
  private enum Flood {
    RESETS {
      @Override
      void send(RawHttp2 connection, int stream) throws IOException {
        connection.call(stream);
        connection.frame(RawHttp2.RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8});
      }
    },
    STREAMS {
      @Override
      void send(RawHttp2 connection, int stream) throws IOException {
        connection.call(stream);
      }
    },
    SETTINGS {
      @Override
      void send(RawHttp2 connection, int stream) throws IOException {
        connection.frame(RawHttp2.SETTINGS, 0, 0, new byte[] {0, 3, 0, 0, 0, 100});
      }
    },
    SETTINGS_ACKNOWLEDGEMENTS {
      @Override
      void send(RawHttp2 connection, int stream) throws IOException {
        connection.frame(RawHttp2.SETTINGS, RawHttp2.ACKNOWLEDGEMENT, 0);
      }
    },
    PINGS {
      @Override
      void send(RawHttp2 connection, int stream) throws IOException {
        connection.frame(RawHttp2.PING, 0, 0, new byte[8]);
      }
    },
    PING_ACKNOWLEDGEMENTS {
      @Override
      void send(RawHttp2 connection, int stream) throws IOException {
        connection.frame(RawHttp2.PING, RawHttp2.ACKNOWLEDGEMENT, 0, new byte[8]);
      }
    },
    EMPTY_DATA {
      @Override
      void send(RawHttp2 connection, int stream) throws IOException {
        if (stream == 1) {
          connection.call(stream);
        }
        connection.frame(RawHttp2.DATA, 0, 1);
      }
    },
    CONTINUATIONS {
      @Override
      void send(RawHttp2 connection, int stream) throws IOException {
        if (stream == 1) {
          connection.frame(RawHttp2.HEADERS, 0, stream, RawHttp2.headers());
        }
        connection.frame(RawHttp2.CONTINUATION, 0, 1);
      }
    },
    PRIORITIES {
      @Override
      void send(RawHttp2 connection, int stream) throws IOException {
        connection.frame(RawHttp2.PRIORITY, 0, stream, new byte[] {0, 0, 0, 0, 1});
      }
    },
    WINDOW_UPDATES {
      @Override
      void send(RawHttp2 connection, int stream) throws IOException {
        connection.frame(RawHttp2.WINDOW_UPDATE, 0, 0, new byte[] {0, 0, 0, 1});
      }
    },
    UNKNOWN_FRAMES {
      @Override
      void send(RawHttp2 connection, int stream) throws IOException {
        connection.frame(RawHttp2.UNKNOWN, 0, 0);
      }
    };

    abstract void send(RawHttp2 connection, int stream) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void a_flood_ends_its_own_connection_and_no_other(Flood flood) throws Exception {
    for (int i = 0; i < CONNECTIONS; i++) {
      send(flood, FRAMES);
    }
    assertServes();
    assertThat(console).hasSizeLessThan(100);
  }

  private void send(Flood flood, int frames) throws IOException {
    try (RawHttp2 connection = new RawHttp2(agent.address())) {
      for (int i = 0; i < frames; i++) {
        flood.send(connection, 2 * i + 1);
      }
      connection.flush();
      assertThat(connection.isClosedWithin(SOON)).isTrue();
    } catch (IOException cutOff) {
      assertThat(cutOff).isInstanceOf(SocketException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void no_more_than_two_hundred_frames_without_a_session_are_read(Flood flood) throws IOException {
    send(flood, 200);
  }

  @Test
  void connections_that_say_nothing_or_half_a_handshake_keep_nobody_out() throws Exception {
    List<Socket> halfOpen = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        Socket socket = new Socket("127.0.0.1", agent.address().port());
        halfOpen.add(socket);
        if (i % 2 == 0) {
          socket.getOutputStream().write("PRI * HTTP/2.0\r\n".getBytes());
        }
      }
      assertServes();
    } finally {
      for (Socket each : halfOpen) {
        each.close();
      }
    }
    assertServes();
  }

  @Test
  void a_flood_of_the_holder_ends_its_session() throws Exception {
    session.close();
    console.clear();
    for (Flood flood : List.of(Flood.RESETS, Flood.SETTINGS, Flood.UNKNOWN_FRAMES)) {
      try (RawHttp2 connection = new RawHttp2(agent.address())) {
        connection.call(1);
        connection.message(1, Request.newBuilder().setHello(RawClient.hello()).build());
        connection.flush();
        Await.until("it is held", SOON, () -> holders() == 1);
        for (int i = 0; i < FRAMES; i++) {
          flood.send(connection, 2 * i + 3);
        }
        connection.flush();
        assertThat(connection.isClosedWithin(SOON)).isTrue();
      } catch (IOException cutOff) {
        assertThat(cutOff).isInstanceOf(SocketException.class);
      }
      SecuredAgent.assertServes(agent, Optional.empty());
      console.clear();
    }
  }

  private long holders() {
    return console.stream().filter(line -> line.startsWith("held by ")).count();
  }

  @Test
  void answers_that_nobody_takes_do_not_pile_up() throws Exception {
    session.close();
    console.clear();
    Request beat =
        Request.newBuilder().setHeartbeat(Heartbeat.newBuilder().setNumber(1 << 30)).build();
    try (RawHttp2 connection = new RawHttp2(agent.address())) {
      connection.call(1);
      connection.message(1, Request.newBuilder().setHello(RawClient.hello()).build());
      connection.flush();
      Await.until("it is held", SOON, () -> holders() == 1);
      // only now does the agent know that its window is larger than the usual one
      connection.frame(RawHttp2.SETTINGS, RawHttp2.ACKNOWLEDGEMENT, 0);
      for (int i = 0; i < 9_000; i++) {
        connection.message(1, beat);
      }
      connection.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 1);
      connection.flush();
      Await.until(
          "all of them are read",
          SOON,
          () -> console.stream().anyMatch(line -> line.startsWith("free again")));
      assertThat(console).last().isEqualTo("free again");
      connection.frame(RawHttp2.WINDOW_UPDATE, 0, 0, new byte[] {0, 64, 0, 0});
      connection.frame(RawHttp2.WINDOW_UPDATE, 0, 1, new byte[] {0, 64, 0, 0});
      connection.flush();
      // the window of 64 KiB, and what may wait behind it
      assertThat(connection.dataBytesUntilEnd(1, SOON)).isBetween(65_536L, 131_072L);
    }
  }

  @Test
  void a_call_that_never_says_hello_is_ended() throws Exception {
    try (AgentServer impatient = start(ConnectionLimits.usual().withoutSession(SHORT));
        RawHttp2 connection = new RawHttp2(impatient.address());
        RawHttp2 idle = new RawHttp2(impatient.address())) {
      connection.call(1);
      connection.flush();
      idle.flush();
      assertThat(connection.isClosedWithin(SOON)).isTrue();
      assertThat(idle.isClosedWithin(SOON)).isTrue();
    }
  }

  @Test
  void calls_without_a_hello_have_no_threads_of_their_own() throws Exception {
    List<RawHttp2> calls = new ArrayList<>();
    try {
      long before = sessionThreads();
      for (int i = 0; i < 40; i++) {
        RawHttp2 connection = new RawHttp2(agent.address());
        calls.add(connection);
        connection.call(1);
        connection.flush();
      }
      assertServes();
      // those of the session that was served may still be ending
      assertThat(sessionThreads()).isLessThan(before + 10);
    } finally {
      for (RawHttp2 each : calls) {
        each.close();
      }
    }
  }

  private static long sessionThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("quorate-agent-(timer|steps|end)"))
        .count();
  }
}
