// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.cetcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Behaves as cetcd was seen to: it knows keys only, and 404 is its answer to all else, status and
 * agent among it; {@code ?raw} is not raw; {@code ?stale} and {@code ?consistent} are accepted; the
 * first read of a key after its removal breaks the connection.
 */
public final class CetcdDouble implements AutoCloseable {
  private static final String KEYS = "/v1/kv/";

  static {
    // else each answer waits 40 ms for the client to confirm its headers
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final Map<String, byte[]> values = new ConcurrentHashMap<>();
  private final Set<String> removed = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  private final int corruption;

  private final AtomicLong reads = new AtomicLong();

  /**
   * Listens on 127.0.0.1 as long as it is open.
   *
   * @param port 0 for any
   */
  public CetcdDouble(int port) throws IOException {
    this(port, 0);
  }

  /**
   * The same, with a flipped bit in some values.
   *
   * @param corruption number of reads among which one returns such a value; 0 for none
   */
  public CetcdDouble(int port, int corruption) throws IOException {
    this.corruption = corruption;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  public Endpoint endpoint() {
    return new Endpoint("127.0.0.1", server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (!path.startsWith(KEYS)) {
      say(exchange, 404, "404 page not found\n");
      return;
    }
    String key = path.substring(KEYS.length());
    switch (exchange.getRequestMethod()) {
      case "PUT" -> {
        values.put(key, body);
        removed.remove(key);
        say(exchange, 200, "true");
      }
      case "DELETE" -> {
        values.remove(key);
        removed.add(key);
        say(exchange, 200, "true");
      }
      case "GET" -> read(exchange, key);
      default -> say(exchange, 405, "");
    }
  }

  private void read(HttpExchange exchange, String key) throws IOException {
    byte[] value = values.get(key);
    if (value != null && corruption > 0 && reads.incrementAndGet() % corruption == 0) {
      value = value.clone();
      value[value.length / 2] ^= 1;
    }
    if (removed.remove(key)) {
      exchange.close();
    } else if (value == null) {
      say(exchange, 404, "");
    } else {
      String text = value.length == 0 ? "null" : '"' + base64(value) + '"';
      String entry = "[{\"CreateIndex\":1,\"Flags\":0,\"Key\":\"%s\",\"Value\":%s}]";
      say(exchange, 200, String.format(Locale.ROOT, entry, key.replace("\"", "\\\""), text));
    }
  }

  private static String base64(byte[] value) {
    return Base64.getEncoder().encodeToString(value);
  }

  private static void say(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
