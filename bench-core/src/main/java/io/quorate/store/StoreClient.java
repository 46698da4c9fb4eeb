// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.time.Duration;
import java.util.List;

/**
 * Opens connections and streams to a store, and owns the threads that they share. Each run of a
 * store has one. Safe for several threads.
 */
public interface StoreClient extends AutoCloseable {
  /**
   * Opens one connection and waits until it can carry requests.
   *
   * @throws io.quorate.QuorateException if that takes longer than the connect timeout
   */
  Connection open(DriverSettings settings);

  /**
   * Opens a stream for watches and waits until it can carry them.
   *
   * @param settings; their request timeout is ignored
   * @throws io.quorate.QuorateException if that takes longer than the connect timeout
   * @throws UnsupportedOperationException if the store has no watches, see {@link Store#watches()}
   */
  default Subscriptions subscribe(DriverSettings settings) {
    throw new UnsupportedOperationException("this client has no watches");
  }

  /**
   * Prepares to open sessions, each of which uses one of the members at a time. Does not wait for
   * them.
   *
   * @param members the members; their request timeout is that of a request of a session
   * @param ttl time after which the store ends a session that is not kept alive, see {@link
   *     Store#sessions()}
   * @throws UnsupportedOperationException if this client cannot open sessions
   */
  default Sessions sessions(List<DriverSettings> members, Duration ttl) {
    throw new UnsupportedOperationException("this client has no sessions");
  }

  /**
   * Prepares to open clients of locks, as {@link #sessions} does for sessions. A client library
   * without locks uses the queues of sessions, see {@link Session#enqueue}.
   *
   * @throws UnsupportedOperationException if this client has no locks
   */
  default Locks locks(List<DriverSettings> members, Duration ttl) {
    return Locks.ofQueues(sessions(members, ttl));
  }

  /**
   * Prepares to open clients of elections, whose leader holds a lock. A client library that has
   * elections as well uses these.
   *
   * @throws UnsupportedOperationException if this client has no locks
   */
  default Locks elections(List<DriverSettings> members, Duration ttl) {
    return locks(members, ttl);
  }

  /**
   * Prepares the store for keys that begin with a prefix: in a store whose keys are nodes of a
   * tree, creates the nodes above them. To be called before connections are opened.
   *
   * @param prefix prefix, whose parts each end with a slash
   * @throws io.quorate.QuorateException if that fails, or the store detects existing keys with the
   *     prefix
   */
  default void enter(DriverSettings settings, String prefix) {}

  /**
   * Puts keys that differ only in their last digits into one directory, so that a range lists a
   * directory. For a store that lists the children of a node; others ignore it. To be called first.
   *
   * @param digits number of these digits, at least 1
   */
  default void group(int digits) {}

  /**
   * Removes what {@link #enter} has created, after the keys were removed, unless it is still in
   * use.
   *
   * @return whether no key with the prefix is left, although some may not have been removed before
   */
  default boolean leave(DriverSettings settings, String prefix) {
    return false;
  }

  /**
   * Returns the keys of all nodes below that of a prefix; for a store whose keys are nodes of a
   * tree, and which reads no ranges.
   */
  default List<String> nodes(DriverSettings settings, String prefix) {
    throw new UnsupportedOperationException("this client has no nodes");
  }

  /**
   * Ends leases that connections of this client were granted, with the keys that are attached to
   * them; leases that have ended already are left out. Blocks.
   *
   * @throws io.quorate.QuorateException if one cannot be ended; the others are tried, too
   */
  default void revoke(DriverSettings settings, List<String> leases) {
    throw new UnsupportedOperationException("this client has no leases");
  }

  /** Ends the shared threads, after the connections were closed. Does not wait. Idempotent. */
  @Override
  void close();
}
