package io.quorate.store.etcd;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.VisibleText;
import io.quorate.store.Endpoint;
import io.quorate.store.HttpAnswer;
import io.quorate.store.ServerProtocol;
import io.quorate.store.ServerState;
import java.io.IOException;
import java.time.Duration;

/** Asks etcd 3.4 and newer over HTTP: {@code /health} and the gateway of the maintenance API. */
public final class EtcdProtocol implements ServerProtocol {
  @Override
  public ServerState ask(Endpoint endpoint, Duration timeout) throws IOException {
    // 503 is how /health says that it is not well
    JsonNode health = HttpAnswer.get(endpoint, "/health", timeout).json();
    JsonNode status =
        HttpAnswer.to("POST", endpoint, "/v3/maintenance/status", "{}", timeout).json();
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
        "health: " + VisibleText.line(health.toString()));
  }
}
