// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.cluster.Launch.RunningServers;
import io.quorate.cluster.MemberControl.FurtherMember;
import io.quorate.cluster.ZoneRelay.RelayServer;
import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.cluster.process.ServerProcess;
import io.quorate.network.LinkBytes;
import io.quorate.network.RoundTrip;
import io.quorate.store.Access;
import io.quorate.store.Store;
import io.quorate.store.server.ProgramLocator;
import io.quorate.store.server.ServerPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A cluster that this program runs on 127.0.0.1. The servers end, and their data is removed, with
 * {@link #close()}, or within 10 seconds after this JVM was killed.
 */
public record LocalCluster(
    Store database,
    List<Member> members,
    Access access,
    Map<String, RoundTrip> roundTrips,
    GuardedProcesses processes,
    ProgramLocator installed,
    MemberProtocol protocol,
    Optional<ClusterSecrets> secrets)
    implements Cluster {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int LOG_LINES = 15;

  /**
   * Starts servers and waits until all of them serve requests and one leads.
   *
   * @param members number of members: 1, 3 or 5; a store without servers always has one
   * @param directory directory of the run: gets {@code logs/etcd-1.log} and so on, which stay, and
   *     {@code data/etcd-1} and so on, which are removed at the end. A member of zetcd or cetcd has
   *     two logs, such as {@code zetcd-1.log} and {@code etcd-1.log}, and one directory, {@code
   *     data/zetcd-1}
   * @throws io.quorate.QuorateException if a server is not installed, cannot listen, ends, or is
   *     not ready in time; with the last lines of its log. No server is left running then
   */
  public static Cluster start(
      Store database, int members, Path directory, ClusterSettings settings) {
    if (members != 1 && members != 3 && members != 5) {
      throw new IllegalArgumentException("a local cluster has 1, 3 or 5 members, not " + members);
    }
    if (!database.hasServers()) {
      return new InProcessCluster(database);
    }
    return start(database, members, directory, settings, settings.ports());
  }

  static Cluster start(
      Store database, int members, Path directory, ClusterSettings settings, Ports ports) {
    RunningServers servers =
        new Launch(database, absolute(directory), settings, false).all(members, ports);
    LocalCluster voters =
        new LocalCluster(
            database,
            members(servers.processes()),
            servers.access(),
            servers.roundTrips(),
            servers.processes(),
            settings.installation(),
            new MemberProtocol(database, servers.access()),
            servers.secrets());
    return settings.nonVoter() ? voters.withNonVoter(settings.limits().start()) : voters;
  }

  /** Starts a further member without a vote; stops all members if it does not serve in time. */
  private Cluster withNonVoter(Duration limit) {
    boolean serves = false;
    try {
      FurtherMember further =
          LocalFurtherMember.of(processes, installed, leader().orElseThrow(), access);
      further.join();
      Member member = further.member();
      long deadline = System.nanoTime() + limit.toNanos();
      while (!protocol.isServing(member) || !protocol.isNonVoter(member)) {
        if (further.hasEnded() || System.nanoTime() > deadline) {
          throw new QuorateException(
              "%s, which has no vote, %s. %s"
                  .formatted(
                      member.name(),
                      further.hasEnded()
                          ? "ended"
                          : "did not serve within " + limit.toSeconds() + " s",
                      processes.current(member.index()).log().block(LOG_LINES)));
        }
        Pause.of(POLL, member.name() + " to serve");
      }
      serves = true;
      return new LocalCluster(
          database,
          members(processes),
          access,
          roundTrips,
          processes,
          installed,
          protocol,
          secrets);
    } finally {
      if (!serves) {
        close();
      }
    }
  }

  public static Path absolute(Path directory) {
    return directory.toAbsolutePath().normalize();
  }

  /** Returns the members that these servers form, in the order of their index. */
  public static List<Member> members(GuardedProcesses processes) {
    SortedMap<Integer, Deque<ServerProcess>> members = new TreeMap<>();
    for (ServerProcess server : processes.servers()) {
      if (server.plan().index() == RelayServer.INDEX) {
        continue;
      }
      // a server behind another one was started before it
      members.computeIfAbsent(server.plan().index(), any -> new ArrayDeque<>()).push(server);
    }
    return members.values().stream().map(LocalCluster::member).toList();
  }

  /** Returns the member that these servers form, the last one first. */
  static Member member(Collection<ServerProcess> servers) {
    ServerPlan first = servers.iterator().next().plan();
    return new Member(
        first.index(),
        first.name(),
        first.clients(),
        servers.stream().map(LocalCluster::server).toList(),
        Optional.of(first.data()));
  }

  private static Member.Server server(ServerProcess server) {
    ServerPlan plan = server.plan();
    return new Member.Server(plan.name(), plan.endpoint(), server.pid(), plan.log());
  }

  @Override
  public Optional<Member> leader() {
    return protocol.leader(members);
  }

  @Override
  public String version() {
    return protocol.version(members);
  }

  @Override
  public Optional<Member.Server> relay() {
    return relayProcess().map(LocalCluster::server);
  }

  private Optional<ServerProcess> relayProcess() {
    return processes.servers().stream()
        .filter(server -> server.plan().index() == RelayServer.INDEX)
        .findFirst();
  }

  @Override
  public Map<String, Long> bytesBetweenZones() {
    return relayProcess().map(relay -> LinkBytes.read(relay.plan().data())).orElse(Map.of());
  }

  @Override
  public Optional<MemberControl> control() {
    return Optional.of(new ProcessControl(processes, installed, access, secrets));
  }

  @Override
  public void forgetHistory() {
    protocol.forgetHistory(members.get(0));
  }

  @Override
  public List<String> failures() {
    return processes.failures();
  }

  @Override
  public void close() {
    processes.stop();
  }

  @Override
  public void leaveStoppingToCaller() {
    processes.leaveStoppingToCaller();
  }
}
