// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.quorate.QuorateException;
import io.quorate.store.Answer;
import io.quorate.store.Capabilities;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.Sessions;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.WatchSupport;
import io.quorate.store.driver.ConnectionLimit;
import io.quorate.store.driver.Deadlines;
import io.quorate.store.driver.EventLoops;
import io.quorate.store.driver.LeaseSessions;
import io.quorate.store.driver.PendingRequest;
import io.quorate.store.driver.PendingRequests;
import io.quorate.store.driver.SharedTls;
import io.quorate.store.driver.TimedConnection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Driver of Consul over HTTP, on a separate connection: see {@link ConsulHttpConnection}. Such a
 * connection carries one request at a time. So requests of several clients on one driver wait for
 * each other, and their latency and deadline include that wait. Completions run on the event loop
 * of the connection; completions of late requests run on the thread of {@link Deadlines}.
 *
 * <p>Consul's Java client library is not the default, see {@link ConsulStore}. It blocks a thread
 * for each request, needs several times the CPU time, and repeats a write by itself when the
 * connection is lost. The values are in the guide, clients.md.
 */
public final class ConsulDriver extends TimedConnection {
  /** The read of a key that need not exist, to check whether a server is ready. */
  public static final Request ANY_KEY =
      new Request.Get("quorate".getBytes(UTF_8), ReadConsistency.SERIALIZABLE);

  static final ConnectionLimit LIMIT =
      new ConnectionLimit("limits.http_max_conns_per_client of Consul, 200 by default");

  private static final Executor SOON =
      CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run);

  private final ConsulConnection connection;
  private final Capabilities capabilities;

  ConsulDriver(
      DriverSettings settings,
      ConsulConnection connection,
      Capabilities capabilities,
      Deadlines deadlines) {
    super(settings, deadlines);
    this.connection = connection;
    this.capabilities = capabilities;
  }

  /**
   * Opens connections that share their threads and one clock for their deadlines.
   *
   * @param id name of the threads, and of the store in messages
   * @param question request that checks whether a server is ready
   */
  public static StoreClient client(
      String id, Request question, Capabilities capabilities, WatchSupport watches) {
    Deadlines deadlines = new Deadlines(id + "-deadlines");
    EventLoops loops = EventLoops.ofSockets(id + "-connection");
    return new Client(id, question, capabilities, watches, deadlines, loops, new SharedTls());
  }

  private record Client(
      String id,
      Request question,
      Capabilities capabilities,
      WatchSupport watches,
      Deadlines deadlines,
      EventLoops loops,
      SharedTls tls)
      implements StoreClient {
    @Override
    public Connection open(DriverSettings settings) {
      var driver =
          new ConsulDriver(
              settings,
              new ConsulHttpConnection(settings, tls.of(settings), loops),
              capabilities,
              deadlines);
      try {
        driver.await(id, question, settings);
        return driver;
      } catch (QuorateException unreachable) {
        driver.close();
        throw unreachable;
      }
    }

    /**
     * Returns a stream, after the server has answered on another connection, which is closed again.
     */
    @Override
    public Subscriptions subscribe(DriverSettings settings) {
      open(settings).close();
      return new ConsulWatch.Stream(settings, tls.of(settings), loops, watches);
    }

    @Override
    public Sessions sessions(List<DriverSettings> members, Duration ttl) {
      return new LeaseSessions(
          id + "-sessions", members.stream().map(ConsulLeases::new).toList(), ttl);
    }

    @Override
    public void revoke(DriverSettings settings, List<String> leases) {
      LeaseSessions.revoke(new ConsulLeases(settings), leases);
    }

    @Override
    public void close() {
      loops.close();
    }
  }

  /** Waits for an answer, even if the timeout of the later requests is short. */
  private void await(String id, Request question, DriverSettings settings) {
    var ready = new CompletableFuture<Void>();
    var questions = new PendingRequests(settings.connectTimeout());
    String problem;
    try {
      ask(question, questions, ready);
      ready.get(settings.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
      return;
    } catch (TimeoutException late) {
      problem =
          "no answer within %d ms; %s"
              .formatted(
                  settings.connectTimeout().toMillis(),
                  LIMIT.orElse("has it a leader?", settings.endpoint()));
    } catch (ExecutionException refused) {
      problem =
          Objects.requireNonNull(refused.getCause()).getMessage()
              + "; "
              + LIMIT.orElse("is the server running there?", settings.endpoint());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      problem = "interrupted while connecting";
    } finally {
      ready.cancel(false);
      questions.close();
    }
    throw new QuorateException(id + " at " + settings.endpoint() + ": " + problem);
  }

  private void ask(Request question, PendingRequests questions, CompletableFuture<Void> ready) {
    if (!ready.isDone()) {
      Runnable again = () -> SOON.execute(() -> ask(question, questions, ready));
      send(question, questions.add(new Greeting(ready, again)));
    }
  }

  @Override
  public void submit(Request request, Completion completion) {
    switch (request.operation()) {
      case PUT, GET, DELETE -> send(request, pending.add(completion));
      default -> {
        capabilities.require(request);
        send(request, pending.add(completion));
      }
    }
  }

  private void send(Request asked, PendingRequest request) {
    if (!request.ended()) {
      connection.send(new ConsulRequest(asked, request));
    }
  }

  @Override
  public int mostInFlight() {
    return 1;
  }

  @Override
  public Optional<Executor> eventLoop() {
    return connection.eventLoop();
  }

  @Override
  protected void end() {
    connection.close();
  }

  /** Accepts any answer as a sign of life, except that there is no leader yet. */
  private record Greeting(CompletableFuture<Void> ready, Runnable again) implements Completion {
    @Override
    public void answered(Answer answer) {
      if (answer instanceof Answer.Found found && found.value().length == 0) {
        again.run();
      } else {
        ready.complete(null);
      }
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      if (kind.isRefusal()) {
        again.run();
      } else {
        ready.completeExceptionally(new QuorateException(message));
      }
    }
  }
}
