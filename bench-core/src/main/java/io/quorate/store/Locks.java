// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

/** Opens clients of locks, and owns what they share. Safe for several threads. */
public interface Locks extends AutoCloseable {
  /**
   * Opens a client, and waits until the store has granted its session.
   *
   * @param home number of the member that it uses first, from 0
   * @throws io.quorate.QuorateException if no member grants it within the request timeout
   */
  LockClient open(int home, SessionListener listener);

  /** Returns locks whose clients wait in the queues of sessions, and close these sessions. */
  static Locks ofQueues(Sessions sessions) {
    return new Locks() {
      @Override
      public LockClient open(int home, SessionListener listener) {
        return LockClient.ofQueue(sessions.open(home, listener));
      }

      @Override
      public void close() {
        sessions.close();
      }
    };
  }

  /** Abandons all clients, and ends what they share. Does not wait. Idempotent. */
  @Override
  void close();
}
