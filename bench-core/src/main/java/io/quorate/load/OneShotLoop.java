// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.load.workload.RequestSource;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Clients that share a number of requests and open a connection for each. The connect time is
 * measured separately from the request. Each client has a thread, since the stores' client
 * libraries connect synchronously.
 *
 * @param limit limit of the rate of all clients together
 * @param opener opens the connection of the request with this number; fails with a {@link
 *     QuorateException} if that is not possible
 */
record OneShotLoop(
    RequestCounter budget,
    RequestSource requests,
    StepRecorder recorder,
    RateLimiter limit,
    LongFunction<Connection> opener)
    implements Loop {
  /** Pause after a connection that could not be opened, as in {@link ClosedLoop}. */
  private static final long PAUSE_NANOS = 100_000_000;

  @Override
  public void join(
      int number, List<? extends Connection> connections, RequestLog log, Runnable whenDone) {
    DaemonThreads.start("one-shot-client-" + number, () -> run(log, whenDone));
  }

  private void run(RequestLog log, Runnable whenDone) {
    recorder.clientStarted(System.nanoTime());
    long index = budget.take();
    while (index >= 0) {
      pause(limit.waitNanos(System.nanoTime()));
      if (budget.isCancelled()) {
        break;
      }
      if (!send(index, log)) {
        pause(PAUSE_NANOS);
      }
      index = budget.take();
    }
    recorder.clientFinished(System.nanoTime());
    log.ended();
    whenDone.run();
  }

  private static void pause(long nanos) {
    long endNanos = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = endNanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Connects, sends a request and waits for its end; returns false if it could not connect. */
  private boolean send(long index, RequestLog log) {
    long connectNanos = System.nanoTime();
    Connection connection;
    try {
      connection = opener.apply(index);
    } catch (QuorateException unreachable) {
      @SuppressWarnings("NullAway") // what is not sent needs no connection
      One attempt = new One(null, log);
      attempt.unsent(index, connectNanos, unreachable.getMessage());
      return false;
    }
    long sentNanos = System.nanoTime();
    recorder.connected(sentNanos - connectNanos);
    One attempt = new One(connection, log);
    try {
      attempt.send(index, sentNanos, sentNanos);
    } catch (RuntimeException broken) { // this violates the contract, but the loop must not hang
      attempt.broken(broken);
    }
    attempt.over.join();
    connection.close();
    return true;
  }

  private final class One extends InFlightRequest {
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    One(Connection connection, RequestLog log) {
      super(requests, recorder.operations(), connection, log);
    }

    void broken(RuntimeException why) {
      if (!over.isDone()) {
        failed(ErrorKind.OTHER, why.toString());
      }
    }

    @Override
    void ended(@Nullable ErrorKind kind) {
      over.complete(null);
    }
  }
}
