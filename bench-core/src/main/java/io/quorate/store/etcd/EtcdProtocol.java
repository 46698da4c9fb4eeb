// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.QuorateException;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Maintenance;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.Figure;
import io.quorate.store.server.Membership;
import io.quorate.store.server.OtherStoreException;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;

/**
 * Asks etcd 3.4 and newer over HTTP: {@code /health} and the gateway of the maintenance API. A
 * server that only speaks gRPC is asked over that.
 */
final class EtcdProtocol implements ServerProtocol {
  @Override
  public State ask(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    JsonNode health;
    try { // 503 is /health's status for a server in trouble
      health = HttpResponseText.get(endpoint, access, "/health", timeout).json();
    } catch (SocketException | InterruptedIOException | SSLException unreachable) {
      throw unreachable;
    } catch (IOException refusal) {
      return withoutHttp(endpoint, access, timeout, refusal);
    }
    HttpResponseText answer =
        new EtcdUsers(endpoint, access, timeout).post("maintenance/status", "{}", Map.of());
    if (EtcdUsers.isForUsersOnly(answer)) {
      return askAsAnybody(endpoint, access, health, timeout);
    }
    if (!answer.isOk()) {
      IOException refusal = new IOException("does not answer like etcd, but " + answer);
      return withoutHttp(endpoint, access, timeout, refusal);
    }
    JsonNode status = answer.json();
    String version = status.path("version").asText();
    String leader = status.path("leader").asText("0");
    if (version.isEmpty()) {
      throw new IOException("does not answer like etcd");
    }
    boolean healthy = health.path("health").asText().equals("true");
    boolean leads = !leader.equals("0") && leader.equals(status.at("/header/member_id").asText());
    return new State(
        version,
        healthy && !leader.equals("0"),
        leads,
        "health: " + health,
        status.path("raftAppliedIndex").asLong());
  }

  /**
   * Asks a server that was reached, but does not speak HTTP/1.1 or has no gateway: it is turned
   * off, or the server's certificate is not one for clients, which the gateway needs.
   */
  private static State withoutHttp(
      Endpoint endpoint, Access access, Duration timeout, IOException refusal) throws IOException {
    try {
      return GrpcStatus.ask(GrpcStatus.ETCD, endpoint, access, timeout);
    } catch (OtherStoreException | EtcdUsers.LoginRefusedException known) {
      throw known;
    } catch (IOException | QuorateException noGrpc) {
      refusal.addSuppressed(noGrpc);
      throw refusal;
    }
  }

  @Override
  public void forgetHistory(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    EtcdUsers api = new EtcdUsers(endpoint, access, timeout);
    Map<String, String> user = api.authorization();
    HttpResponseText status = api.post("maintenance/status", "{}", user);
    String revision = status.json().at("/header/revision").asText();
    if (!revision.matches("[0-9]{1,19}")) {
      throw new IOException("does not report its revision, but " + status);
    }
    String compaction = "{\"revision\": \"" + revision + "\", \"physical\": true}";
    HttpResponseText answer = api.post("kv/compaction", compaction, user);
    if (!answer.isOk() && !answer.body().contains(Compaction.DONE)) {
      throw new IOException("does not compact its history: " + answer);
    }
  }

  @Override
  public long sentSnapshots(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    return Figure.sum(
        HttpResponseText.content(endpoint, access, "/metrics", Map.of(), timeout),
        "etcd_network_snapshot_send_success{");
  }

  @Override
  public boolean transfersLeadership() {
    return true;
  }

  @Override
  public void transferLeadership(
      Endpoint leader, Endpoint successor, Access access, Duration timeout, Runnable begins)
      throws IOException {
    EtcdUsers api = new EtcdUsers(leader, access, timeout);
    Map<String, String> user = api.authorization();
    String id =
        new EtcdUsers(successor, access, timeout)
            .post("maintenance/status", "{}", user)
            .json()
            .at("/header/member_id")
            .asText();
    if (!id.matches("[0-9]{1,20}")) {
      throw new IOException("does not report the id of " + successor);
    }
    begins.run();
    HttpResponseText answer =
        api.post("maintenance/transfer-leadership", "{\"targetID\": \"" + id + "\"}", user);
    if (!answer.isOk()) {
      throw new IOException("does not hand its leadership over: " + answer);
    }
  }

  @Override
  public Optional<Membership> membership() {
    return Optional.of(new EtcdMembership());
  }

  @Override
  public Set<Maintenance> maintenance() {
    return EnumSet.allOf(Maintenance.class);
  }

  @Override
  public MaintenanceResult maintain(
      Maintenance work, Endpoint endpoint, Access access, Duration timeout, Runnable begins)
      throws IOException {
    return new EtcdMaintenance(endpoint, access, timeout, begins).done(work);
  }

  /** Requests the state that etcd reports without a token, even if it has users. */
  private static State askAsAnybody(
      Endpoint endpoint, Access access, JsonNode health, Duration timeout) throws IOException {
    String version =
        HttpResponseText.get(endpoint, access, "/version", timeout)
            .json()
            .path("etcdserver")
            .asText();
    String metrics = HttpResponseText.content(endpoint, access, "/metrics", Map.of(), timeout);
    return new State(
        version,
        health.path("health").asText().equals("true"),
        metrics.contains("\netcd_server_is_leader 1\n"),
        "health: " + health);
  }

  @Override
  public void lock(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    if (access.login() instanceof Login.Password root) {
      new EtcdUsers(endpoint, access, timeout).enable(root);
    }
  }

  @Override
  public Optional<String> obstacle(
      Endpoint endpoint, Access access, String prefix, Duration timeout) throws IOException {
    return new EtcdUsers(endpoint, access, timeout).obstacle(prefix);
  }
}
