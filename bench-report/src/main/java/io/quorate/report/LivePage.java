// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quorate.DaemonThreads;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.OutputFiles;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.ExperimentRun;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifest;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;

/**
 * Serves the page of a run while the run goes on, of a matrix that of its current run, at one
 * address, without authentication. Page and plots are made in memory when a browser asks for them,
 * from the files of the run; no other file is served, but the current metrics of the load
 * generator. A page is made at most once a second, and in a tenth of the time at most, as the run
 * is measured meanwhile.
 */
final class LivePage implements AutoCloseable {
  /** Seconds for a whole request, of the JDK's server: an incomplete one occupies a thread. */
  private static final String REQUEST_SECONDS = "sun.net.httpserver.maxReqTime";

  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long LOOK_MILLIS = 200;
  private static final int REST = 10;
  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 503;
  private static final Map<String, String> TYPES =
      Map.of("html", "text/html; charset=utf-8", "svg", "image/svg+xml", "png", "image/png");
  private static final Duration METRICS_LIMIT = Duration.ofSeconds(2);
  private static final String CONTENT_TYPE = "Content-Type";
  private static final String HEAD = "<head>";
  private static final String AGAIN = HEAD + "<meta http-equiv=\"refresh\" content=\"1\">";

  private final RunDirectory run;
  private final HttpServer server;
  private final Map<String, byte[]> files = new TreeMap<>();
  private long nextNanos = System.nanoTime();

  /**
   * Starts to serve.
   *
   * @param metrics where the load generators serve their metrics, which this server answers with
   * @throws QuorateException if listening at this address fails
   */
  LivePage(RunDirectory run, String where, Optional<String> metrics) {
    Endpoint address = Endpoint.parse(where);
    this.run = run;
    System.setProperty(REQUEST_SECONDS, "2");
    try {
      InetAddress host = InetAddress.getByName(address.host());
      server = HttpServer.create(new InetSocketAddress(host, address.port()), 0);
    } catch (IOException impossible) {
      throw new QuorateException(
          "--watch: cannot listen on %s: %s: choose another address"
              .formatted(address, FileFailure.reason(impossible)),
          impossible);
    }
    server.setExecutor(Executors.newFixedThreadPool(2, DaemonThreads.named("page")));
    server.createContext("/", this::answer);
    metrics.map(Endpoint::parse).ifPresent(this::serveMetrics);
    server.start();
  }

  /** Returns the answer of a load generator; empty between two databases. */
  private static Optional<HttpResponse<byte[]>> send(HttpClient client, HttpRequest request)
      throws InterruptedException {
    try {
      return Optional.of(client.send(request, BodyHandlers.ofByteArray()));
    } catch (IOException noneListens) {
      return Optional.empty();
    }
  }

  private void serveMetrics(Endpoint source) {
    HttpClient client = HttpClient.newHttpClient();
    URI metrics = URI.create("http://" + source + "/metrics");
    server.createContext(
        "/metrics",
        exchange -> {
          try (exchange) {
            HttpRequest.Builder request = HttpRequest.newBuilder(metrics).timeout(METRICS_LIMIT);
            String format = exchange.getRequestHeaders().getFirst("Accept");
            if (format != null) {
              request.header("Accept", format);
            }
            Optional<HttpResponse<byte[]>> answer = send(client, request.build());
            if (answer.isEmpty()) {
              exchange.sendResponseHeaders(UNAVAILABLE, -1);
              return;
            }
            answer
                .get()
                .headers()
                .firstValue(CONTENT_TYPE)
                .ifPresent(type -> exchange.getResponseHeaders().set(CONTENT_TYPE, type));
            byte[] body = answer.get().body();
            exchange.sendResponseHeaders(answer.get().statusCode(), body.length);
            exchange.getResponseBody().write(body);
          } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /** Waits until the run has ended and has its page, or until the thread is interrupted. */
  void awaitEnd() {
    try {
      while (!hasEnded()) {
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  boolean hasEnded() {
    RunDirectory shown = shown();
    return Files.exists(run.page())
        && (shown.equals(run) || modified(run.page()) >= modified(shown.path()))
        && shown.databases().stream().map(DatabaseDirectory::manifest).allMatch(this::hasEnded);
  }

  /** Returns whether a database was measured to its end before the page was written. */
  private boolean hasEnded(Path manifest) {
    return modified(run.page()) >= modified(manifest) && !Manifest.read(manifest).isRunning();
  }

  /** Returns the run of the page: of a matrix, the one that began last. */
  private RunDirectory shown() {
    return MatrixDirectory.isAt(run.path())
        ? new MatrixDirectory(run.path())
            .lastRuns().stream()
                .flatMap(each -> each.last().stream())
                .max(Comparator.comparingLong(each -> modified(each.path())))
                .orElse(run)
        : run;
  }

  private static long modified(Path path) {
    return path.toFile().lastModified();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().substring(1);
      byte[] body = body(path.isEmpty() ? "index.html" : path);
      if (body.length == 0) {
        exchange.sendResponseHeaders(NOT_FOUND, -1);
        return;
      }
      String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
      exchange.getResponseHeaders().set(CONTENT_TYPE, type == null ? TYPES.get("html") : type);
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private synchronized byte[] body(String name) {
    if (System.nanoTime() - nextNanos >= 0) {
      long begin = System.nanoTime();
      try {
        render();
      } catch (QuorateException unreadable) {
        files.put("index.html", notYet(unreadable));
      }
      long took = System.nanoTime() - begin;
      nextNanos = System.nanoTime() + Math.max(SECOND_NANOS, REST * took);
    }
    return files.getOrDefault(name, new byte[0]);
  }

  private void render() {
    Path root = shown().path();
    OutputFiles made = new RunReport(ExperimentRun.read(root), RowLabels.LATER).page();
    files.clear();
    made.forEach((file, content) -> files.put(root.relativize(file).toString(), content));
    files.computeIfPresent(
        "index.html",
        (name, html) ->
            new String(html, StandardCharsets.UTF_8)
                .replaceFirst(HEAD, AGAIN)
                .getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] notYet(QuorateException why) {
    String text = VisibleText.of(why.getMessage()).replace("&", "&amp;").replace("<", "&lt;");
    return (AGAIN + "</head><p>" + text).getBytes(StandardCharsets.UTF_8);
  }
}
