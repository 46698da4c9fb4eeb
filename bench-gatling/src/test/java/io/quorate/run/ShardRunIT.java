// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.measure.Verification;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.ShardStart;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.OperationCounts;
import io.quorate.store.etcd.EtcdStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two load generators that generates the load of one scenario on one etcd, and what they make of
 * it.
 */
@RequiresDatabase("etcd")
class ShardRunIT {
  private static final String SCENARIO =
      """
      title: Two shards
      operation: put
      requests: 601
      warm-up: 11
      cold-start: true
      keys: {size: 32, distribution: random}
      values: {size: 32}
      load: {steps: [2, 7]}
      databases: [etcd]
      timeout: 60s
      thresholds: [errors = 0, throughput >= 1/s]
      """;

  private static final Duration LIMIT = Duration.ofMinutes(5);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  private QuorateProcess start(String endpoint, Map<String, String> environment, String... which)
      throws Exception {
    return QuorateProcess.start(directory, environment, arguments(endpoint, which));
  }

  private static String[] arguments(String endpoint, String... which) {
    Stream<String> common =
        Stream.of("run", "two.yaml", "--results", "results", "--endpoints", endpoint);
    return Stream.concat(common, Stream.concat(Stream.of("--barrier", "meet"), Stream.of(which)))
        .toArray(String[]::new);
  }

  private List<String> runs() throws Exception {
    try (Stream<Path> runs = Files.list(directory.resolve("results/two"))) {
      return runs.map(Path::toString).sorted().toList();
    }
  }

  @Test
  void two_shards_make_together_exactly_the_scenario_and_merge_into_one_run() throws Exception {
    Files.writeString(directory.resolve("two.yaml"), SCENARIO);
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 1, directory.resolve("servers"))) {
      String endpoint = cluster.members().get(0).endpoint().toString();
      try (QuorateProcess second =
          start(endpoint, Map.of("QUORATE_SHARDS", "2", "JOB_COMPLETION_INDEX", "1"))) {
        InProcessRun first = InProcessRun.run(directory, arguments(endpoint, "--shard", "1/2"));
        assertThat(first.exitCode()).as(first.output()).isZero();
        assertThat(second.waitFor(LIMIT)).as(second.output()).isZero();
        assertThat(first.output())
            .contains("two, shard 1 of 2: Two shards", "etcd: shard 1 of 2 alone");
        assertThat(second.output())
            .contains("step 2 began ")
            .contains("s ahead of the directory's");
      }
      InProcessRun half =
          InProcessRun.run(
              directory,
              "merge",
              runs().get(0),
              "--into",
              directory.resolve("results/half").toString());
      assertThat(half.exitCode()).isEqualTo(1);
      assertThat(half.output()).contains("of 2 is missing: expected all of the 2 shards");
      assertThat(directory.resolve("results/half")).doesNotExist();

      InProcessRun merge =
          InProcessRun.run(
              directory,
              "merge",
              "--barrier",
              directory.resolve("meet").toString(),
              "--into",
              directory.resolve("merged").toString());
      assertThat(merge.exitCode()).as(merge.output()).isZero();
    }
    checkMerged();
  }

  @Nightly
  @Test
  void a_shard_whose_partner_is_killed_names_it_and_fails() throws Exception {
    Files.writeString(
        directory.resolve("two.yaml"),
        SCENARIO.replace("{steps: [2, 7]}", "{clients: 2, max-rate: 30/s}"));
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 1, directory.resolve("servers"))) {
      String endpoint = cluster.members().get(0).endpoint().toString();
      try (QuorateProcess first = start(endpoint, Map.of(), "--shard", "1/2");
          QuorateProcess second = start(endpoint, Map.of(), "--shard", "2/2")) {
        second.awaitOutput("step 1 began ", LIMIT);
        ProcessHandle loadGenerator = second.loadGenerator();
        second.handle().destroyForcibly();
        loadGenerator.destroyForcibly();

        assertThat(first.waitFor(LIMIT)).as(first.output()).isEqualTo(1);
        assertThat(first.output()).contains("given up: shard 2 of 2: no sign of life for 60 s");
      }
    }
    DatabaseRun run =
        runs().stream()
            .map(each -> DatabaseRun.read(Path.of(each).resolve("etcd")))
            .filter(each -> each.manifest().shard().orElseThrow().shard().number() == 1)
            .findFirst()
            .orElseThrow();
    assertThat(run.manifest().status()).isEqualTo(RunStatus.FAILED);
    assertThat(run.manifest().reason().orElseThrow()).startsWith("shard 2 of 2: no sign of life");
    assertThat(run.clients().orElseThrow().successCount()).isPositive();
  }

  private void checkMerged() throws Exception {
    DatabaseRun merged = DatabaseRun.read(directory.resolve("merged/etcd"));
    ClientResults results = merged.clients().orElseThrow();
    assertThat(results.operations(1)).containsExactly(new OperationCounts("put", 0, 300, 0));
    assertThat(results.operations(2)).containsExactly(new OperationCounts("put", 0, 301, 0));
    assertThat(merged.latencies().all().getTotalCount()).isEqualTo(601);
    Verification verified = merged.manifest().verification().orElseThrow();
    assertThat(verified.acknowledgedKeys()).isEqualTo(601);
    assertThat(verified.readKeys()).isEqualTo(601);
    assertThat(verified.failed()).isFalse();
    assertThat(merged.manifest().scenario().limits()).hasSize(2);
    assertThat(merged.manifest().shards())
        .extracting(MergedShard::succeeded)
        .containsExactly(301L, 300L);
    for (MergedShard shard : merged.manifest().shards()) {
      assertThat(shard.starts()).extracting(ShardStart::step).containsExactly(1, 2);
      assertThat(shard.starts()).allMatch(start -> start.clock().isPresent());
    }
    assertThat(directory.resolve("merged/index.html"))
        .content()
        .contains("<h3 id=\"shards\">Shards</h3>", "etcd, 1 of 2", "etcd, 2 of 2")
        .contains("its machine", System.getProperty("java.runtime.version"))
        .containsOnlyOnce("the shards had different")
        // one ran in this JVM
        .contains("the shards had different options of their JVM: ")
        .contains("etcd: merged from 2 of 2 shards on 1 machine");
    assertThat(directory.resolve("merged/all-aggregated.txt"))
        .content()
        .containsPattern("etcd: the shards began step 1 within [0-9.]+ ms of each other");
    assertThat(directory.resolve("merged/junit.xml")).content().contains("throughput");
  }
}
