// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent.server;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.quorate.DaemonThreads;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.agent.Protocol;
import io.quorate.agent.wire.Failed;
import io.quorate.agent.wire.Heartbeat;
import io.quorate.agent.wire.Hello;
import io.quorate.agent.wire.Pulse;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.agent.wire.Start;
import io.quorate.agent.wire.Welcome;
import io.quorate.cluster.PortTakenException;
import io.quorate.results.manifest.HostInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of a load generator. It waits for a Hello, then holds the agent. The load generator, its
 * silence, a wrong message, a lost connection or the end of the agent ends it. After the end no
 * message has an effect. The agent is released exactly once, after the member was stopped and its
 * files were removed. The session has no threads or timers before the Hello.
 */
final class AgentSession implements StreamObserver<Request> {
  private static final int MAX_WAITING_STEPS = 8;
  private static final Duration END_LIMIT = Duration.ofMinutes(2);
  private static final Duration SEND_LIMIT = Duration.ofSeconds(30);

  private enum State {
    WAITING,
    HOLDING,
    ENDED
  }

  private final Lease lease;
  private final AgentSettings settings;
  private final AgentDirectory directory;
  private final AgentMember.Hosts hosts;
  private final ReplyStream replies;

  /** State of the session: changed under its lock; read by the lease without it. */
  private volatile State state = State.WAITING;

  private @Nullable Hold held;

  AgentSession(
      Lease lease,
      AgentSettings settings,
      AgentDirectory directory,
      AgentMember.Hosts hosts,
      ReplyStream replies) {
    this.lease = lease;
    this.settings = settings;
    this.directory = directory;
    this.hosts = hosts;
    this.replies = replies;
  }

  @Override
  public void onNext(Request request) {
    try {
      Hold holding = receive(request);
      if (holding != null) {
        holding.take(request);
      }
    } catch (StatusRuntimeException refused) {
      Status why = refused.getStatus();
      settings.console().accept("refused " + hosts.loadGenerator() + ": " + why.getDescription());
      end(why);
    } catch (RuntimeException | Error defect) {
      settings.console().accept("internal error (a bug in Quorate): " + defect);
      end(Status.INTERNAL.withDescription("internal error (a bug in Quorate): " + defect));
    }
  }

  /** Returns the agent that has to handle the request; null if there is nothing left to do. */
  private synchronized @Nullable Hold receive(Request request) {
    if (state == State.ENDED) {
      return null;
    }
    if (request.getSerializedSize() > Protocol.MAX_REQUEST_BYTES) {
      throw refused(
          Status.RESOURCE_EXHAUSTED,
          "found a message of %s bytes, expected at most %s"
              .formatted(request.getSerializedSize(), Protocol.MAX_REQUEST_BYTES));
    }
    boolean hello = request.getWhatCase() == Request.WhatCase.HELLO;
    if (state == State.HOLDING) {
      if (hello) {
        throw refused(Status.FAILED_PRECONDITION, "found a second Hello");
      }
      return held;
    }
    if (!hello) {
      throw refused(Status.FAILED_PRECONDITION, "found no Hello as the first message");
    }
    hold(request.getHello());
    return null;
  }

  private void hold(Hello hello) {
    if (hello.getProtocol() != Protocol.VERSION) {
      throw refused(
          Status.FAILED_PRECONDITION,
          "the load generator is Quorate %s with protocol %s, the agent is Quorate %s with protocol %s: run the same version on both"
              .formatted(
                  Protocol.word(hello.getSuite()),
                  hello.getProtocol(),
                  Protocol.suite(),
                  Protocol.VERSION));
    }
    String holder =
        "load generator %s (%s) for the run %s"
            .formatted(
                Protocol.word(hello.getHolder()),
                hosts.loadGenerator(),
                Protocol.word(hello.getRun()));
    lease.take(this, holder, Instant.now(settings.clock()));
    boolean holding = false;
    try {
      held = new Hold(directory.create(hello.getRun()));
      holding = true;
    } catch (QuorateException wrong) {
      throw refused(Status.INVALID_ARGUMENT, wrong.getMessage());
    } finally {
      if (!holding) {
        lease.release(this);
      }
    }
    state = State.HOLDING;
    settings.console().accept("held by " + holder);
    held.begin();
  }

  @Override
  public void onError(Throwable gone) {
    end(Status.CANCELLED.withDescription("the connection of the load generator is gone"));
  }

  @Override
  public void onCompleted() {
    end(Status.OK);
  }

  boolean hasEnded() {
    return state == State.ENDED;
  }

  /** Stops the member and frees the agent, in the background. Only the first call does anything. */
  void end(Status why) {
    Hold holding;
    synchronized (this) {
      if (state == State.ENDED) {
        return;
      }
      holding = state == State.HOLDING ? held : null;
      state = State.ENDED;
    }
    if (holding != null) {
      holding.end(why);
    } else {
      replies.end(why);
    }
  }

  private void release(Path place, Status why) {
    try {
      directory.remove(place);
    } catch (QuorateException failure) {
      settings.console().accept("the member was not ended well: " + failure.getMessage());
    } finally {
      lease.release(this);
      replies.end(why);
    }
  }

  private static StatusRuntimeException refused(Status status, String why) {
    return status.withDescription(why).asRuntimeException();
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

  private static Reply failed(String why, boolean portTaken) {
    return Reply.newBuilder()
        .setFailed(Failed.newBuilder().setReason(String.valueOf(why)).setPortTaken(portTaken))
        .build();
  }

  /** An agent held by a load generator: its member, and the threads that work for it. */
  private final class Hold {
    /** The directory of the run. */
    private final Path place;

    private final AgentMember member;
    private final ThreadPoolExecutor steps =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING_STEPS),
            DaemonThreads.named("quorate-agent-steps"));
    private final ScheduledExecutorService timer =
        Executors.newScheduledThreadPool(2, DaemonThreads.named("quorate-agent-timer"));
    private volatile long lastHeardNanos = System.nanoTime();
    private volatile int clients;
    private @Nullable Thread starting;

    Hold(Path place) {
      this.place = place;
      this.member = new AgentMember(settings, place, hosts, () -> clients, replies);
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

    /** Handles a request, or passes it to a thread; refuses an invalid one. */
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
        case CONTROL -> step(() -> member.control(request.getControl()));
        case STOP_MEMBER -> {
          synchronized (this) {
            if (starting != null) {
              starting.interrupt();
            }
          }
          step(member::stop);
        }
        case HELLO, WHAT_NOT_SET ->
            throw refused(
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
          throw refused(
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
          AgentSession.this.end(
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

    private Reply answer(Supplier<Reply> work) {
      try {
        return work.get();
      } catch (QuorateException failure) {
        member.sendAll();
        return failed(failure.getMessage(), failure instanceof PortTakenException);
      } catch (RuntimeException | Error defect) {
        settings.console().accept("internal error (a bug in Quorate): " + defect);
        return failed("internal error (a bug in Quorate): " + defect, false);
      }
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
        AgentSession.this.end(
            Status.DEADLINE_EXCEEDED.withDescription(
                "nothing was heard of the load generator for %s s, so its member was stopped"
                    .formatted(Protocol.seconds(settings.silenceLimit()))));
      }
    }

    /** Stops the member and frees the agent, in the background. To be called once. */
    void end(Status why) {
      timer.shutdownNow();
      steps.shutdownNow();
      Runnable ending =
          () -> {
            try {
              stop(why);
            } finally {
              release(place, why);
            }
          };
      try {
        DaemonThreads.start("quorate-agent-end", ending);
      } catch (OutOfMemoryError noThread) {
        ending.run();
      }
    }

    private void stop(Status why) {
      Pause.until(() -> steps.awaitTermination(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS));
      try {
        member.end();
        String how = why.isOk() ? "" : ": " + why.getDescription();
        settings.console().accept("free again" + how);
      } catch (RuntimeException failure) {
        settings.console().accept("the member was not ended well: " + failure.getMessage());
      }
    }
  }
}
