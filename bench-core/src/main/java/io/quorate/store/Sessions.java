// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

/**
 * Opens sessions of clients with a store, and owns the connections and threads that they share.
 * {@link StoreClient#sessions} creates it. Each session of ZooKeeper has a connection. Safe for
 * several threads.
 */
public interface Sessions extends AutoCloseable {
  /**
   * Opens a session, and waits until the store has granted it.
   *
   * @param home number of the member that the session uses first, from 0
   * @throws io.quorate.QuorateException if no member grants it within the request timeout
   */
  Session open(int home, SessionListener listener);

  /** Abandons all sessions, and ends what they share. Does not wait. Idempotent. */
  @Override
  void close();
}
