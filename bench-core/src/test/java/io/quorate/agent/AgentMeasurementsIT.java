// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import io.quorate.cluster.Await;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.TestServers;
import io.quorate.host.HostRecording;
import io.quorate.host.RemoteMetrics;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.StepBoundary;
import io.quorate.store.Access;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Measurements that agents make of real servers. */
@SuppressWarnings("try") // a recording may be closed twice
class AgentMeasurementsIT extends AgentClusters {
  @Test
  @Nightly // AgentRunsIT is the smaller one
  void a_cluster_through_agents_leaves_the_same_files_as_a_local_one() throws IOException {
    DatabaseDirectory local = results("local");
    try (Cluster cluster = TestServers.start(ZooKeeperStore.STORE, 3, local.path())) {
      record(cluster, Optional.empty(), local);
    }
    Stream.of(1, 2, 3).forEach(number -> agent(number, Clock.systemUTC()));
    DatabaseDirectory remote = results("remote");
    DatabaseDirectory again = results("again");
    try (AgentCluster cluster = start(ZooKeeperStore.STORE, remote)) {
      assertThat(cluster.members())
          .extracting(member -> member.name() + " " + member.endpoint().host())
          .containsExactly(
              "zookeeper-1 127.0.0.1", "zookeeper-2 127.0.0.2", "zookeeper-3 127.0.0.3");
      Await.until("there is a leader", LIMIT, () -> cluster.leader().isPresent());
      assertThat(cluster.version()).matches("3\\.\\d+\\.\\d+");
      record(cluster, Optional.of(cluster.metrics()), remote);
      record(cluster, Optional.of(cluster.metrics()), again);
      assertThat(cluster.failures()).isEmpty();
      assertThat(cluster.agents()).hasSize(3).allMatch(agent -> agent.cores() > 0);
    }

    assertThat(files(remote)).isEqualTo(files(local));
    checkSecondRecording(new HostFiles(remote), new HostFiles(again));
    HostFiles host = new HostFiles(remote);
    for (int index = 1; index <= 3; index++) {
      List<String> rows = Files.readAllLines(host.server(index));
      assertThat(rows.get(0)).isEqualTo(Files.readAllLines(new HostFiles(local).server(1)).get(0));
      // the number of clients came with the heartbeats
      assertThat(rows.get(rows.size() - 1)).contains(",42,");
      assertThat(rows).hasSizeGreaterThan(3);
    }
    List<String> internals = Files.readAllLines(host.internals());
    assertThat(internals).filteredOn(line -> line.startsWith("UNIX-SECOND")).hasSize(1);
    assertThat(internals).anyMatch(line -> line.contains(",3,zk_znode_count,"));
    assertThat(Files.readAllLines(host.diskUsage())).hasSize(4);
    assertThat(directory.resolve("agent-1/runs")).isEmptyDirectory();
  }

  /** Checks that a second recording of the same members begins with a header and no old row. */
  private static void checkSecondRecording(HostFiles first, HostFiles second) {
    for (int index = 1; index <= 3; index++) {
      List<String> rows = lines(second.server(index));
      assertThat(rows.get(0)).isEqualTo(lines(first.server(index)).get(0));
      assertThat(rows.stream().skip(1))
          .hasSizeGreaterThan(2)
          .doesNotContainAnyElementsOf(lines(first.server(index)));
    }
    assertThat(lines(second.internals())).hasSizeGreaterThan(9);
    assertThat(lines(second.internals()))
        .filteredOn(line -> line.startsWith("UNIX-SECOND"))
        .hasSize(1);
  }

  private static void record(
      Cluster cluster, Optional<RemoteMetrics> remote, DatabaseDirectory results) {
    HostFiles files = new HostFiles(results);
    try (HostRecording recording =
        HostRecording.start(
            cluster.database(),
            cluster.members(),
            () -> 42,
            results,
            new HostRecording.Scope(remote, Optional.empty(), 1, 1),
            Access.PLAIN,
            Clock.systemUTC())) {
      Await.until(
          "each member is heard three times",
          LIMIT,
          () ->
              Stream.of(",1,", ",2,", ",3,")
                  .allMatch(
                      member ->
                          lines(files.internals()).stream()
                                  .filter(line -> line.contains(member + "zk_znode_count,"))
                                  .count()
                              > 2));
      Await.until(
          "rows have come while it is measured",
          LIMIT,
          () ->
              Stream.of(1, 2, 3)
                  .map(index -> lines(files.server(index)))
                  .allMatch(rows -> rows.size() > 3 && rows.get(rows.size() - 1).contains(",42,")));
      recording.diskUsage();
      recording.close();
      assertThat(remarks(recording)).isEmpty();
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file).lines().toList() : List.of();
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  private static Set<String> files(DatabaseDirectory results) throws IOException {
    try (Stream<Path> all = Files.walk(results.path())) {
      return all.filter(Files::isRegularFile)
          .map(path -> results.path().relativize(path).toString())
          .collect(Collectors.toSet());
    }
  }

  /** A counter that only grows, read just before and just after, holds each sample between. */
  @Test
  void times_are_corrected_and_the_ends_of_steps_measured_when_the_load_generator_says_so()
      throws IOException {
    agent(1, Clock.offset(Clock.systemUTC(), Duration.ofMillis(-3_600_250)));
    DatabaseDirectory results = results("results");
    HostFiles files = new HostFiles(results);
    Path steps = files.serverSteps(1);
    List<Long> read = new ArrayList<>();
    long begin = Instant.now().getEpochSecond();
    try (AgentCluster cluster = start(TestServers.anyStore(), results);
        HostRecording recording = recording(cluster, results)) {
      // ClockOffsetTest tests the precision, which depends on the time of an answer here
      assertThat(cluster.agents().get(0).clockAheadMicros() / 1e6).isBetween(-3_630.0, -3_570.0);
      for (int step = 1; step <= 2; step++) {
        for (StepBoundary boundary : StepBoundary.values()) {
          read.add(loopbackBytes());
          recording.sample(step, boundary);
        }
      }
      read.add(loopbackBytes());
      recording.sample(2, StepBoundary.END);
      Await.until("rows have come", LIMIT, () -> lines(files.server(1)).size() > 3);
      recording.close();
      assertThat(remarks(recording))
          .hasSize(2)
          .anyMatch(
              remark ->
                  remark.endsWith(
                      "found step 2, expected one of 1 to 10000 that comes after the last one"))
          .anyMatch(
              remark ->
                  remark.matches(
                      "agent 127\\.0\\.0\\.1:\\d+: its clock is 3[56]\\d{5} ms behind; its times"
                          + " are corrected"));
    }
    // without the correction they are an hour off
    assertThat(seconds(files.server(1), 1)).allMatch(second -> isAround(begin, second));
    assertThat(seconds(files.internals(), 0)).allMatch(second -> isAround(begin, second));
    List<String> header = List.of(lines(steps).get(0).split(","));
    List<List<String>> rows =
        lines(steps).stream().skip(1).map(line -> List.of(line.split(",", -1))).toList();
    assertThat(rows)
        .extracting(row -> row.get(0) + " " + row.get(1))
        .containsExactly("1 begin", "1 end", "2 begin", "2 end");
    for (int i = 0; i < rows.size(); i++) {
      assertThat(Long.parseLong(rows.get(i).get(header.indexOf("RECEIVE-BYTES-NUM"))))
          .isBetween(read.get(i), read.get(i + 1));
    }
    assertThat(seconds(steps, header.indexOf("UNIX-SECOND")))
        .allMatch(second -> isAround(begin, second));
  }

  private static List<Long> seconds(Path file, int column) {
    return lines(file).stream()
        .skip(1)
        .map(row -> Long.valueOf(row.split(",", -1)[column]))
        .toList();
  }

  /** Returns whether a time is between a past one and now, with what a busy machine may add. */
  private static boolean isAround(long begin, long second) {
    return second >= begin - 30 && second <= Instant.now().getEpochSecond() + 30;
  }

  private static long loopbackBytes() throws IOException {
    return Long.parseLong(
        Files.readString(Path.of("/sys/class/net/lo/statistics/rx_bytes")).strip());
  }
}
