// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines that do not let a run have what it needs. */
class HostLimitsIT {
  private static final String THOUSAND =
      """
      title: A thousand clients
      operation: write
      requests: 10000
      warm-up: 0
      cold-start: true
      keys: {size: 64}
      values: {size: 256}
      load: {steps: [10, 1000]}
      databases: [zookeeper]
      """;

  @TempDir private Path directory;

  @Test
  void too_few_open_files_are_said_before_anything_starts_with_the_number_that_is_needed()
      throws Exception {
    Files.writeString(directory.resolve("mine.yaml"), THOUSAND);
    QuorateProcess run =
        QuorateProcess.startBehind(
            List.of("/bin/sh", "-c", "ulimit -n 1024; exec \"$@\"", "sh"),
            directory,
            Map.of(),
            "run",
            "mine.yaml",
            "--results",
            "results");
    assertThat(run.waitFor(Duration.ofMinutes(3))).isEqualTo(1);
    assertThat(run.output())
        .containsPattern(
            "^zookeeper: 1000 connections need 1\\d\\d\\d open files in one process, but the limit is"
                + " 1024: raise it with 'ulimit -n \\d+' \\(if that is refused: ");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void the_sessions_of_clients_are_connections_too() {
    Scenario sessions =
        ScenarioReader.read(
            "sessions.yaml",
            """
            title: A thousand sessions
            operation: expire
            duration: 10s
            keys: {size: 16, count: 1}
            load: {clients: 1000}
            databases: [zookeeper]
            """,
            1);
    assertThat(
            new SystemLimits(OptionalLong.of(2048), OptionalLong.empty())
                .problems(sessions, sessions.databases().get(0), true))
        .singleElement()
        .asString()
        .startsWith("zookeeper: 2000 connections need 2");
  }

  @Test
  void the_limit_of_threads_is_read_from_the_system_s_table() throws Exception {
    Path table = directory.resolve("limits");
    Files.writeString(
        table,
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max core file size        0                    unlimited            bytes
        Max processes             512                  1024                 processes
        Max open files            1024                 4096                 files
        """);
    assertThat(SystemLimits.tasks(table)).isEqualTo(OptionalLong.of(512));
    Files.writeString(
        table, "Max processes             unlimited            unlimited  processes\n");
    assertThat(SystemLimits.tasks(table)).isEmpty();
    assertThat(SystemLimits.tasks(directory.resolve("none"))).isEmpty();
  }

  @Test
  void a_jvm_that_cannot_start_is_a_failed_run_with_what_java_says() throws Exception {
    Files.writeString(directory.resolve("mine.yaml"), THOUSAND.replace("zookeeper", "memory"));
    QuorateProcess run =
        QuorateProcess.run(
            directory,
            Map.of("JAVA_TOOL_OPTIONS", "-Dquorate.jvmArgs=-Xmx100m"),
            "run",
            "mine.yaml",
            "--results",
            "results");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.output())
        .contains(
            "memory: the load generator ended with code 1, see gatling.log before it began; it said: ")
        .contains("Initial heap size set to a larger value than the maximum heap size")
        .doesNotContain("manifest");
    Manifest manifest = Manifest.read(onlyRun().resolve("memory/manifest.json"));
    assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
    assertThat(manifest.reason().orElseThrow()).contains("Initial heap size set to a larger value");
  }

  private Path onlyRun() throws IOException {
    try (Stream<Path> runs = Files.list(directory.resolve("results/mine"))) {
      return runs.findFirst().orElseThrow();
    }
  }
}
