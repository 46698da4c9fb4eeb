package io.quorate.load;

import io.quorate.PreciseWaits;
import io.quorate.measure.OperationRecorder;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Sends requests when they are due, round robin over the connections, whether earlier ones have
 * ended or not. Begins when every connection has joined; one thread of its own sends. It and, at
 * low rates, the event loops of the connections wait for no other thread of the machine, if the
 * user may have that ({@link RealTime}), and event loops have each request before it is due ({@link
 * EarlyRequests}): what is measured is the servers' time, not that of a busy load generator, or of
 * one whose threads sleep.
 */
final class OpenLoop implements Loop {
  private final Budget budget;
  private final NumberedRequests requests;
  private final StepRecorder recorder;
  private final Pacer pacer;
  private final Alertness alertness;
  private final int mostOutstanding;
  private final int connectionCount;
  private final AtomicReferenceArray<Participant> participants;
  private final AtomicInteger joined = new AtomicInteger();

  /** Takes requests before they are due, for each event loop; empty if they are sent when due. */
  private Map<Executor, EarlyRequests> early = Map.of();

  /** Requests under way, and one more as long as requests are being sent. */
  private final AtomicInteger outstanding = new AtomicInteger(1);

  private record Participant(Connection connection, RequestLog log, Runnable whenDone) {}

  /**
   * @param budget the requests, whose numbers are taken in order
   * @param pacer hands out as many
   * @param mostOutstanding how many may be under way
   */
  OpenLoop(
      Budget budget,
      Pacer pacer,
      Alertness alertness,
      NumberedRequests requests,
      StepRecorder recorder,
      int mostOutstanding,
      int connections) {
    this.budget = budget;
    this.requests = requests;
    this.recorder = recorder;
    this.pacer = pacer;
    this.alertness = alertness;
    this.mostOutstanding = mostOutstanding;
    this.connectionCount = connections;
    this.participants = new AtomicReferenceArray<>(connections);
  }

  @Override
  public void join(
      int number, List<? extends Connection> connections, RequestLog log, Runnable whenDone) {
    participants.set(number, new Participant(connections.get(number), log, whenDone));
    if (joined.incrementAndGet() == connectionCount) {
      Thread thread = new Thread(this::run, "pacer");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Returns when it fell behind, after the last request has ended; empty if it never did. */
  Optional<Stalls> stalls() {
    return pacer.stalls() == 0
        ? Optional.empty()
        : Optional.of(new Stalls(pacer.stalls(), pacer.longestStallNanos()));
  }

  private void run() {
    PreciseWaits.ask();
    if (alertness.pacerIsRealTime()) {
      RealTime.ask();
    }
    if (alertness.loopsAreEarly()) {
      onEventLoops(RealTime::ask);
    }
    recorder.clientStarted(System.nanoTime());
    if (alertness.loopsAreEarly()
        && IntStream.range(0, connectionCount).allMatch(i -> loop(i).isPresent())) {
      early = eventLoops().collect(Collectors.toMap(Function.identity(), EarlyRequests::new));
    }
    if (early.isEmpty()) {
      pacer.run(0, alertness.awakeNanos(), budget::isCancelled, this::send);
    } else { // an event loop waits awake in place of this thread
      pacer.run(alertness.leadNanos(), 0, budget::isCancelled, this::send);
    }
    ended();
  }

  private Optional<Executor> loop(int connection) {
    return participants.get(connection).connection().eventLoop();
  }

  private Stream<Executor> eventLoops() {
    return IntStream.range(0, connectionCount)
        .mapToObj(this::loop)
        .flatMap(Optional::stream)
        .distinct();
  }

  private void onEventLoops(Runnable work) {
    eventLoops().forEach(loop -> execute(loop, work));
  }

  private static void execute(Executor loop, Runnable work) {
    try {
      loop.execute(work);
    } catch (RejectedExecutionException closed) { // its thread has ended, or is about to
      return;
    }
  }

  private void send(long dueNanos) {
    long index = budget.take();
    if (index < 0) {
      return;
    }
    if (outstanding.get() > mostOutstanding) {
      OperationRecorder shedding = recorder.operations().get(requests.operation(index));
      shedding.shed(shedding.second(dueNanos));
      requests.shed(index, dueNanos);
      return;
    }
    outstanding.incrementAndGet();
    int connection = (int) (index % connectionCount);
    Participant by = participants.get(connection);
    if (early.isEmpty()) {
      send(by, index, dueNanos);
    } else {
      early.get(loop(connection).orElseThrow()).add(dueNanos, () -> send(by, index, dueNanos));
    }
  }

  private void send(Participant by, long index, long dueNanos) {
    long lateNanos = Math.max(0, System.nanoTime() - dueNanos);
    recorder.sentLate(lateNanos);
    One attempt = new One(by);
    try {
      attempt.send(index, dueNanos, dueNanos + lateNanos);
    } catch (RuntimeException broken) { // against the contract; the loop must end all the same
      if (!attempt.over) {
        attempt.failed(ErrorKind.OTHER, broken.toString());
      }
    }
  }

  private void ended() {
    if (outstanding.decrementAndGet() == 0) {
      recorder.clientFinished(System.nanoTime());
      if (alertness.loopsAreEarly()) {
        onEventLoops(RealTime::end);
      }
      for (int i = 0; i < connectionCount; i++) {
        participants.get(i).log().ended();
      }
      for (int i = 0; i < connectionCount; i++) {
        participants.get(i).whenDone().run();
      }
    }
  }

  /** One request under way. */
  private final class One extends Attempt {
    private volatile boolean over;

    One(Participant by) {
      super(requests, recorder.operations(), by.connection(), by.log());
    }

    @Override
    void ended(ErrorKind kind) {
      over = true;
      OpenLoop.this.ended();
    }
  }
}
