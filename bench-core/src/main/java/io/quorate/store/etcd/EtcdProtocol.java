// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Maintenance;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.Figure;
import io.quorate.store.server.Membership;
import io.quorate.store.server.OtherStoreException;
import io.quorate.store.server.Restoration;
import io.quorate.store.server.ServerProtocol;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLException;

/**
 * Asks etcd 3.4 and newer over HTTP: {@code /health} and the gateway of the maintenance API. A
 * server that only speaks gRPC is asked over that.
 */
final class EtcdProtocol implements ServerProtocol {
  private static final int PAGE = 1000;
  private static final String USED = "etcd_mvcc_db_total_size_in_bytes ";
  private static final String QUOTA = "etcd_server_quota_backend_bytes ";

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
        new EtcdApi(endpoint, access, timeout).post("maintenance/status", "{}", Map.of());
    if (EtcdApi.isForUsersOnly(answer)) {
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
        status.path("raftAppliedIndex").asLong(),
        !status.path("isLearner").asBoolean());
  }

  /**
   * Asks a server that was reached, but does not speak HTTP/1.1 or has no gateway: it is turned
   * off, or the server's certificate is not one for clients, which the gateway needs.
   */
  private static State withoutHttp(
      Endpoint endpoint, Access access, Duration timeout, IOException refusal) throws IOException {
    try {
      return GrpcStatus.ask(GrpcStatus.ETCD, endpoint, access, timeout);
    } catch (OtherStoreException | EtcdApi.LoginRefusedException known) {
      throw known;
    } catch (IOException | QuorateException noGrpc) {
      refusal.addSuppressed(noGrpc);
      throw refusal;
    }
  }

  @Override
  public void forgetHistory(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    EtcdApi api = new EtcdApi(endpoint, access, timeout);
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
  public Optional<Space> space(Endpoint endpoint, Access access, Duration timeout) {
    try {
      String metrics = HttpResponseText.content(endpoint, access, "/metrics", Map.of(), timeout);
      return Optional.of(new Space(Figure.sum(metrics, USED), Figure.sum(metrics, QUOTA)))
          .filter(known -> known.quotaBytes() > 0);
    } catch (IOException elsewhere) { // --listen-client-http-urls
      return FileAction.attempt(new EtcdApi(endpoint, access, timeout)::space);
    }
  }

  @Override
  public int endLeases(Endpoint endpoint, Access access, String prefix, Duration timeout)
      throws IOException {
    EtcdApi api = new EtcdApi(endpoint, access, timeout);
    ByteString begin = ByteString.copyFromUtf8(prefix);
    try {
      String token = access.login().kind() == Login.Kind.PASSWORD ? api.token() : "";
      int ended = 0;
      for (long lease : leases(api, prefix, token)) {
        var asked = LeaseTimeToLiveRequest.newBuilder().setID(lease).setKeys(true).build();
        List<ByteString> keys =
            api.call(LeaseGrpc.getLeaseTimeToLiveMethod(), asked, token).getKeysList();
        // one without keys has just expired, or is not known to be the run's
        if (!keys.isEmpty()
            && keys.stream().allMatch(key -> key.startsWith(begin))
            && revoke(api, lease, token)) {
          ended++;
        }
      }
      return ended;
    } catch (StatusRuntimeException refused) {
      throw new IOException("does not end leases: " + EtcdStatus.message(refused.getStatus()));
    }
  }

  /** Returns whether a lease was ended; false if it has expired. */
  private static boolean revoke(EtcdApi api, long lease, String token) throws IOException {
    try {
      var end = LeaseRevokeRequest.newBuilder().setID(lease).build();
      api.call(LeaseGrpc.getLeaseRevokeMethod(), end, token);
      return true;
    } catch (StatusRuntimeException refused) {
      if (refused.getStatus().getCode() == Status.Code.NOT_FOUND) {
        return false;
      }
      throw refused;
    }
  }

  /**
   * Returns the leases of all keys with a prefix that ends with a slash. Reads values, too, as etcd
   * 3.7 leaves out the lease without them; reads fewer at a time if they are large.
   */
  private static Set<Long> leases(EtcdApi api, String prefix, String token) throws IOException {
    Set<Long> leases = new TreeSet<>();
    String end = prefix.substring(0, prefix.length() - 1) + (char) ('/' + 1);
    RangeRequest.Builder page =
        RangeRequest.newBuilder()
            .setKey(ByteString.copyFromUtf8(prefix))
            .setRangeEnd(ByteString.copyFromUtf8(end))
            .setLimit(PAGE);
    boolean more = true;
    while (more) {
      RangeResponse found;
      try {
        found = api.call(KVGrpc.getRangeMethod(), page.build(), token);
      } catch (StatusRuntimeException tooLarge) {
        if (tooLarge.getStatus().getCode() != Status.Code.RESOURCE_EXHAUSTED
            || page.getLimit() == 1) {
          throw tooLarge;
        }
        page.setLimit(page.getLimit() / 2);
        continue;
      }
      found.getKvsList().forEach(each -> leases.add(each.getLease()));
      if (found.getKvsCount() > 0) {
        ByteString last = found.getKvs(found.getKvsCount() - 1).getKey();
        page.setKey(last.concat(ByteString.copyFrom(new byte[1])));
      }
      more = found.getMore();
    }
    leases.remove(0L);
    return leases;
  }

  @Override
  public boolean transfersLeadership() {
    return true;
  }

  @Override
  public void transferLeadership(
      Endpoint leader, Endpoint successor, Access access, Duration timeout, Runnable begins)
      throws IOException {
    EtcdApi api = new EtcdApi(leader, access, timeout);
    Map<String, String> user = api.authorization();
    String id =
        new EtcdApi(successor, access, timeout)
            .post("maintenance/status", "{}", user)
            .json()
            .at("/header/member_id")
            .asText();
    if (!id.matches("[0-9]{1,20}")) {
      throw new IOException("does not report the id of " + successor);
    }
    begins.run();
    api.post("maintenance/transfer-leadership", "{\"targetID\": \"" + id + "\"}", user)
        .requireOk("does not hand its leadership over");
  }

  @Override
  public Optional<Membership> membership() {
    return Optional.of(new EtcdMembership());
  }

  @Override
  public Optional<Restoration> restoration() {
    return Optional.of(new EtcdRestoration());
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
        "health: " + health,
        0,
        !metrics.contains("\netcd_server_is_learner 1\n"));
  }

  @Override
  public void lock(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    if (access.login() instanceof Login.Password root) {
      new EtcdApi(endpoint, access, timeout).enable(root);
    }
  }

  @Override
  public Optional<String> obstacle(
      Endpoint endpoint, Access access, String prefix, Duration timeout) throws IOException {
    return new EtcdApi(endpoint, access, timeout).obstacle(prefix);
  }
}
