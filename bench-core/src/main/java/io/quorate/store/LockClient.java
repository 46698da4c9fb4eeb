// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

/**
 * A client that takes locks, one at a time, and whose session a store ends unless it is kept alive.
 * No method waits for the store. Its calls do not overlap.
 */
public interface LockClient extends AutoCloseable {
  /** Returns a client that waits in the queues of a session, and closes it. */
  static LockClient ofQueue(Session session) {
    return new QueueLock(session);
  }

  /**
   * Takes a lock; waits, without a limit, until no other client holds it.
   *
   * @param lock key of the lock, which exists
   * @param completion receives {@link Answer.Written} with a fencing token, which is greater than
   *     all earlier ones of this lock, {@link Answer#NO_REVISION} if the client library does not
   *     report it; or a failure, after which it is unknown whether the client holds the lock
   */
  void acquire(byte[] lock, Completion completion);

  /**
   * Releases the lock that it holds.
   *
   * @param completion receives {@link Answer.Written}; {@link Answer.Missing} if the client does
   *     not hold it any more, and the store detects that; or a failure
   */
  void release(Completion completion);

  /**
   * Returns how many requests the last lock has needed so far; 0 if the client library hides them.
   */
  int requests();

  /** Stops the keep-alives without telling the store, as if the client had died. Idempotent. */
  void abandon();

  /** Ends the session in the store, with its lock. Idempotent. */
  @Override
  void close();
}
