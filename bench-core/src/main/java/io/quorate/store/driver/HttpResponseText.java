// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * A server's answer to a request over HTTP/1.1. The server may be of any kind, so the answer has a
 * size limit, and a time limit for headers and body together.
 *
 * @param status status, which may mean a failure that the body explains
 */
public record HttpResponseText(int status, String body) {
  private static final int OK = 200;
  private static final int MAX_BYTES = 4_000_000;

  private static final int REASON_MILLIS = 500;

  private static final ObjectMapper JSON = new ObjectMapper();

  public static HttpResponseText get(Endpoint endpoint, Access access, String path, Duration limit)
      throws IOException {
    return to("GET", endpoint, access, path, "", Map.of(), limit);
  }

  /**
   * Sends a request with any method.
   *
   * @param path path from the first slash on, with the query
   * @param body JSON body; empty for none
   * @param headers headers in addition to the standard ones
   * @param limit time limit of the connect and the complete answer
   * @throws IOException if there is no complete answer in time, or it has more than 4,000,000
   *     bytes; the message is safe to show
   */
  public static HttpResponseText to(
      String method,
      Endpoint endpoint,
      Access access,
      String path,
      String body,
      Map<String, String> headers,
      Duration limit)
      throws IOException {
    HttpResponse<String> response =
        send(method, endpoint, access, path, body, headers, limit, HttpResponseText::limitedBody);
    return new HttpResponseText(response.statusCode(), response.body());
  }

  /**
   * Sends a request as {@link #to} does, and passes the body of the answer to a subscriber.
   *
   * @param content creates the subscriber
   */
  static <T> HttpResponse<T> send(
      String method,
      Endpoint endpoint,
      Access access,
      String path,
      String body,
      Map<String, String> headers,
      Duration limit,
      Supplier<BodySubscriber<T>> content)
      throws IOException {
    BodyPublisher json = body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    return send(method, endpoint, access, path, json, headers, limit, content);
  }

  /** Sends a request with a body from anywhere. */
  static <T> HttpResponse<T> send(
      String method,
      Endpoint endpoint,
      Access access,
      String path,
      BodyPublisher body,
      Map<String, String> headers,
      Duration limit,
      Supplier<BodySubscriber<T>> content)
      throws IOException {
    HttpRequest request;
    try {
      HttpRequest.Builder builder =
          HttpRequest.newBuilder(URI.create(access.scheme() + "://" + endpoint + path))
              .method(method, body);
      // this header lets etcd distinguish its gateway from a client with the gateway's certificate
      builder.header("Accept", "*/*");
      if (body.contentLength() > 0) {
        builder.header("Content-Type", "application/json");
      }
      headers.forEach(builder::header);
      request = builder.build();
    } catch (IllegalArgumentException unfit) {
      // without its text or the exception as the cause: they may quote a token
      throw new IOException("cannot be asked over HTTP: its name or our token is unfit for it");
    }
    CompletableFuture<HttpResponse<T>> answer =
        access.http().sendAsync(request, any -> content.get());
    try {
      return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new SocketTimeoutException("does not answer in time");
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for an answer");
    } catch (ExecutionException failed) {
      throw failure(Objects.requireNonNull(failed.getCause()), endpoint);
    } finally {
      // closes the connection if it is not over
      answer.cancel(true);
    }
  }

  static BodySubscriber<String> limitedBody() {
    return BodySubscribers.mapping(
        limitedBody(MAX_BYTES), bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  /** Returns a subscriber that fails at a body with more than a number of bytes. */
  public static BodySubscriber<byte[]> limitedBody(int bytes) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    return BodySubscribers.mapping(
        BodySubscribers.ofByteArrayConsumer(
            piece -> {
              piece.ifPresent(content::writeBytes);
              if (content.size() > bytes) {
                throw new UncheckedIOException(
                    "answers with more than " + bytes + " bytes", new IOException());
              }
            }),
        end -> content.toByteArray());
  }

  /**
   * Returns a failure with a readable message. A TLS failure stays unchanged, to be explained
   * later.
   */
  private static IOException failure(Throwable failed, Endpoint endpoint) {
    for (Throwable each = failed; each != null; each = each.getCause()) {
      if (each instanceof SSLException ofTls) {
        return ofTls;
      }
      if (each instanceof UnresolvedAddressException) {
        return new UnknownHostException("this host is not known");
      }
      if (each instanceof ProtocolException || isOfAnotherProtocol(each)) {
        return new IOException("does not answer like an HTTP server", failed);
      }
      if (each instanceof EOFException) {
        return new IOException("ends the connection without a complete answer", failed);
      }
    }
    for (Throwable each = failed; each != null; each = each.getCause()) {
      if (each instanceof ConnectException) {
        return noConnection(endpoint);
      }
    }
    return new IOException(text(failed, "does not answer like an HTTP server"), failed);
  }

  /** Returns whether the HTTP client found no line, such as in the frames of gRPC. */
  private static boolean isOfAnotherProtocol(Throwable failure) {
    return failure.getMessage() != null
        && failure.getMessage().startsWith("parsing HTTP/1.1 status line, receiving [");
  }

  /** Returns the reason why there is no connection, which the HTTP client of JDK 17 loses. */
  private static IOException noConnection(Endpoint endpoint) {
    try (Socket socket = new Socket(Proxy.NO_PROXY)) {
      socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), REASON_MILLIS);
      return new ConnectException("did not take a connection at first");
    } catch (IOException reason) {
      return new ConnectException(text(reason, "cannot be connected to"));
    }
  }

  private static String text(Throwable failed, String otherwise) {
    return Stream.iterate(failed, each -> each != null, Throwable::getCause)
        .map(Throwable::getMessage)
        .filter(text -> text != null && !text.isBlank())
        .map(VisibleText::line)
        .findFirst()
        .orElse(otherwise);
  }

  /** Returns the body of the answer to GET; fails as {@link #to}, and if the status is not 200. */
  public static String content(
      Endpoint endpoint, Access access, String path, Map<String, String> headers, Duration limit)
      throws IOException {
    HttpResponseText answer = to("GET", endpoint, access, path, "", headers, limit);
    if (!answer.isOk()) {
      throw new IOException(
          "answers GET %s with status %d, expected 200".formatted(path, answer.status));
    }
    return answer.body;
  }

  public boolean isOk() {
    return status == OK;
  }

  /** Returns this answer; fails with what the server does not do if the status is not 200. */
  public HttpResponseText requireOk(String what) throws IOException {
    if (!isOk()) {
      throw new IOException(what + ": " + this);
    }
    return this;
  }

  /** Returns the body, which must be JSON; missing if there is none. */
  public JsonNode json() throws IOException {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException other) {
      throw new IOException("does not answer with JSON, but with " + this, other);
    }
  }

  @Override
  public String toString() {
    return "HTTP status " + status + (body.isBlank() ? "" : ": " + VisibleText.line(body.strip()));
  }
}
