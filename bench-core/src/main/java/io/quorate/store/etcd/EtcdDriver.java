// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.quorate.QuorateException;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Request;
import io.quorate.store.Sessions;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.driver.Deadlines;
import io.quorate.store.driver.EventLoops;
import io.quorate.store.driver.LeaseSessions;
import io.quorate.store.driver.PendingRequest;
import io.quorate.store.driver.TimedConnection;
import io.quorate.tls.TlsProblem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Driver of etcd v3: the messages of jetcd, over gRPC on a direct HTTP/2 connection. The KV client
 * of jetcd adds a thread pool, a retry and two futures to each request. Completions run on the
 * event loop of the connection; completions of late requests run on the thread of {@link
 * Deadlines}.
 */
public final class EtcdDriver extends TimedConnection {
  /** How long a server may take to show why it refuses a connection. */
  private static final Duration TLS_LIMIT = Duration.ofSeconds(2);

  private final EtcdConnection connection;

  private EtcdDriver(
      DriverSettings settings, EtcdAccess access, EventLoops loops, Deadlines deadlines) {
    super(settings, deadlines);
    this.connection = new EtcdConnection(settings, access, loops);
  }

  /** Opens connections that share their threads and one clock for their deadlines. */
  public static StoreClient client() {
    return new Client();
  }

  private static Connection open(
      DriverSettings settings, EtcdAccess access, EventLoops loops, Deadlines deadlines) {
    var driver = new EtcdDriver(settings, access, loops, deadlines);
    await(driver.connection.ready(), settings, driver::close);
    return driver;
  }

  /** A client whose connections share event loops, one clock for their deadlines, and a login. */
  private static final class Client implements StoreClient {
    private final Deadlines deadlines = new Deadlines("etcd-deadlines");
    private final EtcdAccess.Shared access = new EtcdAccess.Shared();
    private final EventLoops loops = EventLoops.ofSockets("etcd-connection");

    @Override
    public Connection open(DriverSettings settings) {
      return EtcdDriver.open(settings, access.of(settings), loops, deadlines);
    }

    @Override
    public Subscriptions subscribe(DriverSettings settings) {
      return EtcdStream.open(settings, access.of(settings), loops);
    }

    @Override
    public Sessions sessions(List<DriverSettings> members, Duration ttl) {
      List<EtcdLeases> leases =
          members.stream().map(each -> new EtcdLeases(each, access.of(each), loops)).toList();
      return new LeaseSessions("etcd-sessions", leases, ttl);
    }

    @Override
    public void revoke(DriverSettings settings, List<String> leases) {
      try (EtcdLeases member = new EtcdLeases(settings, access.of(settings), loops)) {
        LeaseSessions.revoke(member, leases);
      }
    }

    @Override
    public void close() {
      loops.close();
    }
  }

  /** Waits until a connection can carry requests; closes it and fails if that takes too long. */
  static void await(CompletableFuture<Void> ready, DriverSettings settings, Runnable close) {
    String problem;
    try {
      ready.get(settings.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
      return;
    } catch (TimeoutException late) {
      problem = "no connection within " + settings.connectTimeout().toMillis() + " ms";
    } catch (ExecutionException refused) {
      problem = "cannot connect";
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      problem = "interrupted while connecting";
    }
    close.run();
    Endpoint server = settings.endpoint();
    String why =
        settings
            .access()
            .tls()
            .flatMap(tls -> TlsProblem.ofConnection(tls, server.host(), server.port(), TLS_LIMIT))
            .orElse("is the server running there?");
    throw new QuorateException("etcd at " + server + ": " + problem + "; " + why);
  }

  @Override
  public void submit(Request asked, Completion completion) {
    PendingRequest request = pending.add(Compaction.outcome(asked, completion));
    if (!request.ended()) {
      connection.send(new EtcdCall(asked, request));
    }
  }

  @Override
  public Optional<Executor> eventLoop() {
    return Optional.of(connection.loop());
  }

  @Override
  protected void end() {
    connection.close();
  }
}
