// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.results.Canary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on the in-memory map that are repeated and compared with earlier ones. */
class RepeatedRunIT {
  private static final String SCENARIO =
      """
      title: Puts
      operation: put
      requests: 200
      warm-up: 10
      cold-start: true
      keys: {size: 8, count: 200}
      values: {size: 8}
      load: {clients: 2}
      databases: [memory]
      repeats: 2
      fail-on: [errors <= +0]
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  private InProcessRun run(String... arguments) throws IOException, InterruptedException {
    return InProcessRun.run(
        directory,
        Stream.concat(
                Stream.of("run"),
                Stream.concat(Stream.of(arguments), Stream.of("--results", "results")))
            .toArray(String[]::new));
  }

  @Test
  void runs_are_repeated_and_their_gate_compares_them_with_earlier_ones() throws Exception {
    Files.writeString(directory.resolve("mine.yaml"), SCENARIO);
    InProcessRun first = run("mine.yaml", "--repeats", "4", "--canary", "4s");
    assertThat(first.exitCode()).as(first.output()).isZero();
    Path baseline = first.onlyRun("mine");
    assertThat(first.output())
        .contains("1 database, 4 runs; results: " + baseline)
        .contains("1 database, each run 4 times; 4 of 4 runs are complete.")
        .contains("| throughput (requests/s) | ")
        .contains(
            "fail-on: applied when this run is compared with earlier ones: --baseline DIR, or");
    assertThat(first.output()).containsPattern("canary: [0-9,]+ requests/s in memory, fsync 0");
    assertThat(Canary.read(baseline)).as("before and after").hasSize(2);
    assertThat(baseline.resolve("cells/001-memory/4/memory/manifest.json"))
        .content()
        .containsPattern("\"gate\" : \\[\\s+\"errors <= \\+0\"");

    String[] later = {
      "mine.yaml", "--repeats", "4", "--canary", "off", "--baseline", "" + baseline
    };
    InProcessRun second = run(later);
    assertThat(second.exitCode()).as(second.output()).isZero();
    assertThat(second.output())
        .contains("in-memory map: 4 runs, then 4 runs")
        .contains("gate passed: errors <= +0: in-memory map, 2 clients, put: 0 (medians 0 and 0");

    Files.writeString(directory.resolve("mine.yaml"), SCENARIO.replace("clients: 2", "clients: 1"));
    InProcessRun other = run("mine.yaml", "--canary", "off", "--baseline", baseline.toString());
    assertThat(other.output()).doesNotContain("requests/s in memory");
    assertThat(other.exitCode()).as(other.output()).isEqualTo(1);
    assertThat(other.output())
        .contains("1 database, each run 2 times; 2 of 2 runs are complete.")
        .contains("load: 2 clients, 200 requests in the baseline, 1 client, 200 requests in the");
  }

  @Test
  @RequiresDatabase({"zookeeper", "zookeeper@3.8.6"})
  void pairs_of_two_databases_are_run_until_their_gate_is_decided() throws Exception {
    Files.writeString(
        directory.resolve("mine.yaml"),
        SCENARIO
            .replace("[memory]", "[zookeeper@3.8.6, zookeeper]")
            .replace("repeats: 2", "members: 1"));
    InProcessRun run = run("mine.yaml", "--until", "decided", "--order", "random:7");
    assertThat(run.exitCode()).as(run.output()).isZero();
    Path matrix = run.onlyRun("mine");
    assertThat(run.output())
        .contains("repeat 6 of 30")
        .doesNotContain("repeat 7 of 30")
        .contains("gate INCONCLUSIVE: errors <= +0: ZooKeeper")
        .contains("gate passed: errors <= +0: ZooKeeper")
        .contains("2 databases, each run 6 times; 12 of 12 runs are complete.");
    assertThat(matrix.resolve("matrix.json"))
        .content()
        .contains("\"repeats\" : 30", "\"repeat.order\" : \"random:7\"");
    assertThat(matrix.resolve("index.html"))
        .content()
        .contains("--order random:7", "--until decided")
        .doesNotContain("--repeats 30");

    InProcessRun resumed = InProcessRun.run(directory, "run", "--resume", matrix.toString());
    assertThat(resumed.exitCode()).as(resumed.output()).isZero();
    assertThat(resumed.output()).doesNotContain("repeat 7 of 30");
  }

  @Test
  @RequiresDatabase("etcd")
  void pairs_that_cannot_be_compared_end_after_the_first() throws Exception {
    Files.writeString(
        directory.resolve("mine.yaml"),
        SCENARIO.replace("[memory]", "[memory, etcd]").replace("repeats: 2", "members: 1"));
    InProcessRun run = run("mine.yaml", "--until", "decided");
    assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
    assertThat(run.output())
        .contains("client: map in the baseline, http2 in the candidate")
        .doesNotContain("repeat 2 of 30");
  }

  @Test
  @Nightly // the other test repeats a run, too
  void noise_is_shown_by_runs_that_are_compared_with_themselves() throws Exception {
    InProcessRun noise =
        run("put", "--database", "memory", "--clients", "2", "--requests", "200", "--aa", "2");
    assertThat(noise.exitCode()).as(noise.output()).isZero();
    Path run = noise.onlyRun("put");
    assertThat(noise.output())
        .contains("[4/4] repeat 4 of 4, memory")
        .contains("in-memory map: 2 runs, then 2 runs");
    assertThat(run.resolve("scenario.yaml")).content().contains("operation: put");
    assertThat(run.resolve("index.html"))
        .content()
        .contains(
            "./quorate run results/put/"
                + run.getFileName()
                + "/scenario.yaml --database memory --aa 2");
  }

  @Test
  void what_cannot_be_compared_is_refused_before_anything_starts() throws Exception {
    Files.writeString(directory.resolve("mine.yaml"), SCENARIO);
    for (List<String> wrong :
        List.of(
            List.of("--baseline", "nothing"),
            List.of("--aa", "3", "--repeats", "2"),
            List.of("--repeats", "0"),
            List.of("--repeats", "101"),
            List.of("--until", "bored"),
            List.of("--until", "decided", "--repeats", "7"),
            List.of("--until", "decided"),
            List.of("--max-repeats", "7"),
            List.of("--fail-on", "p99 better"),
            List.of("--shard", "1/2", "--database", "memory"))) {
      InProcessRun refused =
          run(Stream.concat(Stream.of("mine.yaml"), wrong.stream()).toArray(String[]::new));
      assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
      assertThat(refused.output()).contains(wrong.get(0).substring(2) + ": ");
      assertThat(directory.resolve("results")).doesNotExist();
    }
  }
}
