// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.install.Installation;
import io.quorate.network.Topology;
import io.quorate.store.Security;
import io.quorate.store.ServerSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports, time limits and programs of local servers.
 *
 * @param installation place where programs are looked for
 * @param basePort port where the first member listens for clients; each further member's client
 *     port is higher by 10, and a member's other ports follow its client port. Empty for free ports
 * @param startLimit how long servers may take to be ready
 * @param stopLimit how long they may take to end before they are killed
 * @param servers settings of the scenario for the servers
 * @param security whether the servers use TLS, with new certificates
 * @param topology the network between them; empty for no delays
 * @param relayed whether all data of members and clients passes a relay that can disturb it
 * @param pipedLogs whether logs pass a pipe that can be blocked, and contain every request
 */
public record ClusterSettings(
    Installation installation,
    Optional<Integer> basePort,
    Duration startLimit,
    Duration stopLimit,
    ServerSettings servers,
    Security security,
    Optional<Topology> topology,
    boolean relayed,
    boolean pipedLogs) {
  public ClusterSettings {
    if (startLimit.isNegative() || startLimit.isZero() || stopLimit.isNegative()) {
      throw new IllegalArgumentException("the limits of a cluster must be positive");
    }
  }

  /**
   * Returns the defaults: free ports, 60 s to start, 2 s to stop. The data is removed anyway, and a
   * leader of etcd would wait 7 s for a successor although all members are ending.
   */
  public static ClusterSettings defaults(Installation installation) {
    return new ClusterSettings(
        installation,
        Optional.empty(),
        Duration.ofSeconds(60),
        Duration.ofSeconds(2),
        ServerSettings.NONE,
        Security.NONE,
        Optional.empty(),
        false,
        false);
  }

  public Ports ports() {
    return basePort
        .map(Ports::from)
        .orElseGet(() -> Ports.free(Ports.LOOPBACK, ThreadLocalRandom.current()));
  }

  public ClusterSettings withBasePort(int port) {
    return new ClusterSettings(
        installation,
        Optional.of(port),
        startLimit,
        stopLimit,
        servers,
        security,
        topology,
        relayed,
        pipedLogs);
  }

  public ClusterSettings withStartLimit(Duration limit) {
    return new ClusterSettings(
        installation, basePort, limit, stopLimit, servers, security, topology, relayed, pipedLogs);
  }

  public ClusterSettings withStopLimit(Duration limit) {
    return new ClusterSettings(
        installation, basePort, startLimit, limit, servers, security, topology, relayed, pipedLogs);
  }

  public ClusterSettings withServers(ServerSettings chosen) {
    return new ClusterSettings(
        installation,
        basePort,
        startLimit,
        stopLimit,
        chosen,
        security,
        topology,
        relayed,
        pipedLogs);
  }

  public ClusterSettings withSecurity(Security other) {
    return new ClusterSettings(
        installation,
        basePort,
        startLimit,
        stopLimit,
        servers,
        other,
        topology,
        relayed,
        pipedLogs);
  }

  public ClusterSettings withTopology(Optional<Topology> other) {
    return new ClusterSettings(
        installation,
        basePort,
        startLimit,
        stopLimit,
        servers,
        security,
        other,
        relayed,
        pipedLogs);
  }

  public ClusterSettings withRelay(boolean through) {
    return new ClusterSettings(
        installation,
        basePort,
        startLimit,
        stopLimit,
        servers,
        security,
        topology,
        through,
        pipedLogs);
  }

  public ClusterSettings withPipedLogs(boolean piped) {
    return new ClusterSettings(
        installation, basePort, startLimit, stopLimit, servers, security, topology, relayed, piped);
  }
}
