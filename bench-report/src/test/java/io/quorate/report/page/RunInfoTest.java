// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.GoldenRun;
import io.quorate.report.TestRuns;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.page.Page.Cell;
import io.quorate.report.page.Page.Fact;
import io.quorate.results.ExperimentRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunInfoTest {
  @TempDir private Path directory;

  @Test
  void times_are_those_of_the_manifest_in_utc() {
    GoldenRun golden = new GoldenRun(directory, "etcd", "zookeeper");
    ExperimentRun run = ExperimentRun.read(golden.directory().path());
    RunInfo info = new RunInfo(run);

    assertThat(info.common())
        .contains(
            new Fact("started", "2026-11-21 07:51:46 UTC"),
            new Fact("ended", "2026-11-21 07:52:06 UTC"));
    assertThat(info.chips()).startsWith("2026-11-21 07:51 UTC");
  }

  /** Returns a run of three steps with other manifests. */
  private ExperimentRun closed(UnaryOperator<String> changed) throws IOException {
    TestRuns.copy(Path.of("src/test/resources/io/quorate/report/frozen/closed"), directory);
    for (String database : List.of("etcd", "zookeeper")) {
      Path manifest = directory.resolve(database + "/manifest.json");
      Files.writeString(manifest, changed.apply(Files.readString(manifest)));
    }
    return ExperimentRun.read(directory);
  }

  @Test
  void loads_in_any_order_are_from_the_least_to_the_greatest() throws IOException {
    ExperimentRun run =
        closed(text -> text.replaceAll("\"clients\" : 10(?=\\D)", "\"clients\" : 100"));

    assertThat(new RunInfo(run).parameters()).endsWith(", 1 to 100 clients");
  }

  @Test
  void phases_of_the_same_load_are_told_apart() throws IOException {
    ExperimentRun run =
        closed(
            text ->
                text.replaceAll("\"clients\" : 50(?=\\D)", "\"clients\" : 10")
                    .replaceAll(
                        "\"connections\" : \\d+,\\s+\"requests\" : 2000",
                        "\"connections\" : 1, \"requests\" : 2000, \"shares\" : [ {\"operation\" :"
                            + " \"put\", \"weight\" : 1} ]"));

    assertThat(new Overview(RunFigures.of(run)).comparable())
        .extracting(Overview.Group::title)
        .containsExactly("1 client, put", "phase 2: 10 clients, put", "phase 3: 10 clients, put");
  }

  @Test
  void clocks_of_shards_and_agents_are_in_milliseconds() {
    GoldenRun golden = new GoldenRun(directory, "etcd");
    golden.replace(
        "etcd/manifest.json",
        "\"shards\" : [ ]",
        """
        "shards" : [ {"number" : 2, "count" : 3, "members" : [ ], "succeeded" : 0, "failed" : 0,
          "dropped" : 0, "costs" : [ ], "starts" : [ {"step" : 1, "began" : "2026-11-21T07:51:50.250Z",
          "clock" : {"aheadMicros" : 1500, "uncertaintyMicros" : 200} } ] } ]\
        """);
    golden.replace(
        "etcd/manifest.json",
        "\"agents\" : [ ]",
        """
        "agents" : [ {"address" : "10.0.0.1:7300", "host" : "db1", "os" : "Debian", "kernel" : "6.1",
          "cores" : 2, "suite" : "0.1.0", "clockAheadMicros" : 1234}, {"address" : "10.0.0.2:7300",
          "os" : "Debian", "kernel" : "6.1", "cores" : 2, "suite" : "0.1.0",
          "clockAheadMicros" : -500} ]\
        """);
    RunInfo info = new RunInfo(ExperimentRun.read(golden.directory().path()));

    assertThat(info.shards().columns()).contains("began step 1", "clock ahead");
    assertThat(info.shards().rows().get(0).cells())
        .extracting(Cell::text)
        .contains("2026-11-21T07:51:50.248500Z", "1.5 ms, \u00b1 0.2");
    assertThat(info.common())
        .contains(
            new Fact(
                "agents",
                "10.0.0.1:7300 on db1, clock 1.234 ms ahead, 10.0.0.2:7300 on a host without a"
                    + " name, clock -0.500 ms ahead"));
  }
}
