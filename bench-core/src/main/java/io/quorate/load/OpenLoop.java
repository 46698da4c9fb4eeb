// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.DaemonThreads;
import io.quorate.TimerSlack;
import io.quorate.load.workload.RequestSource;
import io.quorate.measure.OperationRecorder;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests on schedule, round robin over the connections, whether earlier ones have ended or
 * not. Begins when every connection has joined; a separate thread, the pacer, sends.
 */
final class OpenLoop implements Loop {
  private final RequestCounter budget;
  private final RequestSource requests;
  private final StepRecorder recorder;
  private final Pacer pacer;
  private final int mostOutstanding;
  private final int connectionCount;
  private final AtomicReferenceArray<Participant> participants;
  private final AtomicInteger joined = new AtomicInteger();

  /** Number of requests in flight, plus one while requests are being sent. */
  private final AtomicInteger outstanding = new AtomicInteger(1);

  private record Participant(Connection connection, RequestLog log, Runnable whenDone) {}

  /**
   * Creates the loop.
   *
   * @param budget counter of the requests, whose numbers are taken in order
   * @param pacer schedule with as many requests
   */
  OpenLoop(
      RequestCounter budget,
      Pacer pacer,
      RequestSource requests,
      StepRecorder recorder,
      int mostOutstanding,
      int connections) {
    this.budget = budget;
    this.requests = requests;
    this.recorder = recorder;
    this.pacer = pacer;
    this.mostOutstanding = mostOutstanding;
    this.connectionCount = connections;
    this.participants = new AtomicReferenceArray<>(connections);
  }

  @Override
  public void join(
      int number, List<? extends Connection> connections, RequestLog log, Runnable whenDone) {
    participants.set(number, new Participant(connections.get(number), log, whenDone));
    if (joined.incrementAndGet() == connectionCount) {
      DaemonThreads.start("pacer", this::run);
    }
  }

  @Override
  public List<LoadGeneratorStall> stalls() {
    return pacer.stalls();
  }

  private void run() {
    TimerSlack.ask();
    recorder.clientStarted(System.nanoTime());
    pacer.run(budget::isCancelled, this::send);
    ended();
  }

  private void send(long dueNanos) {
    long index = budget.take();
    if (index < 0) {
      return;
    }
    if (outstanding.get() > mostOutstanding) {
      OperationRecorder operation = recorder.operations().get(requests.operation(index));
      operation.dropped(operation.second(dueNanos));
      pacer.dropped();
      return;
    }
    outstanding.incrementAndGet();
    One attempt = new One(participants.get((int) (index % connectionCount)));
    try {
      attempt.send(index, dueNanos, Math.max(dueNanos, System.nanoTime()));
    } catch (RuntimeException broken) { // this violates the contract, but the loop must end
      if (!attempt.over) {
        attempt.failed(ErrorKind.OTHER, broken.toString());
      }
    }
  }

  private void ended() {
    if (outstanding.decrementAndGet() == 0) {
      recorder.clientFinished(System.nanoTime());
      for (int i = 0; i < connectionCount; i++) {
        participants.get(i).log().ended();
      }
      for (int i = 0; i < connectionCount; i++) {
        participants.get(i).whenDone().run();
      }
    }
  }

  private final class One extends InFlightRequest {
    private volatile boolean over;

    One(Participant by) {
      super(requests, recorder.operations(), by.connection(), by.log());
    }

    @Override
    void ended(@Nullable ErrorKind kind) {
      over = true;
      OpenLoop.this.ended();
    }
  }
}
