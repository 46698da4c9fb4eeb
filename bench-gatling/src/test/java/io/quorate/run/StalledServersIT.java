// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.results.DatabaseRun;
import io.quorate.results.requests.StepTimes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are stopped for a while and continue, under a load that takes at least 12 s. */
class StalledServersIT {
  private static final String ENOUGH =
      """
      title: Long enough to be stopped
      operation: write
      requests: 6000
      warm-up: 100
      cold-start: true
      keys: {size: 64}
      values: {size: 256}
      load: {clients: 10, max-rate: 500/s}
      databases: [zookeeper]
      timeout: 60s
      """;

  private static final Duration STALL = Duration.ofSeconds(3);
  private static final Duration SOON = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Nightly
  @Test
  void servers_that_stand_still_for_three_seconds_are_named_in_the_verdict() throws Exception {
    Files.writeString(directory.resolve("enough.yaml"), ENOUGH);
    try (InProcessRun run =
        InProcessRun.start(directory, "run", "enough.yaml", "--results", "results")) {
      run.awaitLoad("enough", "zookeeper");
      List<ProcessHandle> servers = run.servers("java");
      assertThat(servers).hasSize(3);
      signal("STOP", servers);
      long stopped = System.nanoTime();
      QuorateProcess.await(
          () -> System.nanoTime() - stopped > STALL.toNanos(), SOON, () -> "no time passes");
      signal("CONT", servers);

      run.awaitEnd();
      assertThat(run.exitCode()).as(run.output()).isZero();
      StepTimes step =
          DatabaseRun.read(run.onlyRun("enough").resolve("zookeeper"))
              .clients()
              .orElseThrow()
              .steps()
              .get(0);
      assertThat(step.longestNanosWithoutSuccess().orElseThrow())
          .isBetween(STALL.toNanos(), step.durationNanos());
      assertThat(step.stalledNanos().orElseThrow()).isGreaterThanOrEqualTo(STALL.toNanos());
      assertThat(Files.readString(run.onlyRun("enough").resolve("index.html")))
          .containsPattern("ZooKeeper: no request succeeded for [0-9.]+\\hs")
          .contains("coordinated omission");
    }
  }

  private static void signal(String name, List<ProcessHandle> servers) throws Exception {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    servers.forEach(server -> command.add(Long.toString(server.pid())));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}
