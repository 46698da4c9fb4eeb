// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.Membership;
import io.quorate.store.server.ServerPlan;
import java.io.IOException;
import java.time.Duration;

/**
 * Follows servers that join Consul by gossip, and lets them leave. Its autopilot makes a server a
 * voter that was healthy for 10 s ({@code server_stabilization_time}).
 */
final class ConsulMembership implements Membership {
  @Override
  public void admit(Endpoint member, ServerPlan joining, Access access, Duration timeout) {
    // it joins by the addresses in its settings
  }

  @Override
  public Role role(Endpoint member, ServerPlan joining, Access access, Duration timeout)
      throws IOException {
    HttpResponseText answer =
        ConsulProtocol.get(member, access, "/v1/operator/raft/configuration", timeout)
            .requireOk("does not report the servers of its cluster");
    for (JsonNode each : answer.json().path("Servers")) {
      if (each.path("Node").asText().equals(joining.name())) {
        return each.path("Voter").asBoolean() ? Role.VOTER : Role.LEARNER;
      }
    }
    return Role.ABSENT;
  }

  @Override
  public void promote(Endpoint member, ServerPlan joining, Access access, Duration timeout) {
    // its autopilot does that
  }

  /** Lets the server leave, as {@code consul leave} does. */
  @Override
  public void remove(Endpoint member, ServerPlan joining, Access access, Duration timeout)
      throws IOException {
    ConsulProtocol.send("PUT", joining.endpoint(), access, "/v1/agent/leave", timeout)
        .requireOk("its " + joining.name() + " does not leave");
  }
}
