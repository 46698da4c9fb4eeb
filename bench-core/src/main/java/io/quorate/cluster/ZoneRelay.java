// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.netty.channel.epoll.Epoll;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.cluster.process.ServerProcess;
import io.quorate.network.Hop;
import io.quorate.network.Link;
import io.quorate.network.Pings;
import io.quorate.network.RelayPlan;
import io.quorate.network.RelayPlan.Cable;
import io.quorate.network.RelayPlan.Gate;
import io.quorate.network.RelayPlan.Machine;
import io.quorate.network.RelayProcess;
import io.quorate.network.RoundTrip;
import io.quorate.network.Topology;
import io.quorate.network.ZonePair;
import io.quorate.store.ServerSettings;
import io.quorate.store.server.JavaRuntime;
import io.quorate.store.server.MemberAddress;
import io.quorate.store.server.ProgramLocator;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ServerPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The relay between the zones of a local cluster, or between all its members and clients if their
 * network will be disturbed. Each member listens at a separate address. The relay listens at one
 * more address for each member, at the same ports; machines in other zones, or all, reach the
 * member there.
 */
final class ZoneRelay {
  private static final String MEMBERS = "127.0.1.";
  private static final String GATES = "127.0.2.";

  private final Optional<Topology> topology;
  private final boolean everywhere;
  private final Path directory;
  private final ProgramLocator installed;
  private final List<Cable> cables;

  /** What measures the links; null before the start. */
  private @Nullable Pings pings;

  private ZoneRelay(
      Optional<Topology> topology, boolean everywhere, ProgramLocator installed, Path directory) {
    this.topology = topology;
    this.everywhere = everywhere;
    this.installed = installed;
    this.directory = directory;
    this.cables = topology.map(ZoneRelay::cables).orElse(List.of());
  }

  /**
   * Returns the relay of a cluster; empty if it needs none.
   *
   * @param directory directory of the cluster
   * @throws QuorateException if this system cannot run one
   */
  static Optional<ZoneRelay> of(ClusterSettings settings, Path directory) {
    Optional<Topology> topology = settings.topology().filter(each -> !each.made().isEmpty());
    if (topology.isEmpty() && !settings.taps().relayed()) {
      return Optional.empty();
    }
    requireSystem();
    return Optional.of(
        new ZoneRelay(topology, settings.taps().relayed(), settings.installation(), directory));
  }

  static void requireSystem() {
    if (!(Epoll.isAvailable() && Files.exists(Path.of("/proc/self/fd")))) {
      throw new QuorateException(
          "found %s on %s, expected Linux on x86-64, where a relay can be between members"
              .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
    }
  }

  static String host(int member) {
    return MEMBERS + member;
  }

  String clientHost(int member) {
    boolean apart =
        everywhere || topology.filter(each -> !each.fromLoadGenerator(member).isNone()).isPresent();
    return apart ? GATES + member : host(member);
  }

  /** Returns the address at which all peers reach a member, because stores announce one to all. */
  String peerHost(int member) {
    boolean apart = everywhere || topology.filter(each -> isApart(member, each)).isPresent();
    return apart ? GATES + member : host(member);
  }

  private static boolean isApart(int member, Topology topology) {
    return IntStream.rangeClosed(1, topology.members())
        .anyMatch(other -> !topology.between(member, other).isNone());
  }

  /** Starts the relay, and waits until it is ready; plans are by kind, in the order of starting. */
  void start(
      List<List<ServerPlan>> plans,
      Function<ServerKind, ServerLauncher> launchers,
      GuardedProcesses processes,
      Duration limit)
      throws IOException {
    // a port that is free at one address of this machine is usually free at its other addresses
    int port = plans.get(0).get(0).port(0);
    Pings pings = new Pings(cables, port);
    this.pings = pings;
    RelayServer relay = new RelayServer(directory, port, installed);
    relay.launch(plan(plans, launchers, pings), processes);
    relay.awaitReady(processes, limit);
  }

  /** Measures the round trip of each link; returns them by the names of the zones. */
  Map<String, RoundTrip> measure() throws IOException {
    return Objects.requireNonNull(pings).measure();
  }

  private RelayPlan plan(
      List<List<ServerPlan>> plans, Function<ServerKind, ServerLauncher> launchers, Pings pings)
      throws IOException {
    List<Machine> machines = new ArrayList<>(List.of(new Machine("load generator", "")));
    List<ServerPlan> first = plans.get(plans.size() - 1);
    for (ServerPlan each : first) {
      machines.add(new Machine(each.name(), each.data().toRealPath().toString()));
    }
    List<Gate> gates = new ArrayList<>();
    first.stream()
        .filter(each -> !each.clientHost().equals(each.host()))
        .forEach(each -> gates.add(gate(each, 0, each.clientHost(), Hop.CLIENTS, false)));
    for (List<ServerPlan> peers : plans) {
      ServerLauncher kind = launchers.apply(peers.get(0).kind());
      for (ServerPlan each : peers) {
        for (int port = 1; port < kind.portsPerServer(); port++) {
          if (!each.peerHost().equals(each.host())) {
            boolean datagrams = kind.datagramPorts().contains(port);
            gates.add(gate(each, port, each.peerHost(), RelayPlan.BY_PROCESS, datagrams));
          }
        }
      }
    }
    gates.addAll(pings.gates());
    return new RelayPlan(machines, gates, cables, everywhere);
  }

  private static Gate gate(
      ServerPlan server, int port, String host, int source, boolean datagrams) {
    return new Gate(host, server.port(port), server.host(), server.index(), source, datagrams);
  }

  private static List<Cable> cables(Topology topology) {
    List<Cable> cables = new ArrayList<>();
    for (int member = 1; member <= topology.members(); member++) {
      String zone = topology.zones().get(member - 1);
      Link away = topology.fromLoadGenerator(member);
      if (!away.isNone()) {
        String from = topology.loadGenerator().orElseThrow();
        cables.add(new Cable(Hop.CLIENTS, member, "" + new ZonePair(from, zone), away));
      }
      for (int other = member + 1; other <= topology.members(); other++) {
        Link link = topology.between(member, other);
        String zones = "" + new ZonePair(zone, topology.zones().get(other - 1));
        if (!link.isNone()) {
          cables.add(new Cable(member, other, zones, link));
        }
      }
    }
    return cables;
  }

  /**
   * The process of a relay next to the servers of a cluster, in a separate Java virtual machine.
   */
  static final class RelayServer {
    /** Its index among the servers of a cluster, whose members are numbered from 1. */
    static final int INDEX = 0;

    private static final int LOG_LINES = 15;
    private static final Duration POLL = Duration.ofMillis(20);

    private static final ServerKind KIND =
        new ServerKind(
            "relay",
            Optional.empty(),
            (endpoint, access, timeout) -> {
              throw new IOException("a relay is not asked");
            },
            line -> Optional.empty(),
            installed -> launcher(installed.java()));

    private final ServerPlan server;
    private final ServerLauncher launcher;

    RelayServer(Path directory, int port, ProgramLocator installed) {
      this.launcher = KIND.launcher().apply(installed);
      this.server =
          new ServerPlan(
              KIND,
              INDEX,
              new MemberAddress(Pings.HOST, List.of(port)),
              directory.resolve("data").resolve("relay"),
              directory.resolve("logs").resolve("relay.log"),
              Optional.empty(),
              ServerSettings.NONE,
              Optional.empty(),
              Pings.HOST,
              Pings.HOST,
              false);
    }

    private static ServerLauncher launcher(JavaRuntime java) {
      return (server, peers) ->
          Stream.of(
                  List.of(
                      java.executable().toString(),
                      "-Xmx128m",
                      "-XX:MaxDirectMemorySize=512m",
                      "-XX:+UseSerialGC",
                      "-XX:TieredStopAtLevel=1",
                      "-XX:+ExitOnOutOfMemoryError",
                      "-Dio.netty.leakDetection.level=disabled"),
                  JavaRuntime.optionsOfLibraries(),
                  List.of(
                      "-cp",
                      java.classPath(),
                      RelayProcess.class.getName(),
                      server.data().toString()))
              .flatMap(List::stream)
              .toList();
    }

    void launch(RelayPlan plan, GuardedProcesses processes) throws IOException {
      Files.createDirectory(server.data());
      RelayProcess.write(plan, server.data());
      processes.launch(server, launcher.command(server, List.of()), launcher::clean);
    }

    /**
     * Waits until its gates are open.
     *
     * @throws PortTakenException if the port of one of them is taken
     * @throws QuorateException if it ends for another reason, or is not ready in time
     */
    void awaitReady(GuardedProcesses processes, Duration limit) {
      ServerProcess process = processes.servers().get(0);
      long deadline = System.nanoTime() + limit.toNanos();
      while (!RelayProcess.isReady(server.data())) {
        if (process.log().tellsOfTakenPort()) {
          throw new PortTakenException(
              "the relay cannot listen, as a port is taken. " + process.log().block(LOG_LINES));
        }
        if (!process.isAlive()) {
          throw new QuorateException(
              "the relay " + process.end() + ". " + process.log().block(LOG_LINES));
        }
        if (System.nanoTime() > deadline) {
          throw new QuorateException("the relay is not ready. " + process.log().block(LOG_LINES));
        }
        Pause.of(POLL, "the relay");
      }
    }
  }
}
