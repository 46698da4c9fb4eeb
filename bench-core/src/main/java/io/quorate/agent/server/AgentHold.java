package io.quorate.agent.server;

import io.grpc.Status;
import io.quorate.QuorateException;
import io.quorate.agent.Protocol;
import io.quorate.agent.wire.Failed;
import io.quorate.agent.wire.Heartbeat;
import io.quorate.agent.wire.Pulse;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.agent.wire.Start;
import io.quorate.agent.wire.Welcome;
import io.quorate.cluster.PortTakenException;
import io.quorate.results.manifest.HostInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** An agent held by a load generator: its member, and the threads that work for it. */
final class AgentHold {
  private static final int MAX_WAITING_STEPS = 8;
  private static final Duration END_LIMIT = Duration.ofMinutes(2);
  private static final Duration SEND_LIMIT = Duration.ofSeconds(30);

  private final AgentSettings settings;
  private final Path place;
  private final ReplyStream replies;
  private final Consumer<Status> end;
  private final AgentMember member;
  private final ThreadPoolExecutor steps =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(MAX_WAITING_STEPS),
          threads("quorate-agent-steps"));
  private final ScheduledExecutorService timer =
      Executors.newScheduledThreadPool(2, threads("quorate-agent-timer"));
  private volatile long lastHeardNanos = System.nanoTime();
  private volatile int clients;
  private Thread starting;

  /**
   * @param place the directory of the run
   * @param end ends the session
   */
  AgentHold(
      AgentSettings settings,
      Path place,
      AgentMember.Hosts hosts,
      ReplyStream replies,
      Consumer<Status> end) {
    this.settings = settings;
    this.place = place;
    this.replies = replies;
    this.end = end;
    this.member = new AgentMember(settings, place, hosts, () -> clients, replies);
  }

  private static ThreadFactory threads(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  Path place() {
    return place;
  }

  /** Welcomes the load generator, and monitors its heartbeats from now on. */
  void begin() {
    replies.send(Reply.newBuilder().setWelcome(welcome()).build());
    timer.scheduleWithFixedDelay(this::report, 200, 500, TimeUnit.MILLISECONDS);
    timer.scheduleAtFixedRate(
        this::endIfSilent,
        settings.silenceLimit().toMillis(),
        Math.max(1, settings.silenceLimit().toMillis() / 20),
        TimeUnit.MILLISECONDS);
  }

  private static Welcome welcome() {
    HostInfo facts = HostInfo.ofThisMachine();
    Welcome.Builder welcome =
        Welcome.newBuilder()
            .setSuite(Protocol.suite())
            .setHost(facts.host().orElse(""))
            .setOs(facts.os())
            .setKernel(facts.kernel())
            .setCores(facts.cores());
    facts.memoryBytes().ifPresent(welcome::setMemoryBytes);
    return welcome.build();
  }

  /**
   * Handles a request, or has a thread handle it.
   *
   * @throws AgentSession.Refused if nobody could, or too much is asked for
   */
  void take(Request request) {
    lastHeardNanos = System.nanoTime();
    switch (request.getWhatCase()) {
      case HEARTBEAT -> answer(request.getHeartbeat());
      case PLAN -> step(() -> member.plan(request.getPlan()));
      case START -> step(() -> start(request.getStart()));
      case RECORD -> step(() -> member.record(request.getRecord()));
      case SAMPLE -> step(() -> member.sample(request.getSample()));
      case STOP_RECORDING -> step(member::stopRecording);
      case MEASURE -> step(member::measure);
      case STOP_MEMBER -> {
        interruptStart();
        step(member::stop);
      }
      case HELLO, WHAT_NOT_SET ->
          throw new AgentSession.Refused(
              Status.INVALID_ARGUMENT,
              "found a message that this version of Quorate does not know");
    }
  }

  /** Answers a heartbeat, unless earlier replies are still unsent: the answers would pile up. */
  private void answer(Heartbeat heartbeat) {
    clients = Math.max(0, heartbeat.getClients());
    replies.sendIfReady(
        Reply.newBuilder()
            .setPulse(
                Pulse.newBuilder()
                    .setNumber(heartbeat.getNumber())
                    .setUnixNanos(Protocol.unixNanos(settings.clock())))
            .build());
  }

  private void step(Supplier<Reply> work) {
    try {
      steps.execute(() -> reply(answer(work)));
    } catch (RejectedExecutionException full) {
      if (!steps.isShutdown()) {
        throw new AgentSession.Refused(
            Status.RESOURCE_EXHAUSTED,
            "found more than " + MAX_WAITING_STEPS + " waiting requests");
      }
    }
  }

  private void reply(Reply reply) {
    try {
      if (replies.awaitReady(SEND_LIMIT)) {
        replies.send(reply);
      } else {
        end.accept(
            Status.DEADLINE_EXCEEDED.withDescription(
                "the load generator takes no answers, so its member was stopped"));
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private Reply start(Start start) {
    synchronized (this) {
      starting = Thread.currentThread();
    }
    try {
      return member.start(start);
    } finally {
      synchronized (this) {
        starting = null;
        if (!steps.isShutdown()) {
          Thread.interrupted();
        }
      }
    }
  }

  /** Interrupts a start that waits for servers to be ready. */
  private synchronized void interruptStart() {
    if (starting != null) {
      starting.interrupt();
    }
  }

  private Reply answer(Supplier<Reply> work) {
    try {
      return work.get();
    } catch (QuorateException failure) {
      member.sendAll();
      return failed(failure.getMessage(), failure instanceof PortTakenException);
    } catch (RuntimeException | Error defect) {
      settings.console().accept("unexpected failure, a defect of Quorate: " + defect);
      return failed("unexpected failure, a defect of Quorate: " + defect, false);
    }
  }

  private static Reply failed(String why, boolean portTaken) {
    return Reply.newBuilder()
        .setFailed(Failed.newBuilder().setReason(String.valueOf(why)).setPortTaken(portTaken))
        .build();
  }

  private void report() {
    try {
      member.report();
    } catch (RuntimeException defect) {
      settings.console().accept("cannot report: " + defect);
    }
  }

  private void endIfSilent() {
    if (System.nanoTime() - lastHeardNanos > settings.silenceLimit().toNanos()) {
      end.accept(
          Status.DEADLINE_EXCEEDED.withDescription(
              "nothing was heard of the load generator for %s s, so its member was stopped"
                  .formatted(Protocol.seconds(settings.silenceLimit()))));
    }
  }

  /** Stops the member in the background. To be called once. */
  void end(Status why, Runnable afterwards) {
    timer.shutdownNow();
    steps.shutdownNow();
    Runnable ending =
        () -> {
          try {
            stop(why);
          } finally {
            afterwards.run();
          }
        };
    try {
      threads("quorate-agent-end").newThread(ending).start();
    } catch (OutOfMemoryError noThread) {
      ending.run();
    }
  }

  private void stop(Status why) {
    try {
      steps.awaitTermination(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
    try {
      member.end();
      String how = why.isOk() ? "" : ": " + why.getDescription();
      settings.console().accept("free again" + how);
    } catch (RuntimeException failure) {
      settings.console().accept("the member was not ended well: " + failure.getMessage());
    }
  }
}
