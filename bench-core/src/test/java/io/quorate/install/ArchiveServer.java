// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A vendor or a mirror on loopback. */
final class ArchiveServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);
  private volatile Answer answer = ArchiveServer::notFound;

  private interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  ArchiveServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Its address, without a slash at the end. */
  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The paths that were asked for. */
  List<String> requests() {
    return requests;
  }

  /** Answers with these bytes. */
  ArchiveServer gives(byte[] bytes) {
    return sends(bytes, bytes.length);
  }

  /** Announces all of the bytes, sends half of them, and hangs up. */
  ArchiveServer isCutWhileSending(byte[] bytes) {
    return sends(bytes, bytes.length / 2);
  }

  /** Sends half of the bytes, and the rest when told to {@link #goOn()}. */
  ArchiveServer pausesWhileSending(byte[] bytes) {
    answer =
        exchange -> {
          exchange.sendResponseHeaders(200, bytes.length);
          OutputStream body = exchange.getResponseBody();
          body.write(bytes, 0, bytes.length / 2);
          body.flush();
          awaitGate();
          body.write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
        };
    return this;
  }

  /** Accepts the request, and says nothing until told to {@link #goOn()}. */
  ArchiveServer isSilent() {
    answer = exchange -> awaitGate();
    return this;
  }

  /** Answers that it is elsewhere on this server. */
  ArchiveServer redirects(String from, String to, byte[] bytes) {
    answer =
        exchange -> {
          if (exchange.getRequestURI().getPath().startsWith(from)) {
            exchange.getResponseHeaders().set("Location", address() + to);
            exchange.sendResponseHeaders(302, -1);
          } else {
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        };
    return this;
  }

  void goOn() {
    gate.countDown();
  }

  private ArchiveServer sends(byte[] bytes, int length) {
    answer =
        exchange -> {
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes, 0, length);
        };
    return this;
  }

  private void handle(HttpExchange exchange) throws IOException {
    requests.add(exchange.getRequestURI().getPath());
    try (exchange) {
      answer.to(exchange);
    }
  }

  private static void notFound(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(404, -1);
  }

  private void awaitGate() {
    try {
      gate.await();
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException(closed));
    }
  }

  @Override
  public void close() {
    goOn();
    server.stop(0);
    threads.shutdownNow();
  }
}
