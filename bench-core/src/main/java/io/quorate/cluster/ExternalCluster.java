// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.server.ServerProtocol;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A cluster of servers that are already running. Quorate sends them requests, but never starts,
 * watches or stops them.
 */
public record ExternalCluster(
    Store database, List<Member> members, Access access, MemberProtocol protocol)
    implements Cluster {
  /** Returns a cluster as the other method does, for keys of any run. */
  public static Cluster of(Store database, List<Endpoint> endpoints, Access access) {
    return of(database, endpoints, access, ServerProtocol.KEYS);
  }

  /**
   * Returns the cluster of the members at these endpoints, numbered in this order.
   *
   * @param prefix prefix of the keys that are used; empty if none are
   * @throws io.quorate.QuorateException if none of them answers, with the result of each attempt,
   *     or if this access does not permit requests
   */
  public static Cluster of(Store database, List<Endpoint> endpoints, Access access, String prefix) {
    Cluster cluster = observed(database, endpoints, access);
    if (cluster instanceof ExternalCluster given) {
      given.protocol.requireAccess(given.members, prefix);
    }
    return cluster;
  }

  /**
   * Returns the cluster of the members at these endpoints, which gets no requests for keys.
   *
   * @throws io.quorate.QuorateException if none of them answers, with the result of each attempt
   */
  public static Cluster observed(Store database, List<Endpoint> endpoints, Access access) {
    return ofServers(database, endpoints.stream().map(List::of).toList(), access);
  }

  /**
   * Returns the cluster whose members consist of these servers: first the one that clients connect
   * to, then the one behind it.
   *
   * @throws io.quorate.QuorateException like {@link #of}
   */
  public static Cluster ofServers(Store database, List<List<Endpoint>> servers, Access access) {
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("a cluster needs at least one endpoint");
    }
    if (!database.hasServers()) {
      return new InProcessCluster(database);
    }
    List<Member> members =
        IntStream.range(0, servers.size())
            .mapToObj(
                index ->
                    Member.elsewhere(
                        index + 1, database.id() + "-" + (index + 1), servers.get(index).get(0)))
            .toList();
    MemberProtocol protocol =
        new MemberProtocol(database, access, member -> servers.get(member.index() - 1));
    Cluster cluster = new ExternalCluster(database, members, access, protocol);
    cluster.version();
    return cluster;
  }

  @Override
  public Optional<Member> leader() {
    return protocol.leader(members);
  }

  @Override
  public String version() {
    return protocol.version(members);
  }
}
