package io.quorate.cluster;

import io.quorate.QuorateException;
import io.quorate.driver.Database;
import io.quorate.driver.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Starts the servers of one cluster and waits until they serve. */
final class Startup {
  private static final int ATTEMPTS = 5;
  private static final int LOG_LINES = 15;
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration ASK_TIMEOUT = Duration.ofSeconds(2);

  private final Database database;
  private final int members;
  private final Path directory;
  private final ClusterSettings settings;
  private final Ports ports;
  private final boolean staying;

  /** In the order in which they are started: what another one stands in front of comes first. */
  private final Map<ServerKind, ServerLauncher> launchers = new LinkedHashMap<>();

  /**
   * @param directory absolute; gets {@code logs} and {@code data}
   * @param staying whether the servers may be left running
   */
  Startup(
      Database database,
      int members,
      Path directory,
      ClusterSettings settings,
      Ports ports,
      boolean staying) {
    this.database = database;
    this.members = members;
    this.directory = directory;
    this.settings = settings;
    this.ports = ports;
    this.staying = staying;
    List<ServerKind> kinds = new ArrayList<>(ServerKind.of(database));
    Collections.reverse(kinds);
    kinds.forEach(kind -> launchers.put(kind, kind.launcher(settings)));
  }

  Database database() {
    return database;
  }

  /**
   * Servers that are ready.
   *
   * @throws QuorateException if one ends or they are not ready in time; none is left running then
   */
  GuardedProcesses run() {
    for (int attempt = 1; ; attempt++) {
      try {
        return attempt();
      } catch (PortTakenException taken) {
        if (!ports.canChooseAgain() || attempt == ATTEMPTS) {
          throw taken;
        }
      }
    }
  }

  private GuardedProcesses attempt() {
    List<List<ServerPlan>> plans = plans();
    GuardedProcesses processes =
        GuardedProcesses.in(directory.resolve("data"), staying, settings.stopLimit());
    boolean ready = false;
    try {
      makeDirectories(plans.get(0));
      long deadline = System.nanoTime() + settings.startLimit().toNanos();
      for (List<ServerPlan> peers : plans) {
        launch(peers, processes);
        awaitReady(peers, processes, deadline);
      }
      ready = true;
      return processes;
    } catch (IOException failure) {
      throw new QuorateException("cannot start " + database.title() + ": " + failure, failure);
    } finally {
      if (!ready) {
        processes.stop();
      }
    }
  }

  /** For each kind, in the order of starting, one server for each member. */
  private List<List<ServerPlan>> plans() {
    int perMember = launchers.values().stream().mapToInt(ServerLauncher::portsPerServer).sum();
    List<List<Integer>> chosen = ports.choose(members, perMember);
    List<List<ServerPlan>> plans = new ArrayList<>();
    List<ServerPlan> behind = List.of();
    int end = perMember;
    for (Map.Entry<ServerKind, ServerLauncher> each : launchers.entrySet()) {
      // the first ports of a member are those of the server that clients connect to
      int first = end - each.getValue().portsPerServer();
      List<ServerPlan> peers = new ArrayList<>();
      for (int member = 0; member < members; member++) {
        peers.add(
            plan(
                each.getKey(),
                member + 1,
                chosen.get(member).subList(first, end),
                behind.isEmpty() ? Optional.empty() : Optional.of(behind.get(member).endpoint())));
      }
      plans.add(peers);
      behind = peers;
      end = first;
    }
    return plans;
  }

  private ServerPlan plan(
      ServerKind kind, int index, List<Integer> itsPorts, Optional<Endpoint> behind) {
    return new ServerPlan(
        kind,
        index,
        itsPorts,
        directory.resolve("data").resolve(database.id() + "-" + index),
        directory.resolve("logs").resolve(kind.id() + "-" + index + ".log"),
        behind);
  }

  private void makeDirectories(List<ServerPlan> peers) throws IOException {
    Files.createDirectories(directory.resolve("logs"));
    for (ServerPlan plan : peers) {
      // etcd warns of a data directory that others may read, and sets this itself where it makes it
      Files.createDirectory(plan.data());
      Files.setPosixFilePermissions(plan.data(), PosixFilePermissions.fromString("rwx------"));
    }
  }

  private void launch(List<ServerPlan> peers, GuardedProcesses processes) throws IOException {
    for (ServerPlan plan : peers) {
      ServerLauncher launcher = launchers.get(plan.kind());
      processes.launch(plan, launcher.command(plan, peers), launcher::clean);
    }
  }

  private void awaitReady(List<ServerPlan> peers, GuardedProcesses processes, long deadline) {
    ServerProtocol protocol = peers.get(0).kind().protocol();
    int leadersNeeded = protocol.tellsLeader() ? 1 : 0;
    while (true) {
      Map<String, String> answers = new LinkedHashMap<>();
      int ready = 0;
      int leaders = 0;
      for (ServerPlan plan : peers) {
        try {
          ServerState state = protocol.askStarted(plan.endpoint(), peers.size(), ASK_TIMEOUT);
          ready += state.ready() ? 1 : 0;
          leaders += state.leads() ? 1 : 0;
          answers.put(plan.name(), state.said());
        } catch (IOException silent) {
          answers.put(plan.name(), String.valueOf(silent.getMessage()));
        }
      }
      failOnDead(processes.servers());
      if (ready == peers.size() && leaders == leadersNeeded) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw notReady(processes.servers(), answers);
      }
      pause();
    }
  }

  private void failOnDead(List<ServerProcess> servers) {
    for (ServerProcess server : servers) {
      if (foundPortTaken(server)) {
        throw new PortTakenException(
            server.plan().name()
                + " cannot listen: one of its ports of 127.0.0.1 ("
                + server.plan().ports().stream()
                    .map(String::valueOf)
                    .collect(Collectors.joining(", "))
                + ") is taken. "
                + server.log().block(LOG_LINES));
      }
      if (!server.isAlive()) {
        throw new QuorateException(
            server.plan().name()
                + " "
                + server.end()
                + " while it was starting. "
                + server.log().block(LOG_LINES));
      }
    }
  }

  /** As its log says; or, as zetcd says nothing at all, if somebody listens where it should. */
  private static boolean foundPortTaken(ServerProcess server) {
    return server.log().tellsOfTakenPort()
        || !server.isAlive() && !server.plan().ports().stream().allMatch(Ports::isFree);
  }

  private QuorateException notReady(List<ServerProcess> servers, Map<String, String> answers) {
    List<String> lines = new ArrayList<>();
    lines.add(
        database.title() + " was not ready within " + settings.startLimit().toSeconds() + " s.");
    answers.forEach((name, answer) -> lines.add(name + ": " + LogTail.escaped(answer)));
    servers.forEach(server -> lines.add(server.log().block(LOG_LINES)));
    return new QuorateException(String.join("\n", lines));
  }

  private void pause() {
    try {
      Thread.sleep(POLL.toMillis());
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new QuorateException(
          "interrupted while waiting for " + database.title() + " to be ready", interrupt);
    }
  }
}
