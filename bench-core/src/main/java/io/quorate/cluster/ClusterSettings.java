// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.install.Installation;
import io.quorate.network.Topology;
import io.quorate.scenario.PowerCut;
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
 * @param servers settings of the scenario for the servers
 * @param security whether the servers use TLS, with new certificates
 * @param topology the network between them; empty for no delays
 * @param nonVoter whether a further member without a vote is started
 */
public record ClusterSettings(
    Installation installation,
    Optional<Integer> basePort,
    Limits limits,
    ServerSettings servers,
    Security security,
    Optional<Topology> topology,
    Taps taps,
    boolean nonVoter) {

  /**
   * Time limits of servers.
   *
   * @param start how long they may take to be ready
   * @param stop how long they may take to end before they are killed
   */
  public record Limits(Duration start, Duration stop) {
    public Limits {
      if (start.isNegative() || start.isZero() || stop.isNegative()) {
        throw new IllegalArgumentException("the limits of a cluster must be positive");
      }
    }
  }

  /**
   * Places where faults can disturb data.
   *
   * @param relayed whether all data of members and clients passes a relay
   * @param pipedLogs whether logs pass a pipe that can be blocked, and contain every request
   * @param power what survives when the power of data directories is cut; empty if it is not cut
   */
  public record Taps(boolean relayed, boolean pipedLogs, Optional<PowerCut> power) {}

  /**
   * Returns the defaults: free ports, 60 s to start, 2 s to stop. The data is removed anyway, and a
   * leader of etcd would wait 7 s for a successor although all members are ending.
   */
  public static ClusterSettings defaults(Installation installation) {
    return new ClusterSettings(
        installation,
        Optional.empty(),
        new Limits(Duration.ofSeconds(60), Duration.ofSeconds(2)),
        ServerSettings.NONE,
        Security.NONE,
        Optional.empty(),
        new Taps(false, false, Optional.empty()),
        false);
  }

  public Ports ports() {
    return basePort
        .map(Ports::from)
        .orElseGet(() -> Ports.free(Ports.LOOPBACK, ThreadLocalRandom.current()));
  }

  public ClusterSettings withBasePort(int port) {
    return new ClusterSettings(
        installation, Optional.of(port), limits, servers, security, topology, taps, nonVoter);
  }

  public ClusterSettings withLimits(Duration start, Duration stop) {
    return new ClusterSettings(
        installation,
        basePort,
        new Limits(start, stop),
        servers,
        security,
        topology,
        taps,
        nonVoter);
  }

  public ClusterSettings withServers(ServerSettings chosen) {
    return new ClusterSettings(
        installation, basePort, limits, chosen, security, topology, taps, nonVoter);
  }

  public ClusterSettings withSecurity(Security other) {
    return new ClusterSettings(
        installation, basePort, limits, servers, other, topology, taps, nonVoter);
  }

  public ClusterSettings withTopology(Optional<Topology> other) {
    return new ClusterSettings(
        installation, basePort, limits, servers, security, other, taps, nonVoter);
  }

  public ClusterSettings withTaps(Taps other) {
    return new ClusterSettings(
        installation, basePort, limits, servers, security, topology, other, nonVoter);
  }

  public ClusterSettings withNonVoter(boolean started) {
    return new ClusterSettings(
        installation, basePort, limits, servers, security, topology, taps, started);
  }
}
