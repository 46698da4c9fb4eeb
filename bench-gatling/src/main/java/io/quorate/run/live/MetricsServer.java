package io.quorate.run.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Serves metrics as {@code /metrics} over HTTP, on one address, without authentication. */
public final class MetricsServer implements AutoCloseable {
  private static final String PATH = "/metrics";
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int THREADS = 2;

  /** Limits of the JDK's server, read when the first one is made: seconds, and connections. */
  private static final Map<String, String> LIMITS =
      Map.of(
          "sun.net.httpserver.maxReqTime", "10",
          "sun.net.httpserver.maxRspTime", "10",
          "sun.net.httpserver.idleInterval", "60",
          "sun.net.httpserver.maxReqHeaders", "50",
          "sun.net.httpserver.nodelay", "true",
          "jdk.httpserver.maxConnections", "20");

  private final HttpServer server;
  private final ExecutorService threads;

  private MetricsServer(HttpServer server, Supplier<String> metrics) {
    this.server = server;
    this.threads =
        Executors.newFixedThreadPool(
            THREADS,
            work -> {
              Thread thread = new Thread(work, "metrics");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, metrics));
  }

  /**
   * Starts to serve.
   *
   * @param metrics returns what is served, for each request anew
   * @throws QuorateException if the address cannot be listened on
   */
  public static MetricsServer start(Endpoint address, Supplier<String> metrics) {
    LIMITS.forEach(
        (name, value) -> {
          if (System.getProperty(name) == null) {
            System.setProperty(name, value);
          }
        });
    try {
      MetricsServer started = new MetricsServer(HttpServer.create(resolved(address), 0), metrics);
      started.server.start();
      return started;
    } catch (IOException impossible) {
      throw unusable(address, impossible);
    }
  }

  /**
   * Checks that an address can be listened on.
   *
   * @throws QuorateException if it cannot
   */
  public static void require(Endpoint address) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(resolved(address));
    } catch (IOException impossible) {
      throw unusable(address, impossible);
    }
  }

  private static InetSocketAddress resolved(Endpoint address) throws IOException {
    return new InetSocketAddress(InetAddress.getByName(address.host()), address.port());
  }

  private static QuorateException unusable(Endpoint address, IOException cause) {
    return new QuorateException(
        "metrics: cannot listen on %s: %s: choose another address with -Dmetrics=HOST:PORT (or --metrics), or leave it out"
            .formatted(address, FileFailure.reason(cause)),
        cause);
  }

  private static void answer(HttpExchange exchange, Supplier<String> metrics) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        send(exchange, METHOD_NOT_ALLOWED, "text/plain; charset=utf-8", "only GET\n");
      } else if (exchange.getRequestURI().getPath().equals(PATH)) {
        send(exchange, OK, PrometheusText.CONTENT_TYPE, metrics.get());
      } else {
        send(exchange, NOT_FOUND, "text/plain; charset=utf-8", "see " + PATH + "\n");
      }
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  /** Stops to serve. Idempotent. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
