package io.quorate.gatling;

import io.quorate.measure.StepRecorder;
import io.quorate.store.KeyValueDriver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that share a number of requests, each with one under way at a time.
 *
 * @param budget the requests that are left
 * @param request what each of them does
 * @param recorder what they measured
 */
record ClosedLoop(Budget budget, Request request, StepRecorder recorder) {
  /**
   * Executor that pauses after a lost connection: without a pause a client whose connection is down
   * fails again and again, and would use up the requests of the clients that still can work.
   */
  private static final Executor AFTER_LOST_CONNECTION =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS);

  /**
   * Runs a number of clients, spread evenly over the connections; completes when the last has
   * ended.
   */
  CompletableFuture<Void> run(int clients, List<? extends KeyValueDriver> connections) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    AtomicInteger running = new AtomicInteger(clients);
    for (int i = 0; i < clients; i++) {
      Runnable whenDone =
          () -> {
            if (running.decrementAndGet() == 0) {
              ended.complete(null);
            }
          };
      RequestLog log = new RequestLog(RequestListener.NOBODY);
      new Client(this, connections.get(i % connections.size()), log, whenDone).start();
    }
    return ended;
  }

  void later(Runnable turn) {
    AFTER_LOST_CONNECTION.execute(turn);
  }
}
