package io.quorate.store.etcd;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Asks etcd 3.4 and newer over HTTP: {@code /health} and the gateway of the maintenance API. */
public final class EtcdProtocol implements ServerProtocol {
  private static final int OK = 200;

  @Override
  public ServerProtocol.State ask(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {
    // 503 is how /health says that it is not well
    JsonNode health = HttpResponseText.get(endpoint, access, "/health", timeout).json();
    HttpResponseText answer = EtcdUsers.post(endpoint, access, "maintenance/status", "{}", timeout);
    if (EtcdUsers.isForUsersOnly(answer)) {
      return askAsAnybody(endpoint, access, health, timeout);
    }
    JsonNode status = answer.json();
    String version = status.path("version").asText();
    String leader = status.path("leader").asText("0");
    if (version.isEmpty()) {
      throw new IOException("does not answer like etcd");
    }
    boolean healthy = health.path("health").asText().equals("true");
    boolean leads = !leader.equals("0") && leader.equals(status.at("/header/member_id").asText());
    return new ServerProtocol.State(
        version, healthy && !leader.equals("0"), leads, "health: " + health);
  }

  /** Compacts to the current revision. */
  @Override
  public void forgetHistory(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    Map<String, String> user = EtcdUsers.authorization(endpoint, access, timeout);
    HttpResponseText status =
        HttpResponseText.to(
            "POST", endpoint, access, "/v3/maintenance/status", "{}", user, timeout);
    String revision = status.json().at("/header/revision").asText();
    if (!revision.matches("[0-9]{1,19}")) {
      throw new IOException("does not tell its revision, but " + status);
    }
    String compaction = "{\"revision\": \"" + revision + "\", \"physical\": true}";
    HttpResponseText answer =
        HttpResponseText.to(
            "POST", endpoint, access, "/v3/kv/compaction", compaction, user, timeout);
    if (answer.status() != OK && !answer.body().contains(Compaction.DONE)) {
      throw new IOException("does not compact its history: " + answer);
    }
  }

  /** Asks for what etcd tells everybody, even if it has users: no token is needed. */
  private static ServerProtocol.State askAsAnybody(
      Endpoint endpoint, Access access, JsonNode health, Duration timeout) throws IOException {
    String version =
        HttpResponseText.get(endpoint, access, "/version", timeout)
            .json()
            .path("etcdserver")
            .asText();
    String metrics = HttpResponseText.content(endpoint, access, "/metrics", Map.of(), timeout);
    return new ServerProtocol.State(
        version,
        health.path("health").asText().equals("true"),
        metrics.contains("\netcd_server_is_leader 1\n"),
        "health: " + health);
  }

  @Override
  public void lock(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    if (access.login() instanceof Login.Password root) {
      EtcdUsers.enable(endpoint, access, root, timeout);
    }
  }

  @Override
  public Optional<String> obstacle(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {
    return EtcdUsers.obstacle(endpoint, access, timeout);
  }
}
