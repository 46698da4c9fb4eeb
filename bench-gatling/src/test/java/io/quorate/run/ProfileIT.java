// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Endpoint;
import io.quorate.store.Operation;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.TransactionLog;
import io.quorate.store.zookeeper.TransactionLog.Kind;
import io.quorate.store.zookeeper.TransactionLog.Transaction;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A profile of a known load, and the load that it makes: both within 5%. Sizes of values are drawn,
 * so a log is compared with the sizes in it, and a mean with {@value #MEAN_BYTES} bytes within five
 * standard errors.
 */
class ProfileIT {
  private static final int RATE = 500;
  private static final int MEAN_BYTES = 400;

  /** Standard deviation of the sizes of the known load. */
  private static final double DEVIATION_BYTES = 245;

  private static final int KEY_BYTES = 40;
  private static final double FIVE_PERCENT = 5;

  /** Number of puts in the 6 s in which the metrics of etcd are observed. */
  private static final long PUTS_IN_METRICS = 1_500;

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final String KNOWN =
      """
      title: A known load
      mix: {put: 50, get: 50}
      duration: %s
      warm-up: 0
      cold-start: true
      keys: {size: 40, distribution: uniform, count: 500}
      values: {sizes: {200: 50, 500: 40, 1000: 10}}
      load: {rate: 500/s, connections: 8}
      databases: [%s]
      verify: none
      """;

  /** The size of the smallest values. */
  private static final int LEAST_BYTES = 200;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Nightly
  @Test
  @RequiresDatabase("etcd")
  void metrics_of_etcd_reproduce_a_load() throws Exception {
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 1, directory.resolve("servers"))) {
      Endpoint server = cluster.members().get(0).endpoint();
      Files.writeString(directory.resolve("known.yaml"), KNOWN.formatted("60s", "etcd"));
      Scenario profiled = profileOf("known.yaml", "first.yaml", server);
      assertThat(profiled.requests().keys().sizeBytes()).isCloseTo(KEY_BYTES, withinPercentage(20));
      assertSameLoad(profiled);
      assertSameKeys(profiled);
      assertMean(profiled, PUTS_IN_METRICS);

      String text = Files.readString(directory.resolve("first.yaml"));
      assertThat(text).doesNotContain("quorate/", server.toString());
      Files.writeString(
          directory.resolve("again.yaml"), text.replaceAll("duration: \\d+s", "duration: 60s"));
      Scenario second = profileOf("again.yaml", "second.yaml", server);
      assertSameLoad(second);
      assertSameKeys(second);
      assertMean(second, PUTS_IN_METRICS);
    }
  }

  /** Sends the load of a scenario, and observes it in the middle. */
  private Scenario profileOf(String scenario, String output, Endpoint server) throws Exception {
    try (QuorateProcess load = start(scenario, server)) {
      load.awaitOutput(" ms  0 errors", LIMIT);
      QuorateProcess profile =
          QuorateProcess.run(
              directory,
              Map.of(),
              "profile",
              "etcd",
              "--endpoints=" + server,
              "--duration=6s",
              "--output=" + output);
      assertThat(profile.exitCode()).as(profile.output()).isZero();
      assertThat(profile.output()).contains("Run it with ./quorate run " + output);
      load.handle().destroy();
      load.waitFor(LIMIT);
      assertThat(load.output()).contains(" were removed");
    }
    return read(output);
  }

  private QuorateProcess start(String scenario, Endpoint server) throws IOException {
    return QuorateProcess.start(directory, Map.of(), arguments(scenario, server));
  }

  private static String[] arguments(String scenario, Endpoint server) {
    return new String[] {
      "run",
      scenario,
      "--endpoints=" + server,
      "--run-name=" + scenario.replace(".yaml", ""),
      "--results=results"
    };
  }

  private Scenario read(String file) throws IOException {
    return ScenarioReader.read(file, Files.readString(directory.resolve(file)), 1);
  }

  private static void assertSameLoad(Scenario profiled) {
    assertThat(profiled.requests().mix().operations())
        .containsExactlyInAnyOrder(Operation.PUT, Operation.GET);
    for (OperationMix.Share share : profiled.requests().mix().shares()) {
      double percent = 100.0 * share.weight() / profiled.requests().mix().totalWeight();
      assertThat(percent).as(share.toString()).isCloseTo(50, withinPercentage(FIVE_PERCENT));
    }
    LoadModel.Open open = (LoadModel.Open) profiled.databases().get(0).steps().get(0).model();
    assertThat((double) open.ratePerSecond()).isCloseTo(RATE, withinPercentage(FIVE_PERCENT));
  }

  /** Checks the number of keys, of which etcd reports all. */
  private static void assertSameKeys(Scenario profiled) {
    assertThat(profiled.requests().keys().count()).isBetween(475L, 525L);
  }

  /** Checks the mean size of values, of which so many were drawn. */
  private static void assertMean(Scenario profiled, long drawn) {
    assertThat((double) profiled.requests().values().meanBytes())
        .isCloseTo(MEAN_BYTES, within(5 * DEVIATION_BYTES / Math.sqrt(drawn)));
  }

  @Test
  void a_transaction_log_of_zookeeper_reproduces_a_load() throws Exception {
    Path servers = directory.resolve("servers");
    try (Cluster cluster = TestServers.start(ZooKeeperStore.STORE, 1, servers)) {
      Endpoint server = cluster.members().get(0).endpoint();
      Files.writeString(directory.resolve("known.yaml"), KNOWN.formatted("8s", "zookeeper"));
      run("known.yaml", server);
      List<Transaction> known = writes(servers, 0);

      Scenario profiled = profileOfLog(servers, known, "first.yaml");
      assertThat(profiled.requests().values().shares())
          .extracting("bytes")
          .containsExactly(200, 500, 1000);
      assertMean(profiled, known.size());
      assertThat(profiled.requests().mix().shares().get(0).weight()).isEqualTo(known.size());

      String text = Files.readString(directory.resolve("first.yaml"));
      Files.writeString(directory.resolve("again.yaml"), text + "warm-up: 0\ncold-start: true\n");
      run("again.yaml", server);
      List<Transaction> again = writes(servers, times(known).getMax());
      assertThat((double) again.size()).isCloseTo(known.size(), withinPercentage(FIVE_PERCENT));
      profileOfLog(servers, again, "second.yaml");
    }
  }

  private void run(String scenario, Endpoint server) throws Exception {
    InProcessRun load = InProcessRun.run(directory, arguments(scenario, server));
    assertThat(load.exitCode()).as(load.output()).isZero();
  }

  /** Returns the writes after a time, in milliseconds since 1970. */
  private static List<Transaction> writes(Path servers, long afterMillis) throws IOException {
    List<Transaction> all = new ArrayList<>();
    TransactionLog.read(log(servers), all::add, bytes -> {});
    return all.stream()
        .filter(each -> each.kind() == Kind.SET_DATA && each.timeMillis() > afterMillis)
        // the mark of a run is shorter
        .filter(each -> each.changes().get(0).bytes() >= LEAST_BYTES)
        .toList();
  }

  private static LongSummaryStatistics times(List<Transaction> writes) {
    return writes.stream().mapToLong(Transaction::timeMillis).summaryStatistics();
  }

  private static Path log(Path servers) throws IOException {
    try (Stream<Path> files = Files.walk(servers)) {
      return files
          .filter(each -> each.getFileName().toString().matches("log\\.[0-9a-f]+"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Returns the profile of these writes, which has the mean of their sizes. */
  private Scenario profileOfLog(Path servers, List<Transaction> writes, String output)
      throws Exception {
    LongSummaryStatistics times = times(writes);
    InProcessRun profile =
        InProcessRun.run(
            directory,
            "profile",
            "zookeeper",
            log(servers).getParent().toString(),
            "--from=" + Instant.ofEpochMilli(times.getMin()),
            "--until=" + Instant.ofEpochMilli(times.getMax() + 1),
            "--reads=250/s",
            "--output=" + directory.resolve(output));
    assertThat(profile.exitCode()).as(profile.output()).isZero();
    assertThat(Files.readString(directory.resolve(output))).doesNotContain("quorate/");
    Scenario profiled = read(output);
    assertSameLoad(profiled);
    // a log shows only the keys that were drawn
    long drawn = writes.stream().map(each -> each.changes().get(0).path()).distinct().count();
    assertThat(profiled.requests().keys().count()).isBetween(drawn, drawn + 1); // and the mark
    double mean =
        writes.stream().mapToInt(each -> each.changes().get(0).bytes()).average().orElseThrow();
    assertThat((double) profiled.requests().values().meanBytes()).isCloseTo(mean, within(1.0));
    return profiled;
  }

  @Test
  void what_is_no_transaction_log_is_refused() throws Exception {
    Path foreign =
        Files.writeString(directory.resolve("log.1"), "title: this file has no transactions");
    InProcessRun refused = InProcessRun.run(directory, "profile", "zookeeper", foreign.toString());
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.output())
        .contains(
            foreign + ": byte 0: found other bytes, expected the header of a transaction log");
    Path mine = Files.writeString(directory.resolve("mine.yaml"), "mine");
    InProcessRun existing =
        InProcessRun.run(directory, "profile", "zookeeper", foreign.toString(), "--output=" + mine);
    assertThat(existing.exitCode()).isEqualTo(1);
    assertThat(existing.output()).contains("--output: " + mine + " exists already");
    assertThat(mine).hasContent("mine");
  }
}
