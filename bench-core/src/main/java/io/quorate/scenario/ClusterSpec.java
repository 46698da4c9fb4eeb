// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.network.Topology;
import io.quorate.store.Endpoint;
import io.quorate.store.Security;
import java.util.List;
import java.util.Optional;

/**
 * The cluster that a run starts for each database.
 *
 * @param members number of members: 1, 3 or 5
 * @param agents agents that run its members, in their order, as many as {@code members}; empty for
 *     local servers
 * @param topology zones of its members and links between them; empty for no delays
 */
public record ClusterSpec(
    int members, List<Endpoint> agents, Security security, Optional<Topology> topology) {
  public ClusterSpec {
    agents = List.copyOf(agents);
  }

  /** Returns a cluster with other agents, whose number is the number of members. */
  ClusterSpec withAgents(List<Endpoint> others) {
    return new ClusterSpec(others.size(), others, security, topology);
  }
}
