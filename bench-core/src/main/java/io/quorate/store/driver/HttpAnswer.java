package io.quorate.store.driver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/**
 * A server's answer to an HTTP request.
 *
 * @param status also one that means a failure: the body may say why
 */
public record HttpAnswer(int status, String body) {
  private static final int OK = 200;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Sends a GET request for a path; throws as {@link #to}. */
  public static HttpAnswer get(Endpoint endpoint, Access access, String path, Duration limit)
      throws IOException {
    return to("GET", endpoint, access, path, "", Map.of(), limit);
  }

  /**
   * Sends a request with any method.
   *
   * @param path from the first slash on, with the query
   * @param body empty for none; else JSON
   * @param headers beside those of HTTP itself
   * @param limit of all: the connect, and the answer to its end
   * @throws IOException if there is no complete answer in time, or it has more than 4,000,000
   *     bytes; the message is fit to be shown
   */
  public static HttpAnswer to(
      String method,
      Endpoint endpoint,
      Access access,
      String path,
      String body,
      Map<String, String> headers,
      Duration limit)
      throws IOException {
    return new HttpQuestion(method, path, body, headers).ask(endpoint, access, limit);
  }

  /**
   * Returns the body of the answer to GET.
   *
   * @throws IOException as {@link #to}, and if the status is not 200
   */
  public static String content(
      Endpoint endpoint, Access access, String path, Map<String, String> headers, Duration limit)
      throws IOException {
    HttpAnswer answer = to("GET", endpoint, access, path, "", headers, limit);
    if (answer.status != OK) {
      throw new IOException("does not answer GET " + path + " with status 200");
    }
    return answer.body;
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
