// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.measure.EventCounts;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunEvent;
import io.quorate.results.hosts.HostMeasurements;
import io.quorate.results.latency.LatencyTag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server, and a load generator, that stand still for 2 of 10 seconds at a constant rate: whatever
 * was due meanwhile had to wait, up to 2 s, and none of it is lost, nor an event of its watchers.
 */
@RequiresDatabase("etcd")
class StandstillIT {
  private static final String RATE =
      """
      title: A constant rate
      operation: put
      duration: 10s
      warm-up: 100
      cold-start: true
      keys: {size: 64}
      values: {size: 256}
      watch: {watchers: 20, streams: 2}
      load: {rate: 200/s, connections: 10}
      databases: [etcd]
      members: 1
      timeout: 60s
      """;

  private static final int DUE = 10 * 200;
  private static final Duration STANDSTILL = Duration.ofSeconds(2);
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final Duration START_LIMIT = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  private QuorateProcess start() throws Exception {
    Files.writeString(directory.resolve("rate.yaml"), RATE);
    QuorateProcess run =
        QuorateProcess.start(directory, Map.of(), "run", "rate.yaml", "--results", "results");
    run.awaitOutput(" ms  0 errors", START_LIMIT);
    return run;
  }

  private Path onlyRun() throws Exception {
    try (Stream<Path> runs = Files.list(directory.resolve("results/rate"))) {
      return runs.findFirst().orElseThrow();
    }
  }

  private static void standStill(ProcessHandle process) throws Exception {
    signal("STOP", process);
    long stopped = System.nanoTime();
    QuorateProcess.await(
        () -> System.nanoTime() - stopped > STANDSTILL.toNanos(),
        Duration.ofMinutes(1),
        () -> "no time passes");
    signal("CONT", process);
  }

  private static void signal(String name, ProcessHandle process) throws Exception {
    List<String> command = List.of("kill", "-" + name, Long.toString(process.pid()));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  private Histogram times(LatencyTag tag) throws Exception {
    Histogram all = new Histogram(3);
    try (HistogramLogReader log =
        new HistogramLogReader(onlyRun().resolve("etcd/latency.hlog").toFile())) {
      for (EncodableHistogram next = log.nextIntervalHistogram();
          next != null;
          next = log.nextIntervalHistogram()) {
        if (tag.toString().equals(next.getTag())) {
          all.add((Histogram) next);
        }
      }
    }
    return all;
  }

  /** Returns how many took at least a second, less what a timer may be off. */
  private static long ofASecond(Histogram times) {
    return times.getCountBetweenValues(SECOND_NANOS - SECOND_NANOS / 100, Long.MAX_VALUE / 2);
  }

  private void assertNothingIsLost(String output) throws Exception {
    DatabaseRun etcd = DatabaseRun.read(onlyRun().resolve("etcd"));
    assertThat(etcd.clients().orElseThrow().successCount()).isEqualTo(DUE);
    EventCounts events = etcd.watches().get(0).counts();
    assertThat(events.expected()).isEqualTo(20L * DUE);
    assertThat(events.delivered()).isEqualTo(20L * DUE);
    assertThat(events.duplicated() + events.reordered()).isZero();
    assertThat(output).contains("2,000 acknowledged keys verified, all correct");
  }

  @Test
  void a_server_that_stands_still_shows_in_the_response_times_of_all_that_was_due()
      throws Exception {
    Files.writeString(directory.resolve("rate.yaml"), RATE);
    try (InProcessRun run =
        InProcessRun.start(directory, "run", "rate.yaml", "--results", "results")) {
      run.awaitLoad("rate", "etcd");
      List<ProcessHandle> servers = run.servers("etcd");
      assertThat(servers).hasSize(1);
      standStill(servers.get(0));
      run.awaitEnd();
      assertThat(run.exitCode()).as(run.output()).isZero();
      assertNothingIsLost(run.output());
    }
    Histogram response = times(LatencyTag.response(1, "put"));
    Histogram service = times(LatencyTag.service(1, "put"));
    assertThat(response.getTotalCount()).isEqualTo(DUE);
    // of the 400 that were due in 2 s those of the first second waited for a second or longer
    assertThat(ofASecond(response)).isGreaterThanOrEqualTo(195);
    assertThat(response.getValueAtPercentile(99)).isGreaterThan(SECOND_NANOS);
    assertThat(response.getMaxValue()).isGreaterThan(2 * SECOND_NANOS - SECOND_NANOS / 50);
    assertThat(ofASecond(service)).isGreaterThanOrEqualTo(195);
    assertThat(Files.readString(onlyRun().resolve("index.html")))
        .containsPattern("etcd: no request succeeded for [0-9.]+\\hs");
    HostMeasurements machines =
        new HostMeasurements(new DatabaseDirectory(onlyRun().resolve("etcd")));
    double[] stopped = machines.servers().get(1).values("STOPPED-MILLISECONDS");
    assertThat(stopped[stopped.length - 1]).isGreaterThan(1_000);
    assertThat(machines.reported().metrics(1))
        .contains(
            "etcd_disk_wal_fsync_duration_seconds_max",
            "etcd_disk_wal_fsync_duration_seconds_max_from");
  }

  @Nightly
  @Test
  void a_load_generator_that_stands_still_shows_in_response_times_and_lag_and_says_so()
      throws Exception {
    try (QuorateProcess run = start()) {
      standStill(run.handle().children().findFirst().orElseThrow());
      assertThat(run.waitFor(Duration.ofMinutes(5))).as(run.output()).isZero();
      assertNothingIsLost(run.output());
      assertThat(Files.readString(onlyRun().resolve("etcd/gatling.log")))
          .containsPattern(
              "200/s, 20 watchers on 2 streams: the load generator stalled [0-9]+ times?, for up to"
                  + " [0-9]{4,} ms");
    }
    assertThat(ofASecond(times(LatencyTag.response(1, "put")))).isGreaterThanOrEqualTo(195);
    assertThat(ofASecond(times(LatencyTag.of(1, LatencyTag.Time.LAG)))).isGreaterThanOrEqualTo(195);
    // service time does not include the stall; on a busy machine a few may take a second, too
    assertThat(ofASecond(times(LatencyTag.service(1, "put"))))
        .isLessThan(ofASecond(times(LatencyTag.response(1, "put"))));
    assertThat(Files.readString(onlyRun().resolve("all-aggregated.txt")))
        .contains("load generator late: send lag")
        .containsPattern("the load generator stalled .* at 200/s, for up to [0-9]{4,}");
    assertThat(DatabaseRun.read(onlyRun().resolve("etcd")).events())
        .anyMatch(
            event ->
                event.kind() == RunEvent.Kind.LOAD_GENERATOR_STALL
                    && event.nanos() > 2 * SECOND_NANOS - SECOND_NANOS / 50);
    assertThat(Files.readString(onlyRun().resolve("index.html")))
        .contains("the load generator stalled")
        .doesNotContain("no request succeeded for");
  }
}
