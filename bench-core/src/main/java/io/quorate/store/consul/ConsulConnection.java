// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import java.util.Optional;
import java.util.concurrent.Executor;

/** A connection that carries one request at a time, in the order of sending. */
interface ConsulConnection {
  /** Sends a request without blocking. A request that has ended before its turn is not sent. */
  void send(ConsulRequest request);

  default Optional<Executor> eventLoop() {
    return Optional.empty();
  }

  /** Closes the connection without waiting; the requests have been ended before. */
  void close();
}
