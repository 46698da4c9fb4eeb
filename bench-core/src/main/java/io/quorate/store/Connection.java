// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * One open connection to one member of a store, through that store's client library.
 *
 * <p>Requests do not block and may be pipelined from any thread. Each is one attempt, without retry
 * or logging. After its deadline (see {@link DriverSettings#requestTimeout()}) it fails with {@link
 * ErrorKind#TIMEOUT}. So every request ends exactly once.
 */
public interface Connection extends AutoCloseable {
  /**
   * Sends a request. The completion is notified when the request was written, see {@link
   * Completion#sent}. If a client library does not report that, the time of the call of the library
   * counts.
   *
   * @param request request of an operation that the store supports, see {@link
   *     Store#capabilities()}
   * @throws IllegalArgumentException if the store does not support it, with the reason
   */
  void submit(Request request, Completion completion);

  /**
   * Returns the thread on which completions run, so that its delay can be probed; empty if the
   * client library takes no tasks there. It may refuse a task with a {@link
   * java.util.concurrent.RejectedExecutionException} while there is no connection.
   */
  default Optional<Executor> eventLoop() {
    return Optional.empty();
  }

  /** Returns the member that it uses now; empty if there are no servers. */
  default Optional<Endpoint> member() {
    return Optional.empty();
  }

  /**
   * Returns how many requests it carries at a time; others wait within it, with their deadlines.
   */
  default int mostInFlight() {
    return Integer.MAX_VALUE;
  }

  /**
   * Ends the connection; requests that are in flight, and all later ones, fail with CONNECTION.
   * Does not wait for the server. Idempotent; not to be called by a completion.
   */
  @Override
  void close();
}
