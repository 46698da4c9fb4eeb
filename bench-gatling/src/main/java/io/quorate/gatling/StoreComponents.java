// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.gatling.core.CoreComponents;
import io.gatling.core.protocol.ProtocolComponents;
import io.gatling.core.session.Session;
import io.quorate.DaemonThreads;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.load.Connector;
import io.quorate.scenario.Routing;
import io.quorate.store.Access;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.LockClient;
import io.quorate.store.SessionSupport;
import io.quorate.store.Sessions;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.driver.FailoverClient;
import io.quorate.store.server.ServerProtocol;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.runtime.BoxedUnit;

/**
 * A protocol while a simulation runs: its client, the connections that users share, and the users.
 * What blocks, such as opening a connection, happens on a few threads, never on an event loop.
 */
final class StoreComponents implements ProtocolComponents {
  private static final int THREADS = 16;
  private static final int END_SECONDS = 10;

  final StoreProtocol protocol;
  private final StoreClient client;
  private final Connector connector;
  private final List<DriverSettings> members;

  /** All members, for sessions and leases; first those of the routing. */
  private final Connector all;

  /** Connections that users share; none if each user has a separate one. */
  private final List<Connection> shared;

  private final Map<Long, StoreUser> users = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /** The streams of watches that users share, by the place of their member. */
  private final Map<Integer, CompletableFuture<Subscriptions>> streams = new ConcurrentHashMap<>();

  /** All sessions that are open, including those of users that have ended. */
  private final Set<StoreSession> open = ConcurrentHashMap.newKeySet();

  /** Sessions that hold no lock, for the next user. */
  private final Queue<StoreSession> idle = new ConcurrentLinkedQueue<>();

  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, DaemonThreads.named("gatling-store"));

  /** Leases that the next task of {@link #endings} ends, all at once. */
  private final LinkedBlockingQueue<String> ending = new LinkedBlockingQueue<>();

  private final ExecutorService endings =
      Executors.newSingleThreadExecutor(DaemonThreads.named("gatling-store-end"));

  private final Thread interruption = new Thread(this::close, "interrupted-simulation");
  private volatile boolean closed;
  private @Nullable Sessions sessions;

  /** A session of the store, which takes at most one lock at a time. */
  record StoreSession(io.quorate.store.Session own, LockClient lock, AtomicBoolean lost) {}

  /**
   * Opens the shared connections. Blocks.
   *
   * @throws QuorateException if one cannot be opened
   */
  StoreComponents(CoreComponents core, StoreProtocol protocol) {
    this.protocol = protocol;
    Access access = protocol.access();
    List<Endpoint> routed =
        protocol.endpoints.stream()
            .filter(each -> protocol.routing == Routing.SPREAD || isRouted(each, access))
            .toList();
    if (routed.isEmpty()) {
      throw new QuorateException(protocol + ": no member to connect to");
    }
    StoreClient plain = protocol.store.clients().get(0).start();
    client = protocol.failover ? new FailoverClient(plain, protocol.endpoints, 1) : plain;
    connector = new Connector(client, routed, protocol.requestTimeout, access);
    members = connector.settings();
    all =
        connector.to(
            Stream.concat(routed.stream(), protocol.endpoints.stream()).distinct().toList());
    shared =
        protocol.connections > 0 ? connector.open(protocol.connections, () -> false) : List.of();
    Runtime.getRuntime().addShutdownHook(interruption);
    core.actorSystem()
        .registerOnTermination(
            () -> {
              try {
                Runtime.getRuntime().removeShutdownHook(interruption);
                close();
              } catch (IllegalStateException ending) {
                // the interruption closes it
              }
              return BoxedUnit.UNIT;
            });
  }

  private boolean isRouted(Endpoint member, Access access) {
    ServerProtocol servers = Stores.servers(protocol.store).kinds().get(0).protocol();
    try {
      ServerProtocol.State state = servers.ask(member, access, ServerProtocol.TIMEOUT);
      return switch (protocol.routing) {
        case SPREAD, NEAREST -> true;
        case LEADER -> state.leads();
        case FOLLOWERS -> !state.leads();
        case NON_VOTER -> !state.votes();
      };
    } catch (IOException silent) {
      return protocol.routing == Routing.FOLLOWERS;
    }
  }

  boolean isShared() {
    return !shared.isEmpty();
  }

  /** Returns the place of the member of a user: that of its connection. */
  private int home(long user) {
    return (int) ((isShared() ? user % shared.size() : user) % members.size());
  }

  Endpoint member(long user) {
    return members.get(home(user)).endpoint();
  }

  /** Returns the connection that a user shares with others, or opens a separate one. */
  CompletableFuture<Connection> connection(StoreUser user) {
    return isShared()
        ? CompletableFuture.completedFuture(shared.get((int) (user.number % shared.size())))
        : blocking(() -> connector.openOne(user.present()));
  }

  /** Returns the stream of watches of a user, which is separate if its connection is. */
  CompletableFuture<Subscriptions> stream(StoreUser user) {
    DriverSettings home = members.get(home(user.number));
    var inTime =
        new DriverSettings(
            home.endpoint(), home.requestTimeout(), home.requestTimeout(), home.access());
    return isShared()
        ? streams.compute(
            home(user.number),
            (any, before) -> opened(before, () -> blocking(() -> client.subscribe(inTime))))
        : blocking(
            () -> {
              user.present();
              return client.subscribe(inTime);
            });
  }

  /** Returns a session without a lock: one that another user has left, or a new one. */
  CompletableFuture<StoreSession> session(StoreUser user) {
    return idle()
        .map(CompletableFuture::completedFuture)
        .orElseGet(() -> blocking(() -> idle().orElseGet(() -> open(user.present()))));
  }

  private Optional<StoreSession> idle() {
    StoreSession found = idle.poll();
    while (found != null && found.lost().get()) {
      open.remove(found);
      found = idle.poll();
    }
    return Optional.ofNullable(found);
  }

  /** Opens a session at the member of a user. Blocks. */
  private StoreSession open(long user) {
    AtomicBoolean lost = new AtomicBoolean();
    io.quorate.store.Session own = sessions().open(home(user), why -> lost.set(true));
    StoreSession opened = new StoreSession(own, LockClient.ofQueue(own), lost);
    open.add(opened);
    return opened;
  }

  private synchronized Sessions sessions() {
    if (sessions == null) {
      sessions = client.sessions(all.settings(), protocol.sessionTtl);
    }
    return sessions;
  }

  /** Takes back a session without a lock, for the next user. */
  void giveBack(StoreSession session) {
    idle.add(session);
  }

  /** Ends a session in the store, with its locks and keys. Does not wait. */
  void end(StoreSession session) {
    if (!open.remove(session)) {
      return;
    }
    if (protocol.store.sessions().filter(SessionSupport::connected).isPresent()) {
      session.own().close();
    } else {
      session.own().abandon();
      revoke(List.of(session.own().id()));
    }
  }

  /**
   * Ends leases, with their keys, at the first member that does; if none does, they end by
   * themselves. Does not wait.
   */
  void revoke(Collection<String> leases) {
    if (ending.addAll(leases) && !endings.isShutdown()) {
      CompletableFuture.runAsync(
          () -> {
            List<String> some = new ArrayList<>();
            if (ending.drainTo(some) > 0) {
              all.atAny(member -> client.revoke(member, some));
            }
          },
          endings);
    }
  }

  /** Runs work that may block, on another thread. */
  private <T> CompletableFuture<T> blocking(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work, threads);
  }

  /** Returns what was opened, or is being opened; opens it if it is missing or has failed. */
  static <T> CompletableFuture<T> opened(
      @Nullable CompletableFuture<T> before, Supplier<CompletableFuture<T>> opening) {
    return before == null || before.isCompletedExceptionally() ? opening.get() : before;
  }

  StoreUser user(long id) {
    if (closed) {
      throw new QuorateException("the simulation has ended");
    }
    return users.computeIfAbsent(id, absent -> new StoreUser(this, numbers.getAndIncrement()));
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
    closed = true;
    users.values().forEach(StoreUser::close);
    List.copyOf(open).forEach(this::end);
    await(threads);
    List.copyOf(open).forEach(this::end); // those that were opened meanwhile
    await(endings);
    streams.values().forEach(each -> each.thenAccept(Subscriptions::close));
    shared.forEach(Connection::close);
    if (sessions != null) {
      sessions.close();
    }
    client.close();
  }

  private static void await(ExecutorService work) {
    work.shutdown();
    Pause.until(() -> work.awaitTermination(END_SECONDS, TimeUnit.SECONDS));
  }
}
