// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.gatling.StoreComponents.StoreSession;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Subscriptions;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a virtual user has in the store: a connection, watches, locks, registrations, leases. It
 * belongs to the event loop of the user.
 */
final class StoreUser {
  final StoreComponents store;
  private final long id;

  /** Its connection and stream of watches, shared or separate; null before their first use. */
  private @Nullable CompletableFuture<Connection> connection;

  private @Nullable CompletableFuture<Subscriptions> stream;

  /** The session of its registrations; null if it has none. */
  private @Nullable StoreSession registered;

  final Map<String, UserWatch> watches = new HashMap<>();
  final Map<String, StoreSession> locks = new HashMap<>();

  /** Leases of its keys, in their order. */
  private final Queue<Lease> leases = new ArrayDeque<>();

  private record Lease(String name, long endNanos) {}

  StoreUser(StoreComponents store, long id) {
    this.store = store;
    this.id = id;
  }

  Endpoint member() {
    return store.member(id);
  }

  /** Returns whether it need not wait for its connection. */
  boolean isConnected() {
    return store.isShared() || connection != null && connection.isDone();
  }

  /** Passes on the connection of this user, which may have to be opened before. */
  void connection(Completion completion, Consumer<Connection> use) {
    connection = StoreComponents.opened(connection, () -> store.connection(id));
    whenOpen(connection, completion, use);
  }

  /** Passes on the stream of watches of this user. */
  void stream(Turn turn, Consumer<Subscriptions> use) {
    stream = StoreComponents.opened(stream, () -> store.stream(id));
    whenOpen(stream, turn, opened -> turn.inLoop(() -> use.accept(opened)));
  }

  /** Passes on a session without a lock. */
  void freeSession(Turn turn, Consumer<StoreSession> use) {
    whenOpen(store.session(id), turn, opened -> turn.inLoop(() -> use.accept(opened)));
  }

  /** Passes on the session of the registrations of this user. */
  void registered(Turn turn, Consumer<StoreSession> use) {
    if (registered != null && !registered.lost().get()) {
      use.accept(registered);
      return;
    }
    freeSession(
        turn,
        opened -> {
          registered = opened;
          use.accept(opened);
        });
  }

  /**
   * Keeps a lease for the end of the user, unless it ends before; forgets those that have ended.
   */
  void keep(String lease, long ttlSeconds) {
    long now = System.nanoTime();
    while (!leases.isEmpty() && leases.element().endNanos - now < 0) {
      leases.remove();
    }
    leases.add(new Lease(lease, now + TimeUnit.SECONDS.toNanos(ttlSeconds)));
  }

  private static <T> void whenOpen(
      CompletableFuture<T> opening, Completion completion, Consumer<T> use) {
    opening.whenComplete(
        (opened, failure) -> {
          if (failure == null) {
            use.accept(opened);
          } else {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            completion.failed(ErrorKind.CONNECTION, String.valueOf(cause.getMessage()));
          }
        });
  }

  /** Gives everything back. Does not wait. */
  void close() {
    watches.values().forEach(UserWatch::end);
    watches.clear();
    locks.values().forEach(store::end);
    locks.clear();
    if (registered != null) {
      store.end(registered);
    }
    store.revoke(leases.stream().map(Lease::name).toList());
    if (!store.isShared() && connection != null) {
      connection.thenAccept(Connection::close);
    }
    if (!store.isShared() && stream != null) {
      stream.thenAccept(Subscriptions::close);
    }
  }
}
