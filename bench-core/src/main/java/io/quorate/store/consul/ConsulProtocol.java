package io.quorate.store.consul;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.store.Endpoint;
import io.quorate.store.HttpAnswer;
import io.quorate.store.ServerProtocol;
import io.quorate.store.ServerState;
import java.io.IOException;
import java.time.Duration;

/** Asks Consul over HTTP about its agent, and for the leader that it knows. */
public final class ConsulProtocol implements ServerProtocol {
  private static final int OK = 200;

  @Override
  public ServerState ask(Endpoint endpoint, Duration timeout) throws IOException {
    HttpAnswer answer = HttpAnswer.get(endpoint, "/v1/agent/self", timeout);
    if (answer.status() != OK) {
      throw new IOException("answers to /v1/agent/self: " + answer);
    }
    JsonNode self = answer.json();
    String version = self.at("/Config/Version").asText();
    if (version.isEmpty()) {
      throw new IOException("does not answer like Consul");
    }
    HttpAnswer leader = HttpAnswer.get(endpoint, "/v1/status/leader", timeout);
    boolean ready = leader.status() == OK && !leader.json().asText().isEmpty();
    boolean leads = self.at("/Stats/consul/leader").asText().equals("true");
    return new ServerState(version, ready, leads, "leader: " + leader);
  }

  /**
   * Asks, and also checks that it knows all others and carries out a write, which needs the leader
   * and a majority.
   */
  @Override
  public ServerState askStarted(Endpoint endpoint, int peers, Duration timeout) throws IOException {
    ServerState state = ask(endpoint, timeout);
    if (!state.ready()) {
      return state;
    }
    HttpAnswer known = HttpAnswer.get(endpoint, "/v1/status/peers", timeout);
    if (known.status() != OK || known.json().size() != peers) {
      return notReady(state, "peers: " + known);
    }
    String key = "/v1/kv/quorate-ready-" + endpoint.port();
    for (String method : new String[] {"PUT", "DELETE"}) {
      HttpAnswer written = HttpAnswer.to(method, endpoint, key, "", timeout);
      if (written.status() != OK || !written.body().strip().equals("true")) {
        return notReady(state, method + " of a key: " + written);
      }
    }
    return state;
  }

  private static ServerState notReady(ServerState state, String said) {
    return new ServerState(state.version(), false, state.leads(), said);
  }
}
