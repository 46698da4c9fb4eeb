package io.quorate.store.consul;

import com.orbitz.consul.Consul;
import com.orbitz.consul.ConsulException;
import io.quorate.QuorateException;
import io.quorate.store.Access;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Login;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.driver.Deadlines;
import io.quorate.store.driver.PendingRequests;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;

/**
 * Sends requests with Consul's Java client library, whose writes block: one thread of this
 * connection sends them, one after the other, and completions run on it. What it costs is why it is
 * not the default. Unlike {@link ConsulHttpConnection}, it sends a request again when a connection
 * that was used before is cut: OkHttp does, and the library has no way to say that it must not.
 */
final class ConsulLibraryConnection implements ConsulConnection {
  private static final long STACK_BYTES = 256 << 10;

  private final BlockingQueue<ConsulRequest> queue = new LinkedBlockingQueue<>();
  private final Consul consul;
  private final ConsulLibraryCalls calls;
  private final Thread thread;
  private volatile boolean closed;

  ConsulLibraryConnection(DriverSettings settings) {
    this.consul =
        secured(Consul.builder(), settings.access())
            .withUrl(settings.access().scheme() + "://" + settings.endpoint())
            .withPing(false)
            .withConnectTimeoutMillis(settings.connectTimeout().toMillis())
            .withReadTimeoutMillis(settings.requestTimeout().toMillis())
            .withWriteTimeoutMillis(settings.requestTimeout().toMillis())
            .withConnectionPool(new ConnectionPool(1, 5, TimeUnit.MINUTES))
            .build();
    this.calls = new ConsulLibraryCalls(consul);
    this.thread = new Thread(null, this::run, "consul-library", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
  }

  private static Consul.Builder secured(Consul.Builder builder, Access access) {
    if (access.login() != Login.NONE) {
      // not withAclToken, which makes the token a part of the address
      builder.withHeaders(ConsulToken.headers(access));
    }
    access
        .tls()
        .ifPresent(
            tls -> {
              builder.withSslContext(tls.context()).withTrustManager(tls.trustManager());
              if (!tls.checksName()) {
                builder.withHostnameVerifier((host, session) -> true);
              }
            });
    return builder;
  }

  /** Opens connections, only checking that the server is there. */
  static StoreClient client() {
    return new Client(ConsulStore.HTTP.start(), new Deadlines("consul-deadlines"));
  }

  /**
   * Opens connections of the library.
   *
   * @param streams opens the streams, which the library would have only with a thread for each
   *     watch
   */
  private record Client(StoreClient streams, Deadlines deadlines) implements StoreClient {
    @Override
    public Connection open(DriverSettings settings) {
      greet(settings);
      return new ConsulDriver(
          new ConsulLibraryConnection(settings),
          ConsulStore.CAPABILITIES,
          new PendingRequests(settings.requestTimeout()),
          deadlines);
    }

    @Override
    public Subscriptions subscribe(DriverSettings settings) {
      return streams.subscribe(settings);
    }

    /** Ends the threads of the streams; each connection has a thread of its own. */
    @Override
    public void close() {
      streams.close();
    }
  }

  private static void greet(DriverSettings settings) {
    var greeting =
        new ConsulLibraryConnection(
            new DriverSettings(
                settings.endpoint(),
                settings.connectTimeout(),
                settings.connectTimeout(),
                settings.access()));
    try {
      greeting.consul.statusClient().getLeader();
    } catch (ConsulException unreachable) {
      throw new QuorateException(
          "consul at " + settings.endpoint() + ": " + unreachable.getMessage(), unreachable);
    } finally {
      greeting.close();
    }
  }

  @Override
  public void send(ConsulRequest request) {
    queue.add(request);
  }

  @Override
  public void close() {
    closed = true;
    consul.destroy();
    thread.interrupt();
  }

  private void run() {
    try {
      long freeNanos = System.nanoTime();
      while (!closed) {
        ConsulRequest request = queue.take();
        if (!request.pending().ended()) {
          request.pending().sent(freeNanos);
          calls.make(request);
          freeNanos = System.nanoTime();
        }
      }
    } catch (InterruptedException end) {
      queue.clear();
    }
  }
}
