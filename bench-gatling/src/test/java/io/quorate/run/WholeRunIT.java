// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.StepUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One run on the in-memory map, from all sides: no servers, but everything else as it is. */
class WholeRunIT {
  private static final String STEPS =
      """
      title: Steps
      operation: write
      requests: 3000
      warm-up: 100
      cold-start: true
      keys: {size: 16}
      values: {size: 32}
      load: {steps: [1, 10, 50]}
      databases: [memory]
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private static Path directory;

  private static QuorateProcess run;
  private static long tookNanos;

  @BeforeAll
  static void runOnce() throws Exception {
    Files.writeString(directory.resolve("steps.yaml"), STEPS);
    long begin = System.nanoTime();
    run =
        QuorateProcess.run(
            directory,
            Map.of(),
            "run",
            "steps.yaml",
            "--table",
            "--verbose",
            "--gatling",
            "--results",
            "results");
    tookNanos = System.nanoTime() - begin;
    assertThat(run.exitCode()).as(run.output()).isZero();
  }

  private static Path onlyEntry(Path parent) throws IOException {
    try (Stream<Path> entries = Files.list(parent)) {
      List<Path> all = entries.toList();
      assertThat(all).hasSize(1);
      return all.get(0);
    }
  }

  /** If this fails after a new version of Gatling, its internals have changed: see ARCHITECTURE. */
  @Test
  void guard_users_of_gatling_make_requests_that_cost_nothing() throws Exception {
    Path memory = run.onlyRun("steps").resolve("memory");
    Manifest manifest = Manifest.read(memory.resolve("manifest.json"));
    assertThat(manifest.status()).isEqualTo(RunStatus.COMPLETE);
    Path gatling = onlyEntry(memory.resolve("gatling"));
    assertThat(gatling.resolve("index.html"))
        .content()
        .contains("1. put, 1 client", "2. put, 10 clients");
    assertThat(memory.resolve("gatling.log"))
        .content()
        .containsPattern("request count +\\| +3,000 \\| +3,000 \\| +-");
  }

  @Test
  void a_run_ends_with_the_answer_and_the_path_of_its_page() throws Exception {
    assertThat(run.output())
        .contains("TOTAL-REQUEST-NUMBER")
        .contains("3,000")
        .containsPattern("in-memory map +[0-9,]+ ")
        .containsPattern(
            "\npage    .*\\Q"
                + "steps/"
                + run.onlyRun("steps").getFileName()
                + "\\E/index.html\nwhy ")
        .doesNotContain("Exception");
    assertThat(Files.readString(run.onlyRun("steps").getParent().resolveSibling("index.html")))
        .contains("<h1>Benchmark runs</h1>", run.onlyRun("steps").getFileName().toString());
    assertThat(Files.readString(run.onlyRun("steps").resolve("all-aggregated.txt")))
        .contains(" memory ")
        .contains("CLIENT-MAX-CPU-USAGE")
        .doesNotContain("SERVER-");
    for (String plot : List.of("AVG-LATENCY-MS.svg", "AVG-LATENCY-MS.png")) {
      assertThat(run.onlyRun("steps").resolve("plots").resolve(plot)).isNotEmptyFile();
    }
    assertThat(run.onlyRun("steps").resolve("memory/client-latency-distribution-summary.csv"))
        .isNotEmptyFile();
    assertThat(run.onlyRun("steps").resolve("memory/latency.hlog")).isNotEmptyFile();
  }

  @Test
  void steps_follow_each_other_and_share_the_requests() throws Exception {
    List<String> rows =
        Files.readAllLines(
            run.onlyRun("steps").resolve("memory/client-latency-throughput-timeseries.csv"));
    assertThat(rows.stream().skip(1).map(row -> row.split(",")[1]).distinct())
        .containsExactly("1", "10", "50");
    assertThat(rows.stream().skip(1).mapToLong(row -> Long.parseLong(row.split(",")[5])).sum())
        .isEqualTo(3000);
  }

  @Test
  void what_each_step_cost_the_load_generator_is_in_the_manifest_and_on_the_console()
      throws Exception {
    assertThat(run.output())
        .containsPattern("in-memory map  1 client: load generator: [0-9.]+ us CPU per request")
        .containsPattern(
            "in-memory map  10 clients: load generator: .*, delay p50: [0-9.]+, p99: [0-9.]+, max: [0-9.]+ ms,"
                + " longest GC pause [0-9]+ ms");
    Manifest manifest = Manifest.read(run.onlyRun("steps").resolve("memory/manifest.json"));
    assertThat(manifest.costs()).extracting(StepUsage::clients).containsExactly(1, 10, 50);
    assertThat(manifest.costs())
        .extracting(StepUsage::requests)
        .containsExactly(1000L, 1000L, 1000L);
    assertThat(manifest.costs())
        .allSatisfy(
            cost -> {
              assertThat(cost.elapsedNanos()).isPositive();
              assertThat(cost.requestNanos()).isPositive();
              assertThat(cost.cpuNanos()).isNotNegative();
              assertThat(cost.requestsUnderWay()).isBetween(0.0, 1.0 * cost.clients());
            });
  }

  @Test
  void hdr_histogram_s_own_tools_find_every_latency_at_its_time() throws Exception {
    HistogramLogReader log =
        new HistogramLogReader(run.onlyRun("steps").resolve("memory/latency.hlog").toFile());
    long count = 0;
    double end = 0;
    for (EncodableHistogram next = log.nextIntervalHistogram(0, 3600);
        next != null;
        next = log.nextIntervalHistogram(0, 3600)) {
      if (!next.getTag().contains(";time=")) { // else delays of the load generator
        count += ((Histogram) next).getTotalCount();
      }
      assertThat(next.getStartTimeStamp() / 1000.0).isGreaterThanOrEqualTo(end);
      end = next.getStartTimeStamp() / 1000.0;
      assertThat((next.getEndTimeStamp() - next.getStartTimeStamp()) * 1e6).isLessThan(tookNanos);
    }
    assertThat(count).isEqualTo(3000);
  }
}
