// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.format.NumberFormats;
import io.quorate.results.DatabaseRun;
import io.quorate.results.IntactRun;
import io.quorate.results.requests.ClientResults;
import io.quorate.store.Endpoint;
import io.quorate.store.etcd.EtcdStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run at a rate on an existing cluster whose leader is killed: what it leaves. */
class KilledLeaderIT {
  private static final String SCENARIO =
      """
      title: Puts at a rate
      operation: put
      duration: 8s
      cold-start: true
      keys: {size: 64, count: 1000}
      values: {size: 64}
      load: {rate: 300/s, connections: 9}
      databases: [etcd]
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Nightly
  @Test
  @RequiresDatabase("etcd")
  void a_killed_leader_leaves_a_page_and_a_table_with_requests_and_errors() throws Exception {
    Files.writeString(directory.resolve("rate.yaml"), SCENARIO);
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 3, directory.resolve("servers"))) {
      String endpoints =
          cluster.members().stream()
              .map(Member::endpoint)
              .map(Endpoint::toString)
              .collect(Collectors.joining(","));
      try (InProcessRun run =
          InProcessRun.start(
              directory, "run", "rate.yaml", "--results", "results", "--endpoints", endpoints)) {
        run.awaitLoad("rate", "etcd");
        Member leader = cluster.leader().orElseThrow();
        ProcessHandle.of(leader.pids().get(0)).orElseThrow().destroyForcibly();
        run.awaitEnd();

        Path results = run.onlyRun("rate");
        DatabaseRun read = IntactRun.read(results.resolve("etcd"));
        ClientResults clients = read.clients().orElseThrow();
        assertThat(clients.successCount()).as(run.output()).isPositive();
        assertThat(clients.errorCount()).as(run.output()).isPositive();
        assertThat(clients.errorRows())
            .as("times of errors, in ms")
            .allSatisfy(error -> assertThat(error.totalNanos()).isNotNegative());
        String errors = NumberFormats.commas(clients.errorCount());
        assertThat(results.resolve("index.html")).content().contains(errors);
        assertThat(results.resolve("all-aggregated.txt"))
            .content()
            .containsPattern("CLIENT-ERROR-COUNT[ |]*" + errors);
      }
    }
  }
}
