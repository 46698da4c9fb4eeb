package io.quorate.load;

import io.quorate.load.workload.RequestSource;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Clients that share a number of requests, each with one under way at a time.
 *
 * @param budget the requests that are left
 * @param requests what each of them does
 * @param recorder what they measured
 * @param limit how many of them are sent in a second
 */
public record ClosedLoop(
    RequestCounter budget, RequestSource requests, StepRecorder recorder, RateLimiter limit)
    implements Loop {
  /**
   * Executor that pauses after a lost connection: without a pause a client whose connection is down
   * fails again and again, and would use up the requests of the clients that still can work.
   */
  private static final Executor AFTER_LOST_CONNECTION =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

  @Override
  public void join(
      int number, List<? extends Connection> connections, RequestLog log, Runnable whenDone) {
    new Client(this, connections.get(number % connections.size()), log, whenDone).start();
  }

  void afterLostConnection(Runnable turn) {
    AFTER_LOST_CONNECTION.execute(turn);
  }

  void later(Runnable turn, long delayNanos) {
    CompletableFuture.delayedExecutor(delayNanos, TimeUnit.NANOSECONDS, Runnable::run)
        .execute(turn);
  }
}
