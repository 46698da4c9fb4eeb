package io.quorate.store.consul;

import java.util.Optional;
import java.util.concurrent.Executor;

/** A connection that carries one request at a time, in the order in which they were sent. */
interface ConsulConnection {
  /**
   * Sends a request without blocking. A request that has ended before its turn comes is not sent
   * any more.
   */
  void send(ConsulRequest request);

  default Optional<Executor> eventLoop() {
    return Optional.empty();
  }

  /** Closes the connection without waiting; the requests have been ended before. */
  void close();
}
