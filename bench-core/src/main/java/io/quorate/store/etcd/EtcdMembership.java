// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.Pause;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.Figure;
import io.quorate.store.server.Membership;
import io.quorate.store.server.ServerPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Adds members to etcd as learners, and removes them, over the gateway from HTTP to gRPC. Members
 * are found by the address for their peers, as etcd knows no name of a member before its start.
 */
final class EtcdMembership implements Membership {
  private static final String SIZE = "etcd_mvcc_db_total_size_in_bytes";
  private static final String UNHEALTHY = "etcdserver: unhealthy cluster";

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String REFUSED = "answers to /v3/cluster/member/";
  private static final Duration AGAIN = Duration.ofMillis(200);

  /**
   * Adds a learner. etcd refuses that until its members have been connected for 5 s ({@code
   * HealthInterval}), so it is asked again for up to {@link #PATIENCE}.
   */
  @Override
  public void admit(Endpoint member, ServerPlan joining, Access access, Duration timeout)
      throws IOException {
    String url = EtcdServers.Launcher.peerUrl(joining, joining);
    String body = "{\"peerURLs\": [\"" + url + "\"], \"isLearner\": true}";
    EtcdApi api = new EtcdApi(member, access, timeout);
    long start = System.nanoTime();
    HttpResponseText answer = answer("add", body, api);
    while (!answer.isOk()
        && answer.toString().contains(UNHEALTHY)
        && System.nanoTime() - start < PATIENCE.toNanos()) {
      Pause.of(AGAIN, "the members of etcd to be connected");
      answer = answer("add", body, api);
    }
    answer.requireOk(REFUSED + "add");
  }

  @Override
  public Role role(Endpoint member, ServerPlan joining, Access access, Duration timeout)
      throws IOException {
    return listed(joining, new EtcdApi(member, access, timeout))
        .map(each -> each.path("isLearner").asBoolean() ? Role.LEARNER : Role.VOTER)
        .orElse(Role.ABSENT);
  }

  @Override
  public void promote(Endpoint member, ServerPlan joining, Access access, Duration timeout)
      throws IOException {
    EtcdApi api = new EtcdApi(member, access, timeout);
    post("promote", id(joining, api), api);
  }

  @Override
  public void remove(Endpoint member, ServerPlan joining, Access access, Duration timeout)
      throws IOException {
    EtcdApi api = new EtcdApi(member, access, timeout);
    post("remove", id(joining, api), api);
  }

  @Override
  public Optional<String> size(ServerPlan joined, Access access, Duration timeout)
      throws IOException {
    long bytes =
        Figure.sum(
            HttpResponseText.content(joined.endpoint(), access, "/metrics", Map.of(), timeout),
            SIZE + " ");
    return Optional.of("database " + EtcdMaintenance.megabytes(bytes));
  }

  private static String id(ServerPlan joining, EtcdApi api) throws IOException {
    String id = listed(joining, api).map(each -> each.path("ID").asText()).orElse("");
    if (!id.matches("[0-9]{1,20}")) {
      throw new IOException("does not list " + joining.name() + " as a member");
    }
    return "{\"ID\": \"" + id + "\"}";
  }

  private static Optional<JsonNode> listed(ServerPlan joining, EtcdApi api) throws IOException {
    String url = EtcdServers.Launcher.peerUrl(joining, joining);
    for (JsonNode each : post("list", "{}", api).json().path("members")) {
      for (JsonNode peer : each.path("peerURLs")) {
        if (peer.asText().equals(url)) {
          return Optional.of(each);
        }
      }
    }
    return Optional.empty();
  }

  private static HttpResponseText post(String method, String body, EtcdApi api) throws IOException {
    return answer(method, body, api).requireOk(REFUSED + method);
  }

  private static HttpResponseText answer(String method, String body, EtcdApi api)
      throws IOException {
    return api.post("cluster/member/" + method, body, api.authorization());
  }
}
