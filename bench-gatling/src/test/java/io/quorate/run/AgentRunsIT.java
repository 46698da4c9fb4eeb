// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import io.quorate.NightlyRun;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.FaultRecord;
import io.quorate.results.MemberAgreement;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.scenario.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs through agents, each a separate process: one, and every night three, and what a kill in the
 * middle leaves.
 */
@RequiresDatabase("etcd")
class AgentRunsIT {
  private static final String SCENARIO =
      """
      title: Through agents
      operation: write
      requests: %d
      warm-up: 100
      cold-start: true
      keys: {size: 64}
      values: {size: 256}
      load: {clients: 10, max-rate: 200/s}
      databases: [etcd]
      agents: [%s]
      """;

  private static final int ENDLESS = 100_000_000;
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration SOON = Duration.ofMinutes(3);

  /** On a disk, whose metrics are asserted. */
  @TempDir private Path directory;

  /** AgentClusterIT has a cluster of several. */
  private static final int AGENTS = NightlyRun.isOn() ? 3 : 1;

  private final List<QuorateProcess> agents = new ArrayList<>();
  private final List<String> addresses = new ArrayList<>();

  @BeforeEach
  void startAgents() throws Exception {
    run(
        "agent",
        "keys",
        "--directory",
        directory.resolve("keys").toString(),
        "--hosts",
        "127.0.0.1,127.0.0.2,127.0.0.3");
    for (int i = 1; i <= AGENTS; i++) {
      String host = "127.0.0." + i;
      addresses.add(host + ":" + TestServers.freePort(host));
      agents.add(
          QuorateProcess.start(
              directory,
              Map.of(),
              "agent",
              "--listen",
              addresses.get(i - 1),
              "--data",
              "agent-" + i,
              "--keys",
              "keys/agents/" + host));
    }
    for (QuorateProcess agent : agents) {
      agent.awaitOutput("listening at", START_LIMIT);
    }
  }

  @AfterEach
  void stopAgents() {
    agents.forEach(QuorateProcess::close);
  }

  private InProcessRun run(String... arguments) {
    InProcessRun run = InProcessRun.run(directory, arguments);
    assertThat(run.exitCode()).as(run.output()).isZero();
    return run;
  }

  private String[] arguments(String name, int requests) throws IOException {
    Files.writeString(
        directory.resolve(name + ".yaml"),
        SCENARIO.formatted(requests, String.join(", ", addresses)));
    return new String[] {
      "run", name + ".yaml", "--agent-keys", "keys/client", "--results", "results"
    };
  }

  private InProcessRun startEndless(String name) throws Exception {
    InProcessRun run = InProcessRun.start(directory, arguments(name, ENDLESS));
    run.awaitOutput(" ms  0 errors", START_LIMIT);
    awaitRows(name);
    return run;
  }

  private void awaitRows(String name) throws InterruptedException {
    QuorateProcess.await(
        () ->
            hasClientFiles(name)
                && hasRows(name, "1-server-system-metrics.csv")
                && hasRows(name, "2-server-system-metrics.csv")
                && hasRows(name, "3-server-system-metrics.csv"),
        SOON,
        () -> "no rows have come");
  }

  private boolean hasClientFiles(String name) {
    try {
      return result(name).clients().filter(each -> each.successCount() > 0).isPresent();
    } catch (IOException changing) {
      return false;
    }
  }

  private boolean hasRows(String name, String file) {
    try {
      Path path = onlyRun(name).resolve("etcd").resolve(file);
      return Files.exists(path) && Files.readAllLines(path).size() > 1;
    } catch (IOException changing) {
      return false;
    }
  }

  @Test
  void kills_in_the_middle_leave_marked_and_readable_runs_and_agents_that_go_on() throws Exception {
    if (NightlyRun.isOn()) { // AgentSessionIT loses connections, and KilledPartsIT a member
      loadGeneratorKilled();
      memberKilled();
    }

    // nothing of them is in the way of a whole run
    run(arguments("whole", 1_000)); // takes at least 5 s, so there are whole seconds
    DatabaseRun whole = result("whole");
    assertThat(whole.manifest().status()).isEqualTo(RunStatus.COMPLETE);
    assertThat(whole.manifest().store().servers().hosting()).contains(ServerInfo.Hosting.AGENTS);
    assertThat(whole.manifest().store().servers().agents())
        .extracting(ServerInfo.Agent::address)
        .containsExactlyElementsOf(addresses);
    assertThat(whole.manifest().store().servers().members()).hasSize(AGENTS);
    String table = Files.readString(onlyRun("whole").resolve("all-aggregated.txt"));
    assertThat(table.lines().filter(line -> line.startsWith("|")).skip(1)).hasSize(30);
    assertThat(table).doesNotContain(" - |");

    if (NightlyRun.isOn()) { // AgentSessionIT is the smaller one
      agentKilled();
    }
  }

  @Nightly
  @Test
  void agents_kill_the_leader_and_pause_a_follower() throws Exception {
    List<FaultRecord> faults = faults("kill-leader 2s, pause-follower 2s", "20s");
    assertThat(faults)
        .hasSize(2)
        .allMatch(FaultRecord::tookEffect)
        .filteredOn(each -> each.kind().fault() == Fault.KILL_LEADER)
        .singleElement()
        .matches(each -> each.members().equals(each.leaderBefore().stream().toList()))
        .matches(each -> each.servingNanos().isPresent());
  }

  private List<FaultRecord> faults(String faults, String recovery) throws Exception {
    String[] arguments = arguments("faults", 1);
    Path scenario = directory.resolve("faults.yaml");
    Files.writeString(
        scenario,
        Files.readString(scenario)
                .replace("operation: write\nrequests: 1\n", "mix: {put: 1, get: 1}\n")
                .replace("keys: {size: 64}", "keys: {size: 16, count: 50, distribution: uniform}")
                .replace("{clients: 10, max-rate: 200/s}", "{rate: 100/s, connections: 6}")
            + "faults: {inject: [%s], times: 1, quiet: 1s, jitter: 0s, recovery: %s, sessions: 0, watches: 0}\n"
                .formatted(faults, recovery));
    run(arguments);
    DatabaseDirectory database = new DatabaseDirectory(onlyRun("faults").resolve("etcd"));
    assertThat(MemberAgreement.read(database).orElseThrow().differing()).isZero();
    return FaultRecord.FILE.read(database);
  }

  private void loadGeneratorKilled() throws Exception {
    try (QuorateProcess run =
        QuorateProcess.start(directory, Map.of(), arguments("generator", ENDLESS))) {
      run.awaitOutput(" ms  0 errors", START_LIMIT);
      awaitRows("generator");
      List<ProcessHandle> servers = servers();
      run.handle().children().findFirst().orElseThrow().destroyForcibly();

      assertThat(run.waitFor(SOON)).as(run.output()).isEqualTo(1);
      awaitEnd(servers);
      assertThat(result("generator").manifest().status()).isEqualTo(RunStatus.INTERRUPTED);
      assertReadable("generator");
    }
    for (QuorateProcess agent : agents) {
      agent.awaitOutput("free again: the connection of the load generator is gone", SOON);
    }
  }

  private void memberKilled() throws Exception {
    try (InProcessRun run = startEndless("member")) {
      List<ProcessHandle> servers = servers();
      servers.get(1).destroyForcibly();

      assertThat(run.waitFor(SOON)).as(run.output()).isEqualTo(1);
      assertThat(run.output())
          .contains("etcd: given up: etcd-2 was ended by signal 9")
          .doesNotContain("\tat ");
      awaitEnd(servers);
      assertFailed("member", "etcd-2 was ended by signal 9");
    }
  }

  private void agentKilled() throws Exception {
    try (InProcessRun run = startEndless("agent")) {
      List<ProcessHandle> servers = servers();
      agents.get(2).handle().destroyForcibly();

      assertThat(run.waitFor(SOON)).as(run.output()).isEqualTo(1);
      assertThat(run.output()).contains("etcd: given up: ").doesNotContain("\tat ");
      awaitEnd(servers);
      assertFailed("agent", addresses.get(2));
    }
    Path data = directory.resolve("agent-3/runs");
    QuorateProcess.await(() -> !holdsData(data), SOON, () -> "data is left in " + data);
  }

  private static boolean holdsData(Path runs) {
    try (Stream<Path> all = Files.walk(runs)) {
      return all.anyMatch(path -> path.getFileName().toString().equals("etcd-3"));
    } catch (IOException | java.io.UncheckedIOException changing) {
      return true;
    }
  }

  /** Returns the servers of all agents, in their order. */
  private List<ProcessHandle> servers() {
    List<ProcessHandle> servers =
        agents.stream()
            .flatMap(agent -> agent.handle().children())
            .filter(process -> process.info().command().orElse("").endsWith("/etcd"))
            .toList();
    assertThat(servers).hasSize(3);
    return servers;
  }

  private static void awaitEnd(List<ProcessHandle> servers) throws InterruptedException {
    QuorateProcess.await(
        () -> servers.stream().noneMatch(ProcessHandle::isAlive),
        SOON,
        () -> "still running: " + servers);
  }

  private void assertFailed(String name, String reason) throws IOException {
    DatabaseRun result = result(name);
    assertThat(result.manifest().status()).isEqualTo(RunStatus.FAILED);
    assertThat(result.manifest().reason().orElseThrow()).contains(reason);
    assertReadable(name);
    assertThat(new HostFiles(result.directory()).servers()).hasSize(3);
  }

  /** Also the rows that have come of all members. */
  private void assertReadable(String name) throws IOException {
    assertThat(result(name).clients().orElseThrow().successCount()).isPositive();
    for (int member = 1; member <= 3; member++) {
      List<String> rows =
          Files.readAllLines(
              onlyRun(name).resolve("etcd/" + member + "-server-system-metrics.csv"));
      int columns = rows.get(0).split(",", -1).length;
      assertThat(rows).hasSizeGreaterThan(1).allMatch(row -> row.split(",", -1).length == columns);
    }
    assertThat(Files.readString(onlyRun(name).resolve("all-aggregated.txt"))).contains("etcd");
  }

  private DatabaseRun result(String name) throws IOException {
    return DatabaseRun.read(onlyRun(name).resolve("etcd"));
  }

  private Path onlyRun(String name) throws IOException {
    try (Stream<Path> runs = Files.list(directory.resolve("results").resolve(name))) {
      return runs.findFirst().orElseThrow();
    }
  }
}
