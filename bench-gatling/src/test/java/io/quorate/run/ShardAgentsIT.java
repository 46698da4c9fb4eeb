// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.results.DatabaseRun;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.manifest.ServerInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two shards, of which one has the agent that runs the server of both. */
@RequiresDatabase("etcd")
@Nightly
class ShardAgentsIT {
  private static final String SCENARIO =
      """
      title: Two shards and an agent
      operation: put
      requests: 301
      warm-up: 10
      cold-start: true
      keys: {size: 16}
      values: {size: 32}
      load: {clients: 4}
      databases: [etcd]
      timeout: 60s
      """;

  private static final Duration LIMIT = Duration.ofMinutes(5);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  private QuorateProcess start(String... arguments) throws Exception {
    return QuorateProcess.start(directory, Map.of(), arguments);
  }

  private QuorateProcess startShard(String number, String... servers) throws Exception {
    return start(
        Stream.concat(
                Stream.of("run", "two.yaml", "--results", "results", "--barrier", "meet"),
                Stream.concat(Stream.of("--shard", number), Stream.of(servers)))
            .toArray(String[]::new));
  }

  @Test
  void the_shards_use_the_servers_of_one_and_the_merged_run_has_its_figures_of_them()
      throws Exception {
    Files.writeString(directory.resolve("two.yaml"), SCENARIO);
    String address = "127.0.0.1:" + TestServers.freePort("127.0.0.1");
    try (QuorateProcess agent = start("agent", "--listen", address, "--data", "agent")) {
      agent.awaitOutput("listening at", LIMIT);
      try (QuorateProcess first = startShard("1/2");
          QuorateProcess second = startShard("2/2", "--agents", address)) {
        assertThat(first.waitFor(LIMIT)).as(first.output()).isZero();
        assertThat(second.waitFor(LIMIT)).as(second.output()).isZero();
        assertThat(first.output())
            .contains("waits for the servers of the shard that has the agents")
            .doesNotContain("stopping the servers");
        assertThat(second.output())
            .contains("starting 1 member through agents", "stopping the servers");
      }
    }
    QuorateProcess merge =
        QuorateProcess.run(
            directory, Map.of(), "merge", run("1-of-2"), run("2-of-2"), "--into", "merged");
    assertThat(merge.exitCode()).as(merge.output()).isZero();

    DatabaseRun merged = DatabaseRun.read(directory.resolve("merged/etcd"));
    ServerInfo servers = merged.manifest().store().servers();
    assertThat(servers.hosting()).contains(ServerInfo.Hosting.AGENTS);
    assertThat(servers.agents()).extracting(ServerInfo.Agent::address).containsExactly(address);
    assertThat(merged.clients().orElseThrow().successCount()).isEqualTo(301);
    assertThat(merged.manifest().verification().orElseThrow().readKeys()).isEqualTo(301);
    assertThat(new HostFiles(merged.directory()).servers()).containsOnlyKeys(1);
    assertThat(directory.resolve("merged/all-aggregated.txt"))
        .content()
        .contains("SERVER-MAX-CPU-USAGE", "SERVER-AVG-DISK-SPACE-USAGE")
        .doesNotContain("no metrics of the servers", "the shards had different");
  }

  private String run(String shard) throws Exception {
    try (Stream<Path> runs = Files.list(directory.resolve("results/two"))) {
      List<String> found = runs.map(Path::toString).filter(each -> each.endsWith(shard)).toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
  }
}
