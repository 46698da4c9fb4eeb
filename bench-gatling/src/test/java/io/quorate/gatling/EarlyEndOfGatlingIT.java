// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.Await;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.simulation.ScenarioSimulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scenario in the process that Gatling's Maven plugin starts, and that a user ends. */
@RequiresDatabase("etcd")
class EarlyEndOfGatlingIT {
  private static final String ENDLESS =
      """
      title: Long enough to be ended
      operation: put
      members: 1
      requests: 100_000_000
      warm-up: 0
      cold-start: true
      keys: {size: 64}
      values: {size: 256}
      load: {clients: 2, max-rate: 200/s}
      databases: [etcd, memory]
      """;

  @TempDir private Path directory;

  @Test
  void the_first_TERM_ends_the_step_and_writes_the_page() throws Exception {
    Path scenario = Files.writeString(directory.resolve("endless.yaml"), ENDLESS);
    Map<String, String> properties =
        Map.of(
            "scenario", scenario.toString(),
            "quorate.home", System.getProperty("quorate.home"),
            "quorate.results", directory.resolve("results").toString(),
            "quorate.progress.seconds", "1");
    try (ForkedGatling gatling =
        new ForkedGatling(ScenarioSimulation.class, directory, properties)) {
      Await.until(
          "a request succeeds",
          Duration.ofMinutes(5),
          () -> gatling.output().matches("(?s).*etcd 1/1 .*[1-9][0-9]*/s .*"));
      gatling.interrupt();

      assertThat(gatling.exitCode()).as(gatling.output()).isEqualTo(143);
      assertThat(gatling.output())
          .contains("ending early (TERM): verifies")
          .containsPattern("[1-9][0-9]* acknowledged keys verified, all correct")
          .containsPattern("etcd: ended early after [0-9.]+ s\n");
    }
    RunDirectory run = onlyRun();
    assertThat(run.page()).content().containsPattern("etcd: ended early after [0-9.]+ s");
    assertThat(run.databases())
        .extracting(each -> Manifest.read(each.manifest()).status())
        .containsOnly(RunStatus.ENDED_EARLY);
  }

  private RunDirectory onlyRun() throws IOException {
    try (Stream<Path> runs = Files.list(directory.resolve("results/endless"))) {
      return RunDirectory.open(runs.findFirst().orElseThrow());
    }
  }
}
