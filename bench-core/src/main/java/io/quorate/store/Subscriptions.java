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

  /**
   * Requests a report of progress from each watch, without waiting. Only for stores with {@link
   * WatchSupport#details()}.
   */
  default void requestProgress() {
    throw new UnsupportedOperationException("this client cannot request progress");
  }

  /**
   * Ends the watch of a listener and starts it again behind the last report, so that no change is
   * lost or reported twice. A watch that is alone on its stream gets another stream, on the same
   * network connection. Does not wait; does nothing if the watch is not in place. Only for stores
   * with {@link WatchSupport#details()}.
   */
  default void restart(WatchListener listener) {
    throw new UnsupportedOperationException("this client cannot restart watches");
  }

  /** Ends all watches; their reports end soon after. Does not wait for the server. Idempotent. */
  @Override
  void close();
}
