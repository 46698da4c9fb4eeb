package io.quorate.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.driver.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Asks etcd 3.4 and newer over HTTP: {@code /health} and the gateway of the maintenance API. */
final class EtcdProtocol implements ServerProtocol {
  private final ObjectMapper json = new ObjectMapper();

  @Override
  public ServerState ask(Endpoint endpoint, Duration timeout) throws IOException {
    JsonNode health = request(endpoint, "/health", "", timeout);
    JsonNode status = request(endpoint, "/v3/maintenance/status", "{}", timeout);
    String version = status.path("version").asText();
    String leader = status.path("leader").asText("0");
    if (version.isEmpty()) {
      throw new IOException("does not answer like etcd");
    }
    boolean healthy = health.path("health").asText().equals("true");
    boolean leads = !leader.equals("0") && leader.equals(status.at("/header/member_id").asText());
    return new ServerState(
        version,
        healthy && !leader.equals("0"),
        leads,
        "health: " + LogTail.escaped(health.toString()));
  }

  private JsonNode request(Endpoint endpoint, String path, String body, Duration timeout)
      throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection)
            new URL("http", endpoint.host(), endpoint.port(), path).openConnection(Proxy.NO_PROXY);
    try {
      connection.setConnectTimeout((int) timeout.toMillis());
      connection.setReadTimeout((int) timeout.toMillis());
      if (!body.isEmpty()) {
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body.getBytes(StandardCharsets.UTF_8));
        }
      }
      // 503 is how /health says that it is not well; the body says why
      InputStream answer =
          connection.getResponseCode() < 400
              ? connection.getInputStream()
              : connection.getErrorStream();
      if (answer == null) {
        throw new IOException("HTTP status " + connection.getResponseCode() + " for " + path);
      }
      try (answer) {
        return json.readTree(answer);
      }
    } finally {
      connection.disconnect();
    }
  }
}
