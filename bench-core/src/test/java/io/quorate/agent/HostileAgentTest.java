// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.quorate.QuorateException;
import io.quorate.agent.wire.AgentGrpc;
import io.quorate.agent.wire.Done;
import io.quorate.agent.wire.Measured;
import io.quorate.agent.wire.Pulse;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.agent.wire.Slice;
import io.quorate.agent.wire.Welcome;
import io.quorate.cluster.Await;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A load generator gives up an agent that sends what none of ours would. */
@SuppressWarnings("try") // a connection may be closed twice
class HostileAgentTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private Server server;

  /** Connects to an agent that sends this for each request. */
  private AgentConnection open(Function<Request, List<Reply>> replies) throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0))
            .addService(new Replying(replies))
            .build()
            .start();
    return AgentConnection.open(
        new Endpoint("127.0.0.1", server.getPort()), Optional.empty(), RawClient.hello().build());
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
  }

  private static final class Replying extends AgentGrpc.AgentImplBase {
    private final Function<Request, List<Reply>> replies;

    Replying(Function<Request, List<Reply>> replies) {
      this.replies = replies;
    }

    @Override
    public StreamObserver<Request> hold(StreamObserver<Reply> observer) {
      return new StreamObserver<>() {
        @Override
        public void onNext(Request request) {
          if (request.hasHello()) {
            observer.onNext(Reply.newBuilder().setWelcome(Welcome.newBuilder()).build());
          }
          replies.apply(request).forEach(observer::onNext);
        }

        @Override
        public void onError(Throwable gone) {}

        @Override
        public void onCompleted() {
          observer.onCompleted();
        }
      };
    }
  }

  private static void assertGivenUp(AgentConnection connection, String why) {
    Await.until("it is given up", SOON, () -> connection.lost().isPresent());
    assertThat(connection.lost()).contains("agent " + connection.agent() + ": " + why);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 7_258_118_400_000_000_000L, Long.MAX_VALUE})
  void a_clock_that_shows_no_time_is_not_believed(long unixNanos) throws IOException {
    Pulse pulse = Pulse.newBuilder().setNumber(1).setUnixNanos(unixNanos).build();
    try (AgentConnection connection =
        open(request -> List.of(Reply.newBuilder().setPulse(pulse).build()))) {
      assertGivenUp(connection, "its clock is at " + unixNanos + " ns since 1970");
      assertThat(connection.offset().count()).isZero();
    }
  }

  @Test
  void an_answer_to_another_question_is_none() throws IOException {
    Reply measured = Reply.newBuilder().setMeasured(Measured.newBuilder().setBytes(1)).build();
    try (AgentConnection connection =
        open(request -> request.hasPlan() ? List.of(measured) : List.of())) {
      Request plan = Request.newBuilder().setPlan(SecuredAgent.plan("zookeeper")).build();
      assertThatThrownBy(() -> connection.await(connection.ask(plan), SOON, "does not plan"))
          .isInstanceOf(QuorateException.class)
          .hasMessage("agent " + connection.agent() + ": it answered MEASURED, expected PLANNED");
    }
  }

  @Test
  void an_answer_to_no_question_is_the_end() throws IOException {
    Reply done = Reply.newBuilder().setDone(Done.getDefaultInstance()).build();
    try (AgentConnection connection = open(request -> List.of(done))) {
      assertGivenUp(connection, "it answered what was not asked");
    }
  }

  @Test
  void endless_pieces_are_the_end_and_leave_no_more_than_was_allowed() throws IOException {
    Path path = directory.resolve("file");
    try (ReceivedFile file = ReceivedFile.create(path);
        AgentConnection connection =
            open(request -> request.hasHeartbeat() ? endless(new byte[1_000]) : List.of())) {
      connection.expect("file", piece -> file.append(piece, 10_500));
      connection.beat(1);
      assertGivenUp(connection, path + ": more than 10500 bytes were sent");
      assertThat(Files.size(path)).isEqualTo(10_000);
    }
  }

  @Test
  void endless_empty_pieces_are_the_end() throws IOException {
    try (AgentConnection connection =
        open(request -> request.hasHeartbeat() ? endless(new byte[0]) : List.of())) {
      connection.expect("file", piece -> {});
      connection.beat(1);
      assertGivenUp(connection, "it sent an empty piece of 'file'");
    }
  }

  private static List<Reply> endless(byte[] content) {
    Slice slice =
        Slice.newBuilder().setFile("file").setContent(ByteString.copyFrom(content)).build();
    return java.util.Collections.nCopies(1_000, Reply.newBuilder().setSlice(slice).build());
  }

  @Test
  void nothing_is_written_after_the_end() throws IOException {
    Path path = directory.resolve("file");
    Slice late =
        Slice.newBuilder().setFile("file").setContent(ByteString.copyFromUtf8("late\n")).build();
    Reply done = Reply.newBuilder().setDone(Done.getDefaultInstance()).build();
    try (ReceivedFile file = ReceivedFile.create(path);
        AgentConnection connection =
            open(
                request ->
                    request.hasHeartbeat()
                        ? List.of(done, Reply.newBuilder().setSlice(late).build())
                        : List.of())) {
      connection.expect("file", piece -> file.append(piece, 1_000));
      connection.beat(1);
      assertGivenUp(connection, "it answered what was not asked");
      connection.close();
      server.shutdownNow();
      assertThat(path).isEmptyFile();
    }
  }
}
