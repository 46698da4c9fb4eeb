// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.gatling.core.CoreComponents;
import io.gatling.core.protocol.ProtocolComponents;
import io.gatling.core.session.Session;
import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.scenario.Routing;
import io.quorate.store.Access;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Sessions;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.driver.FailoverClient;
import io.quorate.store.server.ServerProtocol;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.runtime.BoxedUnit;

/**
 * A protocol while a simulation runs: its client, the connections that users share, and the users.
 * What blocks, such as opening a connection, happens on a few threads, never on an event loop.
 */
final class StoreComponents implements ProtocolComponents {
  private static final int THREADS = 16;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final CoreComponents core;
  private final StoreProtocol<?> protocol;
  private final Map<Long, StoreUser> users = new ConcurrentHashMap<>();

  /** The streams of watches that users share, by member. */
  private final Map<Endpoint, CompletableFuture<Subscriptions>> streams = new ConcurrentHashMap<>();

  /** All sessions that are open, including those of users that have ended. */
  private final Set<StoreSession> open = ConcurrentHashMap.newKeySet();

  /** Sessions that hold no lock, for the next user. */
  private final Queue<StoreSession> idle = new ConcurrentLinkedQueue<>();

  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, DaemonThreads.named("gatling-store"));

  private List<Endpoint> members = List.of();
  private List<MemberConnection> shared = List.of();
  private Access access = Access.PLAIN;

  /** The client of the store; null before the beginning. */
  private @Nullable StoreClient client;

  /** The client that opens connections; it may move them to other members. */
  private @Nullable StoreClient opener;

  private @Nullable Sessions sessions;

  StoreComponents(CoreComponents core, StoreProtocol<?> protocol) {
    this.core = core;
    this.protocol = protocol;
  }

  /** A connection, and the member that it was opened to. */
  record MemberConnection(Connection connection, Endpoint first) {
    /** Returns the member that it uses now. */
    Endpoint member() {
      return connection.member().orElse(first);
    }
  }

  StoreProtocol<?> protocol() {
    return protocol;
  }

  /**
   * Opens the shared connections, once. Blocks.
   *
   * @throws QuorateException if one cannot be opened
   */
  void open() {
    if (client != null) {
      return;
    }
    access = protocol.access();
    client = protocol.store.clients().get(0).start();
    opener = protocol.failover ? new FailoverClient(client, protocol.endpoints, 1) : client;
    core.actorSystem()
        .registerOnTermination(
            () -> {
              close();
              return BoxedUnit.UNIT;
            });
    members =
        protocol.endpoints.stream()
            .filter(
                each ->
                    protocol.routing == Routing.SPREAD
                        || leads(each) == (protocol.routing == Routing.LEADER))
            .toList();
    if (members.isEmpty()) {
      throw new QuorateException(protocol + ": no member to connect to");
    }
    try {
      shared =
          LongStream.range(0, protocol.connections)
              .mapToObj(number -> blocking(() -> connect(number)))
              .toList()
              .stream()
              .map(CompletableFuture::join)
              .toList();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof QuorateException cause ? cause : failed;
    }
  }

  private boolean leads(Endpoint member) {
    ServerProtocol servers = Stores.servers(protocol.store).kinds().get(0).protocol();
    try {
      return servers.ask(member, access, ServerProtocol.TIMEOUT).leads();
    } catch (IOException silent) {
      return false;
    }
  }

  private DriverSettings settings(Endpoint member) {
    return new DriverSettings(member, protocol.requestTimeout, CONNECT_TIMEOUT, access);
  }

  /** Opens a connection. Blocks. */
  MemberConnection connect(long number) {
    Endpoint member = member(number);
    return new MemberConnection(Objects.requireNonNull(opener).open(settings(member)), member);
  }

  Endpoint member(long number) {
    return members.get((int) (number % members.size()));
  }

  boolean isShared() {
    return protocol.connections > 0;
  }

  /** Returns the connection that a user shares with others. */
  MemberConnection sharedBy(long user) {
    return shared.get((int) (user % shared.size()));
  }

  /** Returns the stream of watches of a user, which is separate if its connection is. */
  CompletableFuture<Subscriptions> stream(long user) {
    Endpoint member = member(user);
    StoreClient opening = Objects.requireNonNull(client);
    Supplier<CompletableFuture<Subscriptions>> another =
        () -> blocking(() -> opening.subscribe(settings(member)));
    return isShared()
        ? streams.compute(
            member,
            (any, made) -> made == null || made.isCompletedExceptionally() ? another.get() : made)
        : another.get();
  }

  /** Opens a session at a member that the number selects. Blocks. */
  StoreSession openSession(long number) {
    StoreSession opened = new StoreSession(sessions(), (int) (number % members.size()));
    open.add(opened);
    return opened;
  }

  private synchronized Sessions sessions() {
    if (sessions == null) {
      List<DriverSettings> all = members.stream().map(this::settings).toList();
      sessions = Objects.requireNonNull(client).sessions(all, protocol.sessionTtl);
    }
    return sessions;
  }

  /** Returns a session that another user has left; null if there is none. */
  @Nullable StoreSession idleSession() {
    StoreSession found = idle.poll();
    while (found != null && found.isLost()) {
      open.remove(found);
      found = idle.poll();
    }
    return found;
  }

  /** Takes back a session without a lock, for the next user. */
  void giveBack(StoreSession session) {
    idle.add(session);
  }

  /** Ends a session in the store, with its locks and keys. Does not wait. */
  void end(StoreSession session) {
    if (open.remove(session)) {
      session.session().close();
    }
  }

  /** Ends leases, with their keys, at the first member that does. Blocks. */
  void revoke(List<String> leases) {
    for (Endpoint member : leases.isEmpty() ? List.<Endpoint>of() : members) {
      try {
        Objects.requireNonNull(client).revoke(settings(member), leases);
        return;
      } catch (QuorateException notThere) {
        // the next member may end them; otherwise they end by themselves
      }
    }
  }

  /** Runs work that may block, on another thread. */
  <T> CompletableFuture<T> blocking(Supplier<T> work) {
    try {
      return CompletableFuture.supplyAsync(work, threads);
    } catch (RejectedExecutionException over) {
      return CompletableFuture.failedFuture(over);
    }
  }

  /** Runs work that may block, on another thread, or here at the end of the simulation. */
  void later(Runnable work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException over) {
      work.run();
    }
  }

  StoreUser user(long id) {
    return users.computeIfAbsent(id, absent -> new StoreUser(this, id));
  }

  @Override
  public Function1<Session, Session> onStart() {
    return session -> session;
  }

  @Override
  public Function1<Session, BoxedUnit> onExit() {
    return session -> {
      StoreUser ended = users.remove(session.userId());
      if (ended != null) {
        ended.close();
      }
      return BoxedUnit.UNIT;
    };
  }

  /** Ends all that is open, including that of users that the end of the simulation cuts off. */
  private void close() {
    threads.shutdown();
    try {
      threads.awaitTermination(CONNECT_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    users.values().forEach(StoreUser::close);
    if (protocol.store.sessions().filter(each -> !each.connected()).isPresent()) {
      // sessions are leases, and this waits until the store has ended them
      revoke(open.stream().map(each -> each.session().id()).toList());
    }
    List.copyOf(open).forEach(this::end);
    streams.values().forEach(each -> each.thenAccept(Subscriptions::close));
    shared.forEach(each -> each.connection().close());
    if (sessions != null) {
      sessions.close();
    }
    Objects.requireNonNull(opener).close(); // it also closes the client
  }
}
