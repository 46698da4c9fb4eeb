// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.store.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends the requests of a step by the rule of a load model. */
interface Loop {
  /**
   * Adds a client of a closed loop, or a connection of an open one. A closed loop begins with the
   * first client, an open one with the last connection.
   *
   * @param number number of the client or connection, from 0
   * @param whenDone runs when its last request has ended
   */
  void join(int number, List<? extends Connection> connections, RequestLog log, Runnable whenDone);

  /** Returns when it fell behind its schedule, after the last request has ended. */
  default List<LoadGeneratorStall> stalls() {
    return List.of();
  }

  /** Runs clients, spread evenly over the connections; completes when the last has ended. */
  default CompletableFuture<Void> run(int clients, List<? extends Connection> connections) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    AtomicInteger running = new AtomicInteger(clients);
    if (clients == 0) { // of a part of a warm-up that was cancelled before
      ended.complete(null);
    }
    for (int i = 0; i < clients; i++) {
      Runnable whenDone =
          () -> {
            if (running.decrementAndGet() == 0) {
              ended.complete(null);
            }
          };
      join(i, connections, new RequestLog(RequestListener.NOBODY), whenDone);
    }
    return ended;
  }
}
