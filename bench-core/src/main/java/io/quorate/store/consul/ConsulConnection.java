package io.quorate.store.consul;

import io.quorate.store.KeyValueDriver;
import java.util.Optional;
import java.util.concurrent.Executor;

/** A connection that carries one request at a time, in the order in which they were sent. */
interface ConsulConnection {
  /** Does not block. A request that has ended before its turn comes is not sent any more. */
  void send(ConsulRequest request);

  /** See {@link KeyValueDriver#eventLoop()}. */
  default Optional<Executor> eventLoop() {
    return Optional.empty();
  }

  /** Does not wait; the requests have been ended before. */
  void close();
}
