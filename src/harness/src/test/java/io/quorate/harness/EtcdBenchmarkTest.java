// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quorate.QuorateException;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ScenarioTexts;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a script that prints what the tool does. */
class EtcdBenchmarkTest {
  private static final Endpoint SERVER = new Endpoint("127.0.0.1", 2379);

  @TempDir Path directory;

  @Test
  void what_the_tool_prints_and_what_it_took_is_read() throws IOException {
    EtcdBenchmark tool =
        tool(
            """
            echo "$@" >>%s/arguments
            printf '\\nSummary:\\n  Total:\\t2.5 secs.\\n  Requests/sec:\\t12345.678\\n'
            printf '\\nLatency distribution:\\n  50%% in 0.0123 secs.\\n  99%% in 0.5 secs.\\n'
            """);

    Figures figures = tool.measure(SERVER, directory);

    assertThat(figures.requestsPerSecond()).isEqualTo(12345.678);
    assertThat(figures.medianMillis()).isCloseTo(12.3, within(1e-9));
    assertThat(figures.cpuMicrosPerRequest()).isBetween(0.0, 60e6);
    assertThat(Files.readAllLines(directory.resolve("arguments")))
        .containsExactly(
            "--precise --endpoints 127.0.0.1:2379 --conns 5 --clients 10 put --sequential-keys"
                + " --total 50 --key-space-size 50 --key-size 16 --val-size 64",
            "--precise --endpoints 127.0.0.1:2379 --conns 5 --clients 10 put --sequential-keys"
                + " --total 1000 --key-space-size 1000 --key-size 16 --val-size 64");
  }

  @Test
  void a_tool_that_fails_or_prints_something_else_is_an_error() throws IOException {
    assertThatThrownBy(() -> tool("exit 3").measure(SERVER, directory))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("etcd-benchmark failed, see ");
    assertThatThrownBy(() -> tool("echo nothing").measure(SERVER, directory))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("etcd-benchmark did not print what was expected (Requests/sec");
    assertThatThrownBy(() -> tool("echo 'Error distribution:'").measure(SERVER, directory))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("etcd-benchmark had errors");
  }

  private EtcdBenchmark tool(String script) throws IOException {
    Path file = directory.resolve("tool");
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.writeString(file, "#!/bin/sh\n" + script.replace("%s", directory.toString()));
    Path yaml = directory.resolve("tool.yaml");
    Files.writeString(
        yaml,
        """
        title: Small
        operation: write
        requests: 1_000
        warm-up: 50
        keys: {size: 16}
        values: {size: 64}
        load: {clients: 10, connections: 5}
        databases: [etcd]
        members: 1
        """);
    Scenario scenario = ScenarioTexts.read(yaml, 1);
    return new EtcdBenchmark(file, scenario, scenario.databases().get(0).steps().get(0));
  }
}
