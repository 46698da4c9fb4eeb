// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A visit of a browser, which opens the page of a run, at several widths at once: each in a
 * separate frame, with a script behind the page that looks at it and tells.
 */
final class PageVisit implements AutoCloseable {
  private static final int LIMIT_SECONDS = 120;
  private static final String OWN_POLICY = "<meta http-equiv=\"Content-Security-Policy\"";

  private final Path run;
  private final String policy;
  private final BlockingQueue<JsonNode> findings = new LinkedBlockingQueue<>();
  private final HttpServer server;

  /**
   * @param policy is sent with the page, as a server for artifacts does; empty for none. It has to
   *     let scripts of the server run
   */
  PageVisit(Path run, String policy) {
    this.run = run;
    this.policy = policy;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    server.createContext("/", this::answer);
    server.start();
  }

  /** Opens it, and waits until every width was looked at. */
  List<JsonNode> findings(Chromium chromium, int... widths) {
    List<JsonNode> all = new ArrayList<>();
    String query =
        Arrays.stream(widths).mapToObj(Integer::toString).collect(Collectors.joining(","));
    String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/frames?" + query;
    try (Chromium.Tab tab = chromium.open(address)) {
      for (int i = 0; i < widths.length; i++) {
        JsonNode finding = findings.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (finding == null) {
          throw new AssertionError(
              "no finding within "
                  + LIMIT_SECONDS
                  + " s:\n"
                  + tab.lines().collect(Collectors.joining("\n")));
        }
        all.add(finding);
      }
      if (policy.isEmpty() && !tab.console().isEmpty()) {
        throw new AssertionError(String.join("\n", tab.console()));
      }
    } catch (InterruptedException interrupt) {
      throw new AssertionError(interrupt);
    }
    return all;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (path.equals("/finding")) {
        findings.add(new ObjectMapper().readTree(exchange.getRequestBody()));
        send(exchange, "text/plain", new byte[0]);
      } else if (path.equals("/frames")) {
        send(exchange, "text/html", utf8(frames(exchange.getRequestURI().getQuery())));
      } else if (path.startsWith("/axe")) {
        send(exchange, "text/javascript", resource("/axe.min.js"));
      } else if (path.equals("/look.js")) {
        send(exchange, "text/javascript", resource("look.js"));
      } else if (path.equals("/favicon.ico")) {
        send(exchange, "image/x-icon", new byte[0]);
      } else {
        if (!policy.isEmpty()) {
          exchange.getResponseHeaders().set("Content-Security-Policy", policy);
        }
        send(exchange, "text/html", utf8(page(path)));
      }
    }
  }

  /** Without its own policy, so that nothing but escaping keeps scripts in it from running. */
  private String page(String path) throws IOException {
    String page = Files.readString(run.resolve(path.substring(1)));
    if (!page.contains(OWN_POLICY)) {
      throw new IOException(path + " has no policy");
    }
    return page.replaceFirst(OWN_POLICY + "[^>]*>", "")
        .replace(
            "</body>",
            "<script src=\"/axe.min.js\"></script><script src=\"/look.js\"></script></body>");
  }

  private static String frames(String widths) {
    StringBuilder html = new StringBuilder("<!DOCTYPE html><title>frames</title>");
    for (String width : widths.split(",")) {
      html.append("<iframe title='page' height='900' style='border:0' src='/index.html' width='")
          .append(width)
          .append("'></iframe>");
    }
    return html.toString();
  }

  private static void send(HttpExchange exchange, String type, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
    exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream resource = PageVisit.class.getResourceAsStream(name)) {
      return resource.readAllBytes();
    }
  }
}
