package io.quorate.store.consul;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Asks Consul over HTTP about its agent, and for the leader that it knows. */
public final class ConsulProtocol implements ServerProtocol {
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;

  @Override
  public ServerProtocol.State ask(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {
    HttpResponseText answer = get(endpoint, access, "/v1/agent/self", timeout);
    if (answer.status() == FORBIDDEN) {
      // its version and who leads is for those with the right to know about agents
      HttpResponseText leader = get(endpoint, access, "/v1/status/leader", timeout);
      boolean ready = leader.status() == OK && !leader.json().asText().isEmpty();
      return new ServerProtocol.State(
          "", ready, false, "does not say its version without agent:read");
    }
    if (answer.status() != OK) {
      throw new IOException("answers to /v1/agent/self: " + answer);
    }
    JsonNode self = answer.json();
    String version = self.at("/Config/Version").asText();
    if (version.isEmpty()) {
      throw new IOException("does not answer like Consul");
    }
    HttpResponseText leader = get(endpoint, access, "/v1/status/leader", timeout);
    boolean ready = leader.status() == OK && !leader.json().asText().isEmpty();
    boolean leads = self.at("/Stats/consul/leader").asText().equals("true");
    return new ServerProtocol.State(version, ready, leads, "leader: " + leader);
  }

  /**
   * Asks, and also checks that it knows all others and carries out a write, which needs the leader
   * and a majority.
   */
  @Override
  public ServerProtocol.State askStarted(
      Endpoint endpoint, Access access, int peers, Duration timeout) throws IOException {
    ServerProtocol.State state = ask(endpoint, access, timeout);
    if (!state.ready()) {
      return state;
    }
    HttpResponseText known = get(endpoint, access, "/v1/status/peers", timeout);
    if (known.status() != OK || known.json().size() != peers) {
      return notReady(state, "peers: " + known);
    }
    String key = "/v1/kv/quorate-ready-" + endpoint.port();
    for (String method : new String[] {"PUT", "DELETE"}) {
      HttpResponseText written = send(method, endpoint, access, key, timeout);
      if (written.status() != OK || !written.body().strip().equals("true")) {
        return notReady(state, method + " of a key: " + written);
      }
    }
    return state;
  }

  @Override
  public Optional<String> obstacle(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {
    HttpResponseText answer = get(endpoint, access, "/v1/kv/quorate", timeout);
    if (answer.status() != FORBIDDEN) {
      return Optional.empty();
    }
    return Optional.of(
        access.login() == Login.NONE
            ? "it accepts only clients with a token: name yours"
            : "it does not take the token, or does not let its owner read keys: check the token and"
                + " its policy, which needs key_prefix \"\" with write");
  }

  private static HttpResponseText get(
      Endpoint endpoint, Access access, String path, Duration timeout) throws IOException {
    return send("GET", endpoint, access, path, timeout);
  }

  private static HttpResponseText send(
      String method, Endpoint endpoint, Access access, String path, Duration timeout)
      throws IOException {
    return HttpResponseText.to(
        method, endpoint, access, path, "", ConsulToken.headers(access), timeout);
  }

  private static ServerProtocol.State notReady(ServerProtocol.State state, String said) {
    return new ServerProtocol.State(state.version(), false, state.leads(), said);
  }
}
