package io.quorate.agent;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.quorate.QuorateException;
import io.quorate.agent.wire.Failed;
import io.quorate.agent.wire.Hello;
import io.quorate.agent.wire.Pulse;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.agent.wire.Start;
import io.quorate.agent.wire.Welcome;
import io.quorate.cluster.PortTakenException;
import io.quorate.run.HostFacts;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * One connection of a load generator. It holds the agent from its Hello on until it ends, in
 * whatever way; then the member is stopped, its files are removed, and the agent is free again.
 */
final class AgentSession implements StreamObserver<Request> {
  private static final int MOST_WAITING_STEPS = 8;
  private static final Duration END_LIMIT = Duration.ofMinutes(2);

  private final Lease lease;
  private final AgentSettings settings;
  private final AgentDirectory directory;
  private final HostedMember.Hosts hosts;
  private final ReplyStream replies;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final ThreadPoolExecutor steps =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(MOST_WAITING_STEPS),
          threads("quorate-agent-steps"));
  private final ScheduledExecutorService timer =
      Executors.newScheduledThreadPool(2, threads("quorate-agent-timer"));
  private volatile long lastHeardNanos = System.nanoTime();
  private volatile int clients;
  private volatile HostedMember member;
  private volatile String holder = "";
  private Thread starting;

  AgentSession(
      Lease lease,
      AgentSettings settings,
      AgentDirectory directory,
      HostedMember.Hosts hosts,
      ReplyStream replies) {
    this.lease = lease;
    this.settings = settings;
    this.directory = directory;
    this.hosts = hosts;
    this.replies = replies;
    // also for one that never says Hello
    timer.scheduleAtFixedRate(
        this::endIfSilent,
        settings.silenceLimit().toMillis(),
        Math.max(1, settings.silenceLimit().toMillis() / 20),
        TimeUnit.MILLISECONDS);
  }

  private static ThreadFactory threads(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public void onNext(Request request) {
    lastHeardNanos = System.nanoTime();
    if (request.getSerializedSize() > Protocol.MAX_REQUEST_BYTES) {
      refuse(
          Status.RESOURCE_EXHAUSTED,
          "found a message of %s bytes, expected at most %s"
              .formatted(request.getSerializedSize(), Protocol.MAX_REQUEST_BYTES));
    } else if (request.getWhatCase() == Request.WhatCase.HELLO) {
      hello(request.getHello());
    } else if (member == null) {
      refuse(Status.FAILED_PRECONDITION, "found no Hello as the first message");
    } else {
      take(request);
    }
  }

  private void hello(Hello hello) {
    if (member != null) {
      refuse(Status.FAILED_PRECONDITION, "found a second Hello");
      return;
    }
    if (hello.getProtocol() != Protocol.VERSION) {
      refuse(
          Status.FAILED_PRECONDITION,
          "the load generator is Quorate %s with protocol %s, the agent is Quorate %s with protocol %s: run the same version on both"
              .formatted(
                  Protocol.word(hello.getSuite()),
                  hello.getProtocol(),
                  Protocol.suite(),
                  Protocol.VERSION));
      return;
    }
    holder =
        "load generator %s (%s) for the run %s"
            .formatted(
                Protocol.word(hello.getHolder()),
                hosts.loadGenerator(),
                Protocol.word(hello.getRun()));
    Lease.Refusal refusal = lease.take(this, holder, Instant.now(settings.clock()));
    if (refusal != null) {
      refuse(refusal.status(), refusal.why());
      return;
    }
    try {
      Path place = directory.create(hello.getRun());
      member = new HostedMember(settings, place, hosts, () -> clients, replies);
    } catch (QuorateException wrong) {
      refuse(Status.INVALID_ARGUMENT, wrong.getMessage());
      return;
    }
    settings.console().accept("held by " + holder);
    replies.send(Reply.newBuilder().setWelcome(welcome()).build());
    timer.scheduleWithFixedDelay(this::report, 200, 500, TimeUnit.MILLISECONDS);
  }

  private static Welcome welcome() {
    HostFacts facts = HostFacts.ofThisMachine();
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

  private void take(Request request) {
    HostedMember hosted = member;
    switch (request.getWhatCase()) {
      case HEARTBEAT -> {
        clients = request.getHeartbeat().getClients();
        replies.send(
            Reply.newBuilder()
                .setPulse(
                    Pulse.newBuilder()
                        .setNumber(request.getHeartbeat().getNumber())
                        .setUnixNanos(Protocol.unixNanos(settings.clock())))
                .build());
      }
      case PLAN -> step(() -> hosted.plan(request.getPlan()));
      case START -> step(() -> start(hosted, request.getStart()));
      case RECORD -> step(() -> hosted.record(request.getRecord()));
      case STOP_RECORDING -> step(hosted::stopRecording);
      case MEASURE -> step(hosted::measure);
      case STOP_MEMBER -> {
        interruptStart();
        step(hosted::stop);
      }
      case HELLO, WHAT_NOT_SET ->
          refuse(
              Status.INVALID_ARGUMENT,
              "found a message that this version of Quorate does not know");
    }
  }

  private void step(Supplier<Reply> work) {
    try {
      steps.execute(() -> replies.send(answer(work)));
    } catch (RejectedExecutionException tooMany) {
      refuse(
          Status.RESOURCE_EXHAUSTED, "found more than " + MOST_WAITING_STEPS + " waiting requests");
    }
  }

  private Reply start(HostedMember hosted, Start start) {
    synchronized (this) {
      starting = Thread.currentThread();
    }
    try {
      return hosted.start(start);
    } finally {
      synchronized (this) {
        starting = null;
        Thread.interrupted();
      }
    }
  }

  /** One that waits for servers to be ready need not wait any longer. */
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
        .setFailed(Failed.newBuilder().setReason(why).setPortTaken(portTaken))
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
      end(
          Status.DEADLINE_EXCEEDED.withDescription(
              "nothing was heard of the load generator for %s s, so its member was stopped"
                  .formatted(Protocol.seconds(settings.silenceLimit()))));
    }
  }

  private void refuse(Status status, String why) {
    settings.console().accept("refused " + hosts.loadGenerator() + ": " + why);
    end(status.withDescription(why));
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
    return ended.get();
  }

  /** Stops the member and frees the agent, in the background. Idempotent. */
  void end(Status why) {
    if (ended.compareAndSet(false, true)) {
      timer.shutdownNow();
      steps.shutdownNow();
      threads("quorate-agent-end").newThread(() -> cleanUp(why)).start();
    }
  }

  private void cleanUp(Status why) {
    try {
      steps.awaitTermination(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      if (member != null) {
        member.end();
        String how = why.isOk() ? "" : ": " + why.getDescription();
        settings.console().accept("free again" + how);
      }
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failure) {
      settings.console().accept("the member was not ended well: " + failure.getMessage());
    } finally {
      lease.release(this);
      replies.end(why);
    }
  }
}
