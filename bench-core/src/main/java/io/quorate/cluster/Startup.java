package io.quorate.cluster;

import io.quorate.QuorateException;
import io.quorate.driver.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
  private final ServerLauncher launcher;
  private final ServerProtocol protocol;

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
    this.launcher = ServerLauncher.of(database, settings);
    this.protocol = ServerProtocol.of(database);
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
    List<MemberPlan> plans = plans();
    GuardedProcesses processes =
        GuardedProcesses.in(directory.resolve("data"), staying, settings.stopLimit());
    boolean ready = false;
    try {
      launch(plans, processes);
      awaitReady(processes.servers());
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

  private List<MemberPlan> plans() {
    List<List<Integer>> chosen = ports.choose(members, launcher.portsPerMember());
    return IntStream.rangeClosed(1, members)
        .mapToObj(
            index -> {
              String name = database.id() + "-" + index;
              return new MemberPlan(
                  index,
                  name,
                  chosen.get(index - 1),
                  directory.resolve("data").resolve(name),
                  directory.resolve("logs").resolve(name + ".log"));
            })
        .toList();
  }

  private void launch(List<MemberPlan> plans, GuardedProcesses processes) throws IOException {
    Files.createDirectories(directory.resolve("logs"));
    for (MemberPlan plan : plans) {
      // etcd warns of a data directory that others may read, and sets this itself where it makes it
      Files.createDirectory(plan.data());
      Files.setPosixFilePermissions(plan.data(), PosixFilePermissions.fromString("rwx------"));
      processes.launch(plan, launcher.command(plan, plans), launcher::clean);
    }
  }

  private void awaitReady(List<ServerProcess> servers) throws IOException {
    long deadline = System.nanoTime() + settings.startLimit().toNanos();
    while (true) {
      Map<String, String> answers = new LinkedHashMap<>();
      int ready = 0;
      int leaders = 0;
      for (ServerProcess server : servers) {
        try {
          ServerState state = protocol.ask(server.plan().endpoint(), ASK_TIMEOUT);
          ready += state.ready() ? 1 : 0;
          leaders += state.leads() ? 1 : 0;
          answers.put(server.plan().name(), state.said());
        } catch (IOException silent) {
          answers.put(server.plan().name(), String.valueOf(silent.getMessage()));
        }
      }
      failOnDead(servers);
      if (ready == servers.size() && leaders == 1) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw notReady(servers, answers);
      }
      pause();
    }
  }

  private void failOnDead(List<ServerProcess> servers) {
    for (ServerProcess server : servers) {
      if (server.log().tellsOfTakenPort()) {
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
