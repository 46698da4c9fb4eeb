// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.DiskSpace;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.cluster.process.ServerProcess;
import io.quorate.network.RoundTrip;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Security;
import io.quorate.store.Store;
import io.quorate.store.server.MemberAddress;
import io.quorate.store.server.MemberKeys;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ServerPlan;
import io.quorate.store.server.ServerProtocol;
import io.quorate.stores.Stores;
import io.quorate.tls.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Starts servers of a cluster on this machine, for all members or for one, and waits until they
 * serve requests.
 */
public final class Launch {
  private static final int ATTEMPTS = 5;

  /** Time limit of each request that sets up users. */
  private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(10);

  private final Store database;
  private final Path directory;
  private final ClusterSettings settings;
  private final boolean staying;
  private final Optional<ZoneRelay> relay;

  /** Launchers in the order of starting: a server that another one depends on comes first. */
  private final Map<ServerKind, ServerLauncher> launchers = new LinkedHashMap<>();

  /**
   * Prepares a start.
   *
   * @param directory absolute directory; gets {@code logs} and {@code data}
   * @param staying whether the servers may be left running
   * @throws QuorateException if a program is missing, or the servers are never started by Quorate
   */
  public Launch(Store database, Path directory, ClusterSettings settings, boolean staying) {
    this.database = database;
    this.directory = directory;
    this.settings = settings;
    this.staying = staying;
    this.relay = ZoneRelay.of(settings, directory);
    QuorateException.throwIf(Stores.servers(database).obstacleToStart());
    List<ServerKind> kinds = new ArrayList<>(Stores.servers(database).kinds());
    Collections.reverse(kinds);
    kinds.forEach(kind -> launchers.put(kind, kind.launcher().apply(settings.installation())));
  }

  int portsPerMember() {
    return launchers.values().stream().mapToInt(ServerLauncher::portsPerServer).sum();
  }

  private List<MemberAddress> addresses(List<List<Integer>> ports) {
    List<MemberAddress> addresses = new ArrayList<>();
    for (List<Integer> each : ports) {
      String host = relay.isPresent() ? ZoneRelay.host(addresses.size() + 1) : Ports.LOOPBACK;
      addresses.add(new MemberAddress(host, each));
    }
    return addresses;
  }

  /**
   * Starts all servers and waits until they are ready and one leads; retries with other ports if
   * the first choice was taken.
   *
   * @throws QuorateException if one ends or they are not ready in time; none is left running then
   */
  public RunningServers all(int members, Ports ports) {
    QuorateException.throwIf(Stores.servers(database).obstacleToStart(members));
    for (int attempt = 1; ; attempt++) {
      try {
        return all(addresses(ports.choose(members, portsPerMember())));
      } catch (PortTakenException taken) {
        if (!ports.canChooseAgain() || attempt == ATTEMPTS) {
          throw taken;
        }
      }
    }
  }

  private RunningServers all(List<MemberAddress> addresses) {
    if (settings.security() == Security.NONE) {
      return run(addresses, plan -> true, true, keys -> KeyRing.NONE);
    }
    ClusterSecrets secrets = ClusterSecrets.make(database, Instant.now());
    List<List<String>> hosts =
        IntStream.rangeClosed(1, addresses.size())
            .mapToObj(member -> hosts(member, addresses.get(member - 1)).distinct().toList())
            .toList();
    return run(
        addresses, plan -> true, true, keys -> KeyRing.ofAll(database, secrets, hosts, keys));
  }

  /** Returns the addresses of a member: its own, and those at which clients and peers reach it. */
  private Stream<String> hosts(int member, MemberAddress address) {
    String host = address.host();
    return Stream.of(
        host,
        relay.map(between -> between.clientHost(member)).orElse(host),
        relay.map(between -> between.peerHost(member)).orElse(host),
        // connections through a relay come from this address, which etcd checks as well
        relay.map(between -> Ports.LOOPBACK).orElse(host));
  }

  /**
   * Starts the servers of one member and waits until they are ready; the other members have to be
   * started elsewhere meanwhile.
   *
   * @param index index of the member, from 1
   * @param secrets secrets for TLS; empty for plain text
   * @throws QuorateException like {@link #all}
   */
  RunningServers member(int index, List<MemberAddress> addresses, Optional<MemberSecrets> secrets) {
    return run(
        addresses,
        plan -> plan.index() == index,
        false,
        keys -> secrets.isEmpty() ? KeyRing.NONE : KeyRing.ofOne(index, secrets.get(), keys));
  }

  private interface KeyWriter {
    KeyRing write(Path directory) throws IOException;
  }

  private RunningServers run(
      List<MemberAddress> addresses,
      Predicate<ServerPlan> isOurs,
      boolean whole,
      KeyWriter writer) {
    GuardedProcesses processes =
        GuardedProcesses.in(directory.resolve("data"), staying, settings.limits().stop());
    boolean ready = false;
    try {
      KeyRing keys = writer.write(directory.resolve("data").resolve(ClusterSecrets.DIRECTORY));
      List<List<ServerPlan>> plans = plans(addresses, keys);
      makeDirectories(plans.get(0).stream().filter(isOurs).toList(), processes);
      Readiness readiness = new Readiness(processes, keys.access());
      if (relay.isPresent()) {
        relay.get().start(plans, launchers::get, processes, settings.limits().start());
      }
      for (List<ServerPlan> peers : plans) {
        List<ServerPlan> ours = peers.stream().filter(isOurs).toList();
        boolean tellsLeader = peers.get(0).kind().protocol().tellsLeader();
        launch(ours, peers, processes);
        readiness.await(ours, peers.size(), whole && tellsLeader);
      }
      if (whole) {
        ServerPlan first = plans.get(plans.size() - 1).get(0);
        first.kind().protocol().lock(first.endpoint(), keys.access(), LOCK_TIMEOUT);
      }
      Map<String, RoundTrip> roundTrips = relay.isPresent() ? relay.get().measure() : Map.of();
      processes.formed();
      ready = true;
      return new RunningServers(processes, keys.access(), roundTrips, keys.secrets());
    } catch (IOException failure) {
      throw new QuorateException(
          "cannot start " + database.title() + ": " + DiskSpace.reason(directory, failure),
          failure);
    } finally {
      if (!ready) {
        processes.stop();
      }
    }
  }

  /** Returns one server for each member, for each kind in the order of starting. */
  private List<List<ServerPlan>> plans(List<MemberAddress> addresses, KeyRing keys) {
    List<List<ServerPlan>> plans = new ArrayList<>();
    List<ServerPlan> behind = List.of();
    int end = portsPerMember();
    for (Map.Entry<ServerKind, ServerLauncher> each : launchers.entrySet()) {
      // the first ports of a member belong to the server that clients connect to
      int first = end - each.getValue().portsPerServer();
      List<ServerPlan> peers = new ArrayList<>();
      for (int member = 0; member < addresses.size(); member++) {
        MemberAddress whole = addresses.get(member);
        peers.add(
            plan(
                each.getKey(),
                member + 1,
                new MemberAddress(whole.host(), whole.ports().subList(first, end)),
                behind.isEmpty() ? Optional.empty() : Optional.of(behind.get(member).endpoint()),
                keys.of(member + 1)));
      }
      plans.add(peers);
      behind = peers;
      end = first;
    }
    return plans;
  }

  private ServerPlan plan(
      ServerKind kind,
      int index,
      MemberAddress address,
      Optional<Endpoint> behind,
      Optional<MemberKeys> keys) {
    List<String> hosts = hosts(index, address).toList();
    return new ServerPlan(
        kind,
        index,
        address,
        directory.resolve("data").resolve(database.id() + "-" + index),
        directory.resolve("logs").resolve(kind.id() + "-" + index + ".log"),
        behind,
        settings.servers(),
        keys,
        hosts.get(1),
        hosts.get(2),
        settings.taps().pipedLogs());
  }

  private void makeDirectories(List<ServerPlan> ours, GuardedProcesses processes)
      throws IOException {
    Files.createDirectories(directory.resolve("logs"));
    for (ServerPlan plan : ours) {
      if (settings.taps().power().isPresent()) {
        Path program = settings.installation().require(Stores.POWER_CUT);
        processes.mount(plan, program, settings.taps().power().get());
      } else {
        makeDirectory(plan);
      }
    }
  }

  /** Creates the data directory of a server, with the mode that etcd sets on its directories. */
  static void makeDirectory(ServerPlan plan) throws IOException {
    // etcd warns of a data directory that other users may read
    Files.createDirectory(plan.data());
    Files.setPosixFilePermissions(plan.data(), PosixFilePermissions.fromString("rwx------"));
  }

  private void launch(List<ServerPlan> ours, List<ServerPlan> peers, GuardedProcesses processes)
      throws IOException {
    for (ServerPlan plan : ours) {
      ServerLauncher launcher = Objects.requireNonNull(launchers.get(plan.kind()));
      processes.launch(plan, launcher.command(plan, peers), launcher::clean);
    }
  }

  /**
   * The TLS files of servers that are started here.
   *
   * @param byMember keys by the index of the member, from 1; without members that are started
   *     elsewhere
   * @param access access of clients to the servers
   * @param secrets what issued all of them; empty if another machine did
   */
  private record KeyRing(
      Map<Integer, MemberKeys> byMember, Access access, Optional<ClusterSecrets> secrets) {
    /** Servers that speak plain text. */
    static final KeyRing NONE = new KeyRing(Map.of(), Access.PLAIN, Optional.empty());

    KeyRing {
      byMember = Map.copyOf(byMember);
    }

    /**
     * Writes keys into a new directory; each member's certificate names the hosts that reach it.
     */
    static KeyRing ofAll(
        Store database, ClusterSecrets secrets, List<List<String>> hosts, Path directory)
        throws IOException {
      PrivateFiles.createDirectory(directory);
      Map<Integer, MemberKeys> keys = new HashMap<>();
      for (int i = 1; i <= hosts.size(); i++) {
        String name = database.id() + "-" + i;
        MemberSecrets member = secrets.member(name, hosts.get(i - 1).toArray(String[]::new));
        keys.put(i, member.write(directory.resolve(name)));
      }
      return new KeyRing(keys, secrets.writeClient(directory), Optional.of(secrets));
    }

    static KeyRing ofOne(int index, MemberSecrets secrets, Path directory) throws IOException {
      MemberKeys keys = secrets.write(directory);
      return new KeyRing(
          Map.of(index, keys), secrets.access(directory, Instant.now()), Optional.empty());
    }

    /** Returns the keys of a member; empty for plain text, or if it is started elsewhere. */
    Optional<MemberKeys> of(int member) {
      return Optional.ofNullable(byMember.get(member));
    }
  }

  /**
   * Waits until started servers serve requests. Otherwise it reports which server ended, could not
   * listen, or did not answer in time, with the end of its log.
   */
  private final class Readiness {
    private static final int LOG_LINES = 15;
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(2);

    private final GuardedProcesses processes;
    private final Access access;
    private final long deadline = System.nanoTime() + settings.limits().start().toNanos();

    /**
     * Prepares to wait; the time limit for all servers together begins now.
     *
     * @param processes all started servers, including other kinds; none of them may end
     */
    Readiness(GuardedProcesses processes, Access access) {
      this.processes = processes;
      this.access = access;
    }

    /**
     * Waits until servers are ready.
     *
     * @param peers number of servers of their kind, on all machines
     * @param oneLeads whether one of them has to lead
     * @throws QuorateException if a server ends, or they are not ready in time
     */
    void await(List<ServerPlan> ours, int peers, boolean oneLeads) {
      while (true) {
        Map<String, String> answers = new LinkedHashMap<>();
        int ready = 0;
        int leaders = 0;
        for (ServerPlan plan : ours) {
          try {
            ServerProtocol.State state =
                plan.kind().protocol().askStarted(plan.endpoint(), access, peers, ASK_TIMEOUT);
            ready += state.ready() ? 1 : 0;
            leaders += state.leads() ? 1 : 0;
            answers.put(plan.name(), state.said());
          } catch (IOException silent) {
            answers.put(plan.name(), String.valueOf(silent.getMessage()));
          }
        }
        failOnDead();
        if (ready == ours.size() && (!oneLeads || leaders == 1)) {
          return;
        }
        if (System.nanoTime() > deadline) {
          throw notReady(answers);
        }
        Pause.of(POLL, database.title() + " to be ready");
      }
    }

    private void failOnDead() {
      for (ServerProcess server : processes.servers()) {
        ServerPlan plan = server.plan();
        if (foundPortTaken(server)) {
          throw new PortTakenException(
              "%s cannot listen: one of its ports of %s (%s) is taken. %s"
                  .formatted(
                      plan.name(),
                      plan.host(),
                      plan.address().ports().stream()
                          .map(String::valueOf)
                          .collect(Collectors.joining(", ")),
                      server.log().block(LOG_LINES)));
        }
        if (!server.isAlive()) {
          String why = server.fullDisk().orElseGet(() -> ". " + server.log().block(LOG_LINES));
          throw new QuorateException(
              "%s %s while it was starting%s".formatted(plan.name(), server.end(), why));
        }
      }
    }

    /** Returns whether a port is taken: zetcd logs nothing, so its ports are tried. */
    private static boolean foundPortTaken(ServerProcess server) {
      return server.log().tellsOfTakenPort()
          || !server.isAlive()
              && !server.plan().address().ports().stream()
                  .allMatch(port -> Ports.isFree(server.plan().host(), port));
    }

    private QuorateException notReady(Map<String, String> answers) {
      List<String> lines = new ArrayList<>();
      lines.add(
          "%s was not ready within %s s."
              .formatted(database.title(), settings.limits().start().toSeconds()));
      answers.forEach((name, answer) -> lines.add(name + ": " + VisibleText.line(answer)));
      processes.servers().forEach(server -> lines.add(server.log().block(LOG_LINES)));
      return new QuorateException(String.join("\n", lines));
    }
  }

  /**
   * Started servers that are ready for requests.
   *
   * @param access access of clients to the servers
   * @param roundTrips measured round trips between zones, by the names of both zones; empty without
   *     zones
   * @param secrets what issues further certificates; empty for plain text, or if another machine
   *     has it
   */
  public record RunningServers(
      GuardedProcesses processes,
      Access access,
      Map<String, RoundTrip> roundTrips,
      Optional<ClusterSecrets> secrets) {}
}
