package io.quorate.cluster;

import io.quorate.QuorateException;
import io.quorate.cluster.ZoneRelay.RelayServer;
import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.install.DirectoryTree;
import io.quorate.network.Link;
import io.quorate.network.Pings;
import io.quorate.network.RelayPlan;
import io.quorate.network.RelayPlan.Cable;
import io.quorate.network.RelayPlan.Machine;
import io.quorate.network.RoundTrip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Measures how precisely this machine simulates round trips between zones. */
public record ZoneCheck(ClusterSettings settings) {
  private static final int MAX_PINGS = 1_000;
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /**
   * The measured round trips.
   *
   * @param direct round trip without a relay
   * @param relayed round trips through a relay, in the order of the links
   */
  public record Result(RoundTrip direct, List<RoundTrip> relayed) {
    public Result {
      relayed = List.copyOf(relayed);
    }
  }

  /**
   * Starts a relay with these links, and sends pings through each of them for some seconds.
   *
   * @throws QuorateException if the relay cannot be started here
   */
  public Result measure(List<Link> links) {
    ZoneRelay.requireSystem();
    try {
      Path directory = Files.createTempDirectory("quorate-zones").toRealPath();
      GuardedProcesses processes =
          GuardedProcesses.in(directory.resolve("data"), false, settings.stopLimit());
      try {
        return measure(links, directory, processes);
      } finally {
        processes.stop();
        new DirectoryTree(directory).remove();
      }
    } catch (IOException failure) {
      throw new QuorateException("cannot measure round trips: " + failure.getMessage(), failure);
    }
  }

  private Result measure(List<Link> links, Path directory, GuardedProcesses processes)
      throws IOException {
    List<Machine> machines = new ArrayList<>(List.of(new Machine("here", "")));
    List<Cable> cables = new ArrayList<>();
    for (Link link : links) {
      cables.add(new Cable(0, machines.size(), "link " + machines.size(), link));
      machines.add(new Machine("there", ""));
    }
    int port = Ports.free(Pings.HOST, ThreadLocalRandom.current()).choose(1, 1).get(0).get(0);
    Pings pings = new Pings(cables, port);
    Files.createDirectory(directory.resolve("logs"));
    RelayServer relay = new RelayServer(directory, port, settings.installation());
    relay.launch(new RelayPlan(machines, pings.gates(), cables), processes);
    relay.awaitReady(processes, settings.startLimit());
    RoundTrip direct = Pings.direct(port, MAX_PINGS, LIMIT);
    Map<String, RoundTrip> relayed = pings.measure(MAX_PINGS, LIMIT);
    return new Result(direct, List.copyOf(relayed.values()));
  }
}
