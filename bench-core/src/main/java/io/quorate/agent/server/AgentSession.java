package io.quorate.agent.server;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.quorate.QuorateException;
import io.quorate.agent.Protocol;
import io.quorate.agent.wire.Hello;
import io.quorate.agent.wire.Request;
import java.nio.file.Path;
import java.time.Instant;

/**
 * One call of a load generator. It waits for a Hello, then holds the agent, and ends: by the load
 * generator, its silence, a wrong message, a lost connection or the end of the agent. An end is
 * final: no message has an effect after it, and the agent is given back exactly once, after the
 * member was stopped and its files were removed. No thread or timer is its own before the Hello.
 */
final class AgentSession implements StreamObserver<Request> {
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

  private AgentHold held;

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
      AgentHold holding = receive(request);
      if (holding != null) {
        holding.take(request);
      }
    } catch (Refused refused) {
      settings.console().accept("refused " + hosts.loadGenerator() + ": " + refused.getMessage());
      end(refused.status());
    } catch (RuntimeException | Error defect) {
      settings.console().accept("unexpected failure, a defect of Quorate: " + defect);
      end(Status.INTERNAL.withDescription("unexpected failure, a defect of Quorate: " + defect));
    }
  }

  /** Returns the agent that has to handle the request; null if there is nothing left to do. */
  private synchronized AgentHold receive(Request request) {
    if (state == State.ENDED) {
      return null;
    }
    if (request.getSerializedSize() > Protocol.MAX_REQUEST_BYTES) {
      throw new Refused(
          Status.RESOURCE_EXHAUSTED,
          "found a message of %s bytes, expected at most %s"
              .formatted(request.getSerializedSize(), Protocol.MAX_REQUEST_BYTES));
    }
    boolean hello = request.getWhatCase() == Request.WhatCase.HELLO;
    if (state == State.HOLDING) {
      if (hello) {
        throw new Refused(Status.FAILED_PRECONDITION, "found a second Hello");
      }
      return held;
    }
    if (!hello) {
      throw new Refused(Status.FAILED_PRECONDITION, "found no Hello as the first message");
    }
    hold(request.getHello());
    return null;
  }

  private void hold(Hello hello) {
    if (hello.getProtocol() != Protocol.VERSION) {
      throw new Refused(
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
    Lease.Refusal refusal = lease.take(this, holder, Instant.now(settings.clock()));
    if (refusal != null) {
      throw new Refused(refusal.status(), refusal.why());
    }
    boolean holding = false;
    try {
      Path place = directory.create(hello.getRun());
      held = new AgentHold(settings, place, hosts, replies, this::end);
      holding = true;
    } catch (QuorateException wrong) {
      throw new Refused(Status.INVALID_ARGUMENT, wrong.getMessage());
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
    boolean holding;
    synchronized (this) {
      if (state == State.ENDED) {
        return;
      }
      holding = state == State.HOLDING;
      state = State.ENDED;
    }
    if (holding) {
      held.end(why, () -> release(why));
    } else {
      replies.end(why);
    }
  }

  private void release(Status why) {
    try {
      directory.remove(held.place());
    } catch (QuorateException failure) {
      settings.console().accept("the member was not ended well: " + failure.getMessage());
    } finally {
      lease.release(this);
      replies.end(why);
    }
  }

  /** An error in a message of the load generator, which ends the session. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Status status;

    Refused(Status status, String why) {
      super(why, null, false, false);
      this.status = status;
    }

    Status status() {
      return status.withDescription(getMessage());
    }
  }
}
