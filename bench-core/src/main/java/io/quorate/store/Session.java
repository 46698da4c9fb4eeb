// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.time.Duration;

/**
 * A session of a client, which a store ends unless it is kept alive. {@link Sessions#open} opens
 * it. Safe for several threads; no method waits for the store.
 *
 * <p>It is kept alive by itself, by the store's own means, every third of its TTL: one request to
 * one member. If that fails, or takes longer than a third of the TTL, the next member is tried, at
 * most every 500 ms. A session of ZooKeeper looks for another member after two thirds of the TTL
 * without an answer, as its own client does.
 */
public interface Session extends AutoCloseable {
  /** Returns the name of the session in the store. */
  String id();

  /** Returns the TTL that the store granted, which may differ from the requested one. */
  Duration ttl();

  /**
   * Creates a key that the store removes with the session, as a lock does. Its value is the name of
   * the session. One attempt, at the member that the session uses now.
   *
   * @param completion receives {@link Answer.Written} with a fencing token, which is greater than
   *     all earlier ones of this key; {@link Answer.Conflict} if the key exists; or a failure, for
   *     example because the session has ended
   */
  void acquire(byte[] key, Completion completion);

  /**
   * Removes a key that this session has created. One attempt.
   *
   * @param completion receives {@link Answer.Written}; {@link Answer.Missing} if this session does
   *     not hold the key; or a failure
   */
  void release(byte[] key, Completion completion);

  /**
   * Joins the queue of a lock, behind all that are in it: creates a key of this session below the
   * key of the lock. One attempt, at the member that the session uses now.
   *
   * @param lock key of the lock. It exists, and no other key begins with it and a slash
   * @param completion receives the {@link Answer.Place} of this session, whose revision is a
   *     fencing token: it is greater than all earlier ones of this lock; or a failure
   */
  void enqueue(byte[] lock, Completion completion);

  /**
   * Looks for the place directly before another one. One attempt, which reads the latest state.
   *
   * @param place place from {@link #enqueue}
   * @param completion receives the {@link Answer.Place} before it; {@link Answer.Missing} if it is
   *     the first one, whose session holds the lock; or a failure, which is {@link
   *     ErrorKind#REJECTED} if the place itself does not exist any more
   */
  void predecessor(byte[] lock, Answer.Place place, Completion completion);

  /**
   * Waits, without a limit, until a place does not exist. A session of leases that is closed or
   * abandoned ends the wait.
   *
   * @param place place from {@link #predecessor}
   * @param completion receives {@link Answer.Missing}; or a failure, for example because the
   *     connection was lost
   */
  void awaitRemoval(Answer.Place place, Completion completion);

  /**
   * Leaves the queue of a lock. One attempt.
   *
   * @param place place from {@link #enqueue}
   * @param completion receives {@link Answer.Written}; {@link Answer.Missing} from a store that
   *     detects that the place does not exist any more; or a failure
   */
  void leave(Answer.Place place, Completion completion);

  /**
   * Stops the keep-alives without telling the store, as if the client had died. A keep-alive that
   * is in flight is still reported. Idempotent.
   */
  void abandon();

  /** Ends the session in the store, with its keys. Idempotent. */
  @Override
  void close();
}
