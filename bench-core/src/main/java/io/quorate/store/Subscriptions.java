// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

/**
 * A stream on which one member of a store reports changes. {@link StoreClient#subscribe} creates
 * it, with one or several separate network connections.
 *
 * <p>Safe for several threads. The events of one watch arrive in the order of the store. A lost
 * stream is reconnected, about once a second, until it is closed.
 */
public interface Subscriptions extends AutoCloseable {
  /**
   * Starts a watch, without waiting for it.
   *
   * @param watch watch that the store supports, see {@link Store#watches()}
   * @throws IllegalArgumentException if the store does not support it
   */
  void watch(Watch watch, WatchListener listener);

  /**
   * Ends the watch of a listener, which may get some last reports meanwhile. Does not wait for the
   * server. Does nothing if there is no such watch.
   */
  void unwatch(WatchListener listener);

  /** Ends all watches; their reports end soon after. Does not wait for the server. Idempotent. */
  @Override
  void close();
}
