// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.store.LockClient;
import io.quorate.store.Session;
import io.quorate.store.SessionListener;
import io.quorate.store.Sessions;

/** A session of the store, which takes at most one lock at a time. */
final class StoreSession implements SessionListener {
  private final Session session;
  private final LockClient lock;
  private volatile boolean lost;

  /** Opens a session. Blocks. */
  @SuppressWarnings("this-escape") // the session reports to this, from its beginning
  StoreSession(Sessions sessions, int home) {
    session = sessions.open(home, this);
    lock = LockClient.ofQueue(session);
  }

  Session session() {
    return session;
  }

  LockClient lock() {
    return lock;
  }

  boolean isLost() {
    return lost;
  }

  @Override
  public void renewed(long sentNanos, long nanos) {
    // nobody asks
  }

  @Override
  public void lost(String why) {
    lost = true;
  }
}
