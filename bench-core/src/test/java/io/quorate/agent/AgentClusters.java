// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import io.quorate.agent.server.AgentServer;
import io.quorate.host.HostRecording;
import io.quorate.results.DatabaseDirectory;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Security;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Starts agents at addresses of this machine, and clusters that they run. */
abstract class AgentClusters {
  static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir Path directory;
  final Queue<String> console = new ConcurrentLinkedQueue<>();
  final List<AgentServer> agents = new ArrayList<>();

  @AfterEach
  void stop() {
    agents.forEach(AgentServer::close);
  }

  AgentServer agent(int number, Clock clock) {
    AgentServer agent =
        TestAgents.start(
            "127.0.0." + number,
            directory.resolve("agent-" + number),
            Optional.empty(),
            clock,
            Protocol.SILENCE_LIMIT,
            console);
    agents.add(agent);
    return agent;
  }

  AgentCluster start(Store database, DatabaseDirectory results) {
    List<Endpoint> addresses = agents.stream().map(AgentServer::address).toList();
    return AgentCluster.start(
        database,
        ServerSettings.NONE,
        Security.NONE,
        addresses,
        Optional.empty(),
        "run-1",
        results);
  }

  /** Starts to record the hosts of the members, as with one client. */
  static HostRecording recording(AgentCluster cluster, DatabaseDirectory results) {
    return HostRecording.start(
        cluster.database(),
        cluster.members(),
        () -> 1,
        results,
        new HostRecording.Scope(Optional.of(cluster.metrics()), Optional.empty(), 1, 1),
        Access.PLAIN,
        Clock.systemUTC());
  }

  /**
   * Returns the remarks of a recording, without those that a busy machine causes: a server that did
   * not answer within 500 ms, and an inexact clock offset.
   */
  static List<String> remarks(HostRecording recording) {
    return recording.remarks().stream()
        .filter(
            remark ->
                !remark.endsWith(
                    "metrics of the server are missing for some seconds: does not answer in time"))
        .filter(remark -> !remark.matches("agent \\S+: its clock (has moved by|is \\d{1,3} ms) .*"))
        .toList();
  }

  DatabaseDirectory results(String name) throws IOException {
    return new DatabaseDirectory(Files.createDirectories(directory.resolve(name)));
  }
}
