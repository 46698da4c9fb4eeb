// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.format.NumberFormats;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Maintenance;
import io.quorate.store.driver.HttpResponseSize;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.Figure;
import io.quorate.store.server.Membership;
import io.quorate.store.server.Restoration;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Requests the state of the agent and its known leader from Consul over HTTP. */
final class ConsulProtocol implements ServerProtocol {
  private static final int FORBIDDEN = 403;

  @Override
  public State ask(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    HttpResponseText answer = get(endpoint, access, "/v1/agent/self", timeout);
    if (!answer.isOk() && answer.status() != FORBIDDEN) {
      throw new IOException(
          ConsulDriver.LIMIT.orElse("answers to /v1/agent/self: " + answer, endpoint));
    }
    HttpResponseText leader = get(endpoint, access, "/v1/status/leader", timeout);
    boolean ready = leader.isOk() && !leader.json().asText().isEmpty();
    if (answer.status() == FORBIDDEN) {
      // version and leader require the right to read agents
      return new State("", ready, false, "does not say its version without agent:read");
    }
    JsonNode self = answer.json();
    String version = self.at("/Config/Version").asText();
    if (version.isEmpty()) {
      throw new IOException("does not answer like Consul");
    }
    boolean leads = self.at("/Stats/consul/leader").asText().equals("true");
    long applied = self.at("/Stats/raft/applied_index").asLong();
    return new State(version, ready, leads, "leader: " + leader, applied);
  }

  /**
   * Queries the server, and checks that it knows all others and carries out a write, which needs
   * the leader and a majority.
   */
  @Override
  public State askStarted(Endpoint endpoint, Access access, int peers, Duration timeout)
      throws IOException {
    State state = ask(endpoint, access, timeout);
    if (!state.ready()) {
      return state;
    }
    HttpResponseText known = get(endpoint, access, "/v1/status/peers", timeout);
    if (!known.isOk() || known.json().size() != peers) {
      return notReady(state, "peers: " + known);
    }
    String key = "/v1/kv/quorate-ready-" + endpoint.port();
    for (String method : new String[] {"PUT", "DELETE"}) {
      HttpResponseText written = send(method, endpoint, access, key, timeout);
      if (!written.isOk() || !written.body().strip().equals("true")) {
        return notReady(state, method + " of a key: " + written);
      }
    }
    return state;
  }

  @Override
  public Optional<String> obstacle(
      Endpoint endpoint, Access access, String prefix, Duration timeout) throws IOException {
    String key = prefix.isEmpty() ? KEYS : prefix;
    HttpResponseText answer = get(endpoint, access, "/v1/kv/" + key, timeout);
    // without keys, the rights to some do not matter, but the token has to exist
    boolean permitted = prefix.isEmpty() && answer.body().contains("Permission denied");
    if (answer.status() != FORBIDDEN || permitted) {
      return Optional.empty();
    }
    return Optional.of(
        access.login() == Login.NONE
            ? "it accepts only clients with a token: pass yours with --credentials FILE"
            : "it does not take the token, or does not let its owner read keys: check the token"
                + " and its policy, which needs key_prefix \"quorate/\" with write");
  }

  @Override
  public long sentSnapshots(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    HttpResponseText answer = get(endpoint, access, "/v1/agent/metrics?format=prometheus", timeout);
    return Figure.sum(answer.body(), "consul_raft_replication_installSnapshot_count{");
  }

  /** Ends the sessions that hold keys; those of more values than can be read end with their TTL. */
  @Override
  public int endLeases(Endpoint endpoint, Access access, String prefix, Duration timeout)
      throws IOException {
    HttpResponseText held = get(endpoint, access, "/v1/kv/" + prefix + "?recurse", timeout);
    Set<String> sessions = new TreeSet<>();
    if (held.isOk()) {
      held.json().forEach(each -> sessions.add(each.path("Session").asText()));
      sessions.remove("");
    }
    for (String each : sessions) {
      send("PUT", endpoint, access, "/v1/session/destroy/" + each, timeout)
          .requireOk("does not end sessions");
    }
    return sessions.size();
  }

  @Override
  public boolean transfersLeadership() {
    return true;
  }

  /** Consul chooses the successor. */
  @Override
  public void transferLeadership(
      Endpoint leader, Endpoint successor, Access access, Duration timeout, Runnable begins)
      throws IOException {
    begins.run();
    send("POST", leader, access, "/v1/operator/raft/transfer-leader", timeout)
        .requireOk("does not hand its leadership over");
  }

  @Override
  public Set<Maintenance> maintenance() {
    return EnumSet.of(Maintenance.SNAPSHOT);
  }

  /** Reads a snapshot, which is compressed; Consul has no other maintenance. */
  @Override
  public MaintenanceResult maintain(
      Maintenance work, Endpoint endpoint, Access access, Duration timeout, Runnable begins)
      throws IOException {
    begins.run();
    HttpResponseSize answer =
        HttpResponseSize.get(
            endpoint, access, "/v1/snapshot", ConsulRequest.headers(access), timeout);
    if (!answer.isOk()) {
      throw new IOException("does not send a snapshot: HTTP status " + answer.status());
    }
    return new MaintenanceResult(
        answer.bytes() > 0, NumberFormats.commas(answer.bytes()) + " compressed bytes received");
  }

  @Override
  public void reloadCertificate(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {
    send("PUT", endpoint, access, "/v1/agent/reload", timeout)
        .requireOk("does not reload its settings");
  }

  @Override
  public Optional<Membership> membership() {
    return Optional.of(new ConsulMembership());
  }

  @Override
  public Optional<Restoration> restoration() {
    return Optional.of(new ConsulRestoration());
  }

  static HttpResponseText get(Endpoint endpoint, Access access, String path, Duration timeout)
      throws IOException {
    return send("GET", endpoint, access, path, timeout);
  }

  static HttpResponseText send(
      String method, Endpoint endpoint, Access access, String path, Duration timeout)
      throws IOException {
    return HttpResponseText.to(
        method, endpoint, access, path, "", ConsulRequest.headers(access), timeout);
  }

  private static State notReady(State state, String said) {
    return new State(state.version(), false, state.leads(), said, state.applied());
  }
}
