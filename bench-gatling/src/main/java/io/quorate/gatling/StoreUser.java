// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.QuorateException;
import io.quorate.gatling.StoreComponents.StoreSession;
import io.quorate.store.Connection;
import io.quorate.store.Endpoint;
import io.quorate.store.Session;
import io.quorate.store.Subscriptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a virtual user has in the store: a connection, watches, sessions, leases. It belongs to the
 * event loop of the user, except for its end.
 */
final class StoreUser {
  /** Stands for a lock in {@link #sessions}: no lock has this name. */
  private static final String REGISTRATIONS = "";

  final StoreComponents store;

  /** Number of users before it, which chooses its connection and its member. */
  final long number;

  private volatile boolean ended;

  /** Its connection and stream of watches, shared or separate; null before their first use. */
  private volatile @Nullable CompletableFuture<Connection> connection;

  private volatile @Nullable CompletableFuture<Subscriptions> stream;

  final Map<String, UserWatch> watches = new ConcurrentHashMap<>();

  /** Sessions by the lock that each holds or waits for. */
  final Map<String, StoreSession> sessions = new ConcurrentHashMap<>();

  /** Leases of its keys, and when they end by themselves. */
  private final Map<String, Long> leases = new ConcurrentHashMap<>();

  StoreUser(StoreComponents store, long number) {
    this.store = store;
    this.number = number;
  }

  /** Returns its number; fails after its end, when it needs nothing that is opened late. */
  long present() {
    QuorateException.throwIf(Optional.of("the user has ended").filter(any -> ended));
    return number;
  }

  Endpoint member() {
    return store.member(number);
  }

  /** Returns whether it need not wait for its connection. */
  boolean isConnected() {
    return store.isShared()
        || connection != null && connection.isDone() && !connection.isCompletedExceptionally();
  }

  /** Passes on the connection of this user, which may have to be opened before. */
  void connection(Turn turn, Consumer<Connection> use) {
    connection = StoreComponents.opened(connection, () -> store.connection(this));
    turn.use(connection, use, late -> {});
  }

  /** Passes on the stream of watches of this user. */
  void stream(Turn turn, Consumer<Subscriptions> use) {
    stream = StoreComponents.opened(stream, () -> store.stream(this));
    turn.use(stream, use, late -> {});
  }

  /** Passes on a session without a lock. */
  void freeSession(Turn turn, Consumer<StoreSession> use) {
    turn.use(store.session(this), use, store::giveBack);
  }

  /** Passes on the session of the registrations of this user. */
  void registered(Turn turn, Consumer<Session> use) {
    StoreSession before = sessions.get(REGISTRATIONS);
    if (before != null && !before.lost().get()) {
      use.accept(before.own());
      return;
    }
    end(REGISTRATIONS);
    freeSession(
        turn,
        opened -> {
          sessions.put(REGISTRATIONS, opened);
          use.accept(opened.own());
        });
  }

  /** Ends the session that holds a lock or waits for it; returns whether there is one. */
  boolean end(String lock) {
    StoreSession session = sessions.remove(lock);
    if (session != null) {
      store.end(session);
    }
    return session != null;
  }

  /** Keeps a lease for the end of the user; forgets those that have ended before. */
  void keep(String lease, long ttlSeconds) {
    long now = System.nanoTime();
    leases.values().removeIf(end -> end - now < 0);
    leases.put(lease, now + TimeUnit.SECONDS.toNanos(ttlSeconds));
    if (ended) {
      store.revoke(List.of(lease));
    }
  }

  /** Gives everything back. Does not wait. Safe for several threads. */
  void close() {
    ended = true;
    watches.values().forEach(UserWatch::end);
    sessions.keySet().forEach(this::end);
    store.revoke(leases.keySet());
    if (!store.isShared() && connection != null) {
      connection.thenAccept(Connection::close);
    }
    if (!store.isShared() && stream != null) {
      stream.thenAccept(Subscriptions::close);
    }
  }
}
