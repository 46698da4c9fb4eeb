// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.load.workload.RequestSource;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Clients that share a number of requests, each with one in flight at a time.
 *
 * @param limit limit of the rate of all clients together
 * @param think how long a client waits between two requests
 */
public record ClosedLoop(
    RequestCounter budget,
    RequestSource requests,
    StepRecorder recorder,
    RateLimiter limit,
    ThinkTime think)
    implements Loop {
  /**
   * Executor that pauses after a lost connection. Without a pause a client without connection would
   * fail repeatedly, and consume the requests of the other clients.
   */
  private static final Executor AFTER_LOST_CONNECTION =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

  /** Returns a loop at any rate, whose requests are not measured with the requests of the load. */
  public static ClosedLoop apart(
      String operation, RequestSource requests, long count, int clients) {
    return new ClosedLoop(
        new RequestCounter(0, count),
        requests,
        new StepRecorder(clients, RunClock.start(), List.of(operation), false),
        new RateLimiter(OptionalLong.empty()),
        ThinkTime.NONE);
  }

  /**
   * Returns how many clients share some connections without waiting for each other within one.
   *
   * @param most largest number of clients
   */
  public static int clients(long most, long requests, List<? extends Connection> connections) {
    long carried = connections.stream().mapToLong(Connection::mostInFlight).sum();
    return (int) Math.min(Math.min(most, requests), carried);
  }

  @Override
  public void join(
      int number, List<? extends Connection> connections, RequestLog log, Runnable whenDone) {
    new Client(this, number, connections.get(number % connections.size()), log, whenDone).start();
  }

  /** Waits for a short time, and returns whether a run has ended. */
  public static boolean hasEnded(CompletableFuture<Void> run) {
    return run.thenApply(ended -> true).completeOnTimeout(false, 200, TimeUnit.MILLISECONDS).join();
  }

  void afterLostConnection(Runnable turn) {
    AFTER_LOST_CONNECTION.execute(turn);
  }

  void later(Runnable turn, long delayNanos) {
    CompletableFuture.delayedExecutor(delayNanos, TimeUnit.NANOSECONDS, Runnable::run)
        .execute(turn);
  }

  /**
   * One client in a closed loop: sends a request, waits for its end, sends the next, until none is
   * left. The next request is sent on the thread on which the last one ended, without a hand-off.
   * If a request ends before {@code send} returns, the loop continues instead of recursing.
   */
  static final class Client extends InFlightRequest {
    private static final VarHandle PHASE;
    private static final int SENDING = 0;
    private static final int WAITING = 1;
    private static final int ENDED = 2;
    private static final long LATER = Long.MIN_VALUE;

    static {
      try {
        PHASE = MethodHandles.lookup().findVarHandle(Client.class, "phase", int.class);
      } catch (ReflectiveOperationException impossible) {
        throw new ExceptionInInitializerError(impossible);
      }
    }

    private final ClosedLoop loop;
    private final RequestLog log;
    private final Runnable whenDone;

    private volatile int phase;

    private boolean pausing;
    private long reserved = RequestCounter.NONE_LEFT;

    /** How long it thinks before it takes its next request; 0 if it has thought. */
    private long thinkNanos;

    Client(ClosedLoop loop, int number, Connection connection, RequestLog log, Runnable whenDone) {
      super(loop.requests(), loop.recorder().operations(), connection, log);
      this.loop = loop;
      this.log = log;
      this.whenDone = whenDone;
      this.thinkNanos = loop.think().firstNanos(number);
    }

    /** Starts the client; returns while requests are in flight. */
    void start() {
      loop.recorder().clientStarted(System.nanoTime());
      run();
    }

    private void run() {
      do {
        if (pausing) {
          pausing = false;
          loop.afterLostConnection(this::run);
          return;
        }
        long index = next();
        if (index == LATER) {
          return;
        }
        if (index < 0) {
          loop.recorder().clientFinished(System.nanoTime());
          log.ended();
          whenDone.run();
          return;
        }
        send(index);
      } while (!PHASE.compareAndSet(this, SENDING, WAITING));
    }

    /**
     * Takes the next request. If a rate limit delays it, it is reserved, and another thread calls
     * {@link #run} at its time, perhaps before this method returns.
     */
    private long next() {
      if (reserved >= 0) {
        long index = reserved;
        reserved = RequestCounter.NONE_LEFT;
        return loop.budget().isCancelled() ? RequestCounter.NONE_LEFT : index;
      }
      if (thinkNanos > 0) {
        long waitNanos = loop.budget().nanosAtMost(thinkNanos);
        thinkNanos = 0;
        loop.later(this::run, waitNanos);
        return LATER;
      }
      long index = loop.budget().take();
      if (index >= 0) {
        thinkNanos = loop.think().nanos();
        long waitNanos = loop.limit().waitNanos(System.nanoTime());
        if (waitNanos > 0) {
          reserved = index;
          loop.later(this::run, waitNanos);
          return LATER;
        }
      }
      return index;
    }

    private void send(long index) {
      phase = SENDING;
      long nowNanos = System.nanoTime();
      try {
        send(index, nowNanos, nowNanos);
      } catch (RuntimeException broken) { // this violates the contract, but the loop must not hang
        if (phase == SENDING) {
          failed(ErrorKind.OTHER, broken.toString());
        }
      }
    }

    @Override
    void ended(@Nullable ErrorKind kind) {
      pausing = kind == ErrorKind.CONNECTION;
      if (!PHASE.compareAndSet(this, SENDING, ENDED)) {
        run();
      }
    }
  }
}
