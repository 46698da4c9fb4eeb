package io.quorate.load;

import io.quorate.PreciseWaits;
import io.quorate.measure.OperationRecorder;
import io.quorate.measure.StepRecorder;
import io.quorate.scenario.LoadModel;
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
  /**
   * Requests per second at which the thread that sends sleeps most of the time. Linux stops a real
   * time thread that never does for 50 ms of each second.
   */
  private static final long REAL_TIME_RATE = 20_000;

  /**
   * Requests per second at which the event loops need a tenth of a processor. They need more when
   * each answer wakes them at once, which servers of the same machine would miss at higher rates.
   */
  private static final long LOW_RATE = 1_000;

  private final Budget budget;
  private final NumberedRequests requests;
  private final StepRecorder recorder;
  private final LoadModel.Open model;
  private final Pacer pacer;
  private final boolean atLowRate;
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
   * @param count how many they are
   * @param dueTimes when they are due
   */
  OpenLoop(
      Budget budget,
      long count,
      NumberedRequests requests,
      StepRecorder recorder,
      LoadModel.Open model,
      int connections,
      DueTimes dueTimes) {
    this.budget = budget;
    this.requests = requests;
    this.recorder = recorder;
    this.model = model;
    this.pacer = new Pacer(dueTimes, model.ratePerSecond(), count);
    this.atLowRate = model.ratePerSecond() <= LOW_RATE;
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
    if (model.ratePerSecond() <= REAL_TIME_RATE) {
      RealTime.ask();
    }
    if (atLowRate) {
      onEventLoops(RealTime::ask);
    }
    recorder.clientStarted(System.nanoTime());
    if (atLowRate && IntStream.range(0, connectionCount).allMatch(i -> loop(i).isPresent())) {
      early = eventLoops().collect(Collectors.toMap(Function.identity(), EarlyRequests::new));
    }
    long leadNanos = early.isEmpty() ? 0 : EarlyRequests.leadNanos(model.ratePerSecond());
    pacer.run(leadNanos, budget::isCancelled, this::send);
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
    if (outstanding.get() > model.maxOutstanding()) {
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
      if (atLowRate) {
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
