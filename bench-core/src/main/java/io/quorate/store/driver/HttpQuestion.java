package io.quorate.store.driver;

import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * A question to a server over HTTP/1.1. A server may be anything: what it answers has a limit of
 * time, which holds for headers and body together, and one of size.
 *
 * @param path from the first slash on, with the query
 * @param body empty for none; else JSON
 * @param headers beside those of HTTP itself
 */
record HttpQuestion(String method, String path, String body, Map<String, String> headers) {
  /** Time limit for finding out why there is no connection. */
  private static final int REASON_MILLIS = 500;

  /**
   * Asks and waits for the answer.
   *
   * @throws IOException if there is no complete answer in time; the message is fit to be shown
   */
  HttpAnswer ask(Endpoint endpoint, Access access, Duration limit) throws IOException {
    CompletableFuture<HttpResponse<String>> answer =
        access.http().sendAsync(request(endpoint, access), any -> new LimitedBody());
    try {
      HttpResponse<String> response = answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
      return new HttpAnswer(response.statusCode(), response.body());
    } catch (TimeoutException late) {
      throw new SocketTimeoutException("does not answer in time");
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for an answer");
    } catch (ExecutionException failed) {
      throw failure(failed.getCause(), endpoint);
    } finally {
      // closes the connection if it is not over
      answer.cancel(true);
    }
  }

  private HttpRequest request(Endpoint endpoint, Access access) throws IOException {
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(access.scheme() + "://" + endpoint + path))
              .method(
                  method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
      // by this header etcd tells its gateway from a client with the gateway's certificate
      request.header("Accept", "*/*");
      if (!body.isEmpty()) {
        request.header("Content-Type", "application/json");
      }
      headers.forEach(request::header);
      return request.build();
    } catch (IllegalArgumentException unfit) {
      // not its text, and not as the cause: it may quote a token
      throw new IOException("cannot be asked over HTTP: its name or our token is unfit for it");
    }
  }

  /** Returns a failure whose message is for people. That of TLS stays as it is, to be explained. */
  private static IOException failure(Throwable failed, Endpoint endpoint) {
    if (one(failed, SSLException.class).isPresent()) {
      return one(failed, SSLException.class).get();
    }
    if (one(failed, UnresolvedAddressException.class).isPresent()) {
      return new UnknownHostException("this host is not known");
    }
    if (one(failed, ConnectException.class).isPresent()) {
      return noConnection(endpoint);
    }
    if (one(failed, ProtocolException.class).isPresent()) {
      return new IOException("does not answer like an HTTP server", failed);
    }
    return one(failed, EOFException.class).isPresent()
        ? new IOException("ends the connection without a complete answer", failed)
        : new IOException(text(failed, "does not answer like an HTTP server"), failed);
  }

  /** Returns the reason why there is no connection, which the client of JDK 17 loses. */
  private static IOException noConnection(Endpoint endpoint) {
    try (Socket socket = new Socket(Proxy.NO_PROXY)) {
      socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), REASON_MILLIS);
      return new ConnectException("did not take a connection at first");
    } catch (IOException reason) {
      return new ConnectException(text(reason, "cannot be connected to"));
    }
  }

  private static <T extends Throwable> Optional<T> one(Throwable failed, Class<T> kind) {
    return chain(failed).filter(kind::isInstance).map(kind::cast).findFirst();
  }

  private static String text(Throwable failed, String otherwise) {
    return chain(failed)
        .map(Throwable::getMessage)
        .filter(text -> text != null && !text.isBlank())
        .map(VisibleText::line)
        .findFirst()
        .orElse(otherwise);
  }

  private static Stream<Throwable> chain(Throwable failed) {
    return Stream.iterate(failed, each -> each != null, Throwable::getCause);
  }
}
