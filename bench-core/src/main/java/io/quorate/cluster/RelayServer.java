package io.quorate.cluster;

import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.cluster.process.ServerProcess;
import io.quorate.network.Pings;
import io.quorate.network.RelayPlan;
import io.quorate.network.RelayProcess;
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
import java.util.List;
import java.util.Optional;

/** The process of a relay next to the servers of a cluster, in a separate Java virtual machine. */
final class RelayServer {
  /** Its index among the servers of a cluster, whose members are numbered from 1. */
  static final int INDEX = 0;

  private static final int LOG_LINES = 15;
  private static final Duration POLL = Duration.ofMillis(20);

  private static final ServerKind KIND =
      ServerKind.bundled(
          "relay",
          RelayServer::launcher,
          (endpoint, access, timeout) -> {
            throw new IOException("a relay is not asked");
          },
          line -> Optional.empty());

  private final ServerPlan server;
  private final ServerLauncher launcher;

  RelayServer(Path directory, int port, ProgramLocator installed) {
    this.launcher = KIND.launcher(installed);
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
            Pings.HOST);
  }

  private static ServerLauncher launcher(JavaRuntime java) {
    return new ServerLauncher() {
      @Override
      public int portsPerServer() {
        return 1;
      }

      @Override
      public List<String> command(ServerPlan server, List<ServerPlan> peers) {
        return List.of(
            java.executable().toString(),
            "-Xmx128m",
            "-XX:MaxDirectMemorySize=512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dio.netty.leakDetection.level=disabled",
            "-cp",
            java.classPath(),
            RelayProcess.class.getName(),
            server.data().toString());
      }
    };
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
