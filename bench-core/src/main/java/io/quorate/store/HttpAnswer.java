package io.quorate.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.VisibleText;
import io.quorate.tls.ClientTls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;

/**
 * A server's answer to an HTTP request.
 *
 * @param status also one that means a failure: the body may say why
 */
public record HttpAnswer(int status, String body) {
  private static final int MAX_BYTES = 1 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Sends a GET request for a path. */
  public static HttpAnswer get(Endpoint endpoint, Access access, String path, Duration timeout)
      throws IOException {
    return to("GET", endpoint, access, path, "", Map.of(), timeout);
  }

  /**
   * Sends a request with any method.
   *
   * @param body empty for none; else JSON
   * @param headers beside those of HTTP itself
   * @param timeout of the connect, and of each wait for bytes
   */
  public static HttpAnswer to(
      String method,
      Endpoint endpoint,
      Access access,
      String path,
      String body,
      Map<String, String> headers,
      Duration timeout)
      throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection)
            new URL(access.scheme(), endpoint.host(), endpoint.port(), path)
                .openConnection(Proxy.NO_PROXY);
    access.tls().ifPresent(tls -> secure((HttpsURLConnection) connection, tls));
    try {
      headers.forEach(connection::setRequestProperty);
      connection.setRequestMethod(method);
      connection.setInstanceFollowRedirects(false);
      connection.setConnectTimeout((int) timeout.toMillis());
      connection.setReadTimeout((int) timeout.toMillis());
      if (!body.isEmpty()) {
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body.getBytes(StandardCharsets.UTF_8));
        }
      }
      int status = connection.getResponseCode();
      if (status < 0) {
        throw new IOException("does not answer like an HTTP server");
      }
      InputStream answer = status < 400 ? connection.getInputStream() : connection.getErrorStream();
      if (answer == null) {
        return new HttpAnswer(status, "");
      }
      try (answer) {
        return new HttpAnswer(
            status, new String(answer.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
      }
    } finally {
      connection.disconnect();
    }
  }

  private static void secure(HttpsURLConnection connection, ClientTls tls) {
    connection.setSSLSocketFactory(tls.context().getSocketFactory());
    if (!tls.checksName()) {
      connection.setHostnameVerifier((host, session) -> true);
    }
  }

  /**
   * Returns the body of an answer that must be JSON; missing if there is none.
   *
   * @throws IOException if it is not
   */
  public JsonNode json() throws IOException {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException other) {
      throw new IOException("does not answer with JSON, but with " + this, other);
    }
  }

  /** Returns the answer in a form for people. */
  @Override
  public String toString() {
    return "HTTP status " + status + (body.isBlank() ? "" : ": " + VisibleText.line(body.strip()));
  }
}
