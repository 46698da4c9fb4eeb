// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.agent.wire.AgentGrpc;
import io.quorate.agent.wire.Heartbeat;
import io.quorate.agent.wire.Hello;
import io.quorate.agent.wire.Pulse;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.agent.wire.Slice;
import io.quorate.agent.wire.Welcome;
import io.quorate.store.Endpoint;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The load generator's end of a connection to one agent. Safe for several threads. */
final class AgentConnection implements StreamObserver<Reply>, AutoCloseable {
  /** Logger that otherwise prints to standard error; held, because unreferenced ones are reset. */
  private static final Logger GREETING = Logger.getLogger("io.grpc.netty.TcpMetrics");

  /** Logger that prints a stack trace about an unknown host, which is reported here. */
  private static final Logger CHANNEL = Logger.getLogger("io.grpc.internal.ManagedChannelImpl");

  static {
    GREETING.setLevel(Level.WARNING);
    CHANNEL.setLevel(Level.SEVERE);
  }

  private static final int MAX_REMARKS = 100;
  private static final Duration WELCOME_LIMIT = Duration.ofSeconds(20);
  private static final Duration RETRY = Duration.ofMillis(500);
  private static final Duration END_LIMIT = Duration.ofSeconds(60);

  private final Endpoint agent;
  private final boolean encrypted;
  private final ManagedChannel channel;
  private final StreamObserver<Request> requests;
  private final CompletableFuture<Welcome> welcome = new CompletableFuture<>();
  private final CompletableFuture<Status> end = new CompletableFuture<>();
  private final PendingReplies questions = new PendingReplies();
  private final Map<String, Consumer<ByteString>> files = new ConcurrentHashMap<>();
  private final Set<String> remarks = new LinkedHashSet<>();
  private final List<String> memberEnds = new ArrayList<>();
  private final ClockOffset offset = new ClockOffset();
  private final AtomicLong heartbeats = new AtomicLong();
  private volatile long lastHeardNanos = System.nanoTime();
  private boolean closing;
  private Optional<String> lost = Optional.empty();

  private AgentConnection(Endpoint agent, Optional<KeyDirectory> keys, Hello hello) {
    this.agent = agent;
    this.encrypted = keys.isPresent();
    this.channel = channel(agent, keys);
    this.requests = AgentGrpc.newStub(channel).hold(this);
    send(Request.newBuilder().setHello(hello).build());
  }

  /**
   * Connects to an agent and reserves it. Waits for an agent that is still stopping the member of
   * the previous load generator.
   *
   * @throws QuorateException if there is no agent, the connection fails, or another load generator
   *     holds the agent
   */
  static AgentConnection open(Endpoint agent, Optional<KeyDirectory> keys, Hello hello) {
    long deadline = System.nanoTime() + END_LIMIT.toNanos();
    while (true) {
      AgentConnection connection = new AgentConnection(agent, keys, hello);
      try {
        connection.await(connection.welcome, WELCOME_LIMIT, "does not answer");
        return connection;
      } catch (QuorateException refused) {
        connection.close();
        boolean ending = connection.end.getNow(Status.OK).getCode() == Status.Code.ABORTED;
        if (!ending || System.nanoTime() > deadline) {
          throw refused;
        }
        Pause.of(RETRY, "an agent");
      }
    }
  }

  /** Returns one direct connection to an agent, without encryption if there are no keys. */
  private static ManagedChannel channel(Endpoint agent, Optional<KeyDirectory> keys) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(agent.host(), agent.port())
            .maxInboundMessageSize(Protocol.MAX_REPLY_BYTES)
            .disableRetry();
    keys.ifPresentOrElse(
        given -> builder.sslContext(given.forLoadGenerator()), builder::usePlaintext);
    return builder.proxyDetector(any -> null).build();
  }

  Endpoint agent() {
    return agent;
  }

  Welcome welcome() {
    return welcome.join();
  }

  ClockOffset offset() {
    return offset;
  }

  void expect(String file, Consumer<ByteString> sink) {
    files.put(file, sink);
  }

  void beat(int clients) {
    if (System.nanoTime() - lastHeardNanos > Protocol.SILENCE_LIMIT.toNanos()) {
      lose("it has not answered for " + Protocol.SILENCE_LIMIT.toSeconds() + " s");
      return;
    }
    long number = heartbeats.incrementAndGet();
    offset.asked(number, Protocol.unixNanos(Clock.systemUTC()), System.nanoTime());
    send(
        Request.newBuilder()
            .setHeartbeat(Heartbeat.newBuilder().setNumber(number).setClients(clients))
            .build());
  }

  /** Sends a request for a step; its answer fails when the connection is lost. */
  CompletableFuture<Reply> ask(Request request) {
    synchronized (this) {
      if (lost.isPresent()) {
        return CompletableFuture.failedFuture(new QuorateException(lost.get()));
      }
      CompletableFuture<Reply> answer = questions.add(request);
      requests.onNext(request);
      return answer;
    }
  }

  /** Waits for the answer to a step; fails if it is late, or the connection is lost. */
  <T> T await(CompletableFuture<T> answer, Duration limit, String otherwise) {
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw new QuorateException(
          "agent %s: %s within %s s".formatted(agent, otherwise, limit.toSeconds()), late);
    } catch (ExecutionException failed) {
      throw new QuorateException(
          String.valueOf(Objects.requireNonNull(failed.getCause()).getMessage()), failed);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted while waiting for agent " + agent, interrupt);
    }
  }

  private synchronized void send(Request request) {
    if (lost.isEmpty() && !closing) {
      requests.onNext(request);
    }
  }

  @Override
  public void onNext(Reply reply) {
    if (lost().isPresent()) {
      return;
    }
    lastHeardNanos = System.nanoTime();
    switch (reply.getWhatCase()) {
      case WELCOME -> welcome.complete(reply.getWelcome());
      case PULSE -> answered(reply.getPulse());
      case SLICE -> write(reply.getSlice());
      case REMARK -> remark(reply.getRemark().getText());
      case MEMBER_ENDED -> memberEnded(reply.getMemberEnded().getHow());
      case PLANNED, STARTED, DONE, MEASURED, PROCESS_STATE, FAILED ->
          questions.answer(reply).ifPresent(this::lose);
      case WHAT_NOT_SET -> lose("it sent a message that this version of Quorate does not know");
    }
  }

  private void answered(Pulse pulse) {
    if (!Protocol.isTime(pulse.getUnixNanos())) {
      lose("its clock is at %s ns since 1970".formatted(pulse.getUnixNanos()));
      return;
    }
    offset.answered(pulse.getNumber(), pulse.getUnixNanos(), System.nanoTime());
  }

  private void write(Slice slice) {
    String name = Protocol.word(slice.getFile());
    Consumer<ByteString> sink = files.get(slice.getFile());
    if (sink == null) {
      lose("it sent the file '" + name + "', which is none of the run");
      return;
    }
    try {
      if (slice.getContent().isEmpty()) {
        throw new QuorateException("it sent an empty piece of '" + name + "'");
      }
      sink.accept(slice.getContent());
    } catch (QuorateException impossible) {
      lose(impossible.getMessage());
    }
  }

  private synchronized void remark(String text) {
    if (remarks.size() < MAX_REMARKS) {
      remarks.add("agent " + agent + ": " + Protocol.shown(text));
    }
  }

  private synchronized void memberEnded(String how) {
    if (memberEnds.size() < MAX_REMARKS) {
      memberEnds.add(Protocol.shown(how) + " (agent " + agent + ")");
    }
  }

  synchronized List<String> remarks() {
    return List.copyOf(remarks);
  }

  /** Returns a line if its member ended by itself, or if the connection was lost. */
  synchronized List<String> failures() {
    List<String> failures = new ArrayList<>(memberEnds);
    lost.filter(why -> !closing).ifPresent(failures::add);
    return failures;
  }

  /** Returns the reason why the connection is lost; empty as long as it is open. */
  synchronized Optional<String> lost() {
    return lost;
  }

  private void lose(String why) {
    end(Status.DATA_LOSS.withDescription(why));
    channel.shutdownNow();
  }

  @Override
  public void onError(Throwable failure) {
    end(Status.fromThrowable(failure));
  }

  @Override
  public void onCompleted() {
    end(Status.OK.withDescription("it has ended the connection"));
  }

  private void end(Status status) {
    String why = ConnectionProblem.of(agent, status, encrypted);
    synchronized (this) {
      if (lost.isPresent()) {
        return;
      }
      lost = Optional.of(why);
    }
    end.complete(status);
    welcome.completeExceptionally(new QuorateException(why));
    questions.fail(why);
  }

  /** Releases the agent, and waits until it has stopped its member. Idempotent. */
  @Override
  public void close() {
    boolean first;
    synchronized (this) {
      first = !closing;
      closing = true;
      if (first && lost.isEmpty()) {
        requests.onCompleted();
      }
    }
    if (first) {
      try {
        end.get(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException | ExecutionException late) {
        remark("does not say that it is free again");
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
      } finally {
        channel.shutdownNow();
      }
    }
  }

  /** The unanswered requests to an agent. Safe for several threads. */
  static final class PendingReplies {
    private final Queue<Question> waiting = new ArrayDeque<>();

    private record Question(Reply.WhatCase kind, CompletableFuture<Reply> answer) {}

    private static Reply.WhatCase answerTo(Request request) {
      return switch (request.getWhatCase()) {
        case PLAN -> Reply.WhatCase.PLANNED;
        case START -> Reply.WhatCase.STARTED;
        case MEASURE -> Reply.WhatCase.MEASURED;
        case CONTROL -> Reply.WhatCase.PROCESS_STATE;
        case RECORD, SAMPLE, STOP_RECORDING, STOP_MEMBER -> Reply.WhatCase.DONE;
        case HELLO, HEARTBEAT, WHAT_NOT_SET ->
            throw new IllegalArgumentException(request.getWhatCase() + " has no answer");
      };
    }

    /** Adds a request; to be called in the order of sending. */
    synchronized CompletableFuture<Reply> add(Request request) {
      Question question = new Question(answerTo(request), new CompletableFuture<>());
      waiting.add(question);
      return question.answer();
    }

    /** Completes the oldest request; returns an error if the answer does not match it. */
    Optional<String> answer(Reply reply) {
      Question oldest;
      synchronized (this) {
        oldest = waiting.peek();
        if (oldest == null) {
          return Optional.of("it answered what was not asked");
        }
        if (!reply.hasFailed() && reply.getWhatCase() != oldest.kind()) {
          return Optional.of(
              "it answered %s, expected %s".formatted(reply.getWhatCase(), oldest.kind()));
        }
        waiting.remove();
      }
      oldest.answer().complete(reply);
      return Optional.empty();
    }

    void fail(String why) {
      List<Question> left;
      synchronized (this) {
        left = List.copyOf(waiting);
        waiting.clear();
      }
      left.forEach(each -> each.answer().completeExceptionally(new QuorateException(why)));
    }
  }
}
