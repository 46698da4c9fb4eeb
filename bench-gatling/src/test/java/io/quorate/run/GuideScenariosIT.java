// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.NightlyRun;
import io.quorate.cli.Guide;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the scenarios that the guide shows, on the in-memory store and at a small scale: one, and
 * every night all.
 */
class GuideScenariosIT {
  @TempDir private Path directory;

  @Test
  void scenarios_of_the_guide_run() throws Exception {
    List<Guide.Block> scenarios =
        Guide.scenarios().stream()
            .filter(
                block ->
                    !block.text().matches("(?s).*\n(topology|matrix|capacity|watch|faults):.*"))
            .toList();
    assertThat(scenarios).hasSizeGreaterThan(3);
    for (Guide.Block block : NightlyRun.isOn() ? scenarios : scenarios.subList(0, 1)) {
      Files.writeString(
          directory.resolve("my.yaml"),
          block
              .text()
              .replaceFirst("(?m)^databases: .*", "databases: [memory]")
              .replaceFirst("(?m)^thresholds: .*", "thresholds: [errors = 0]")
              .concat("\ncold-start: true\n"));
      InProcessRun run =
          InProcessRun.run(
              directory,
              "run",
              "my.yaml",
              "--scale",
              "0.02",
              "--results",
              "results-" + block.line());

      assertThat(run.exitCode()).as(block + "\n" + run.output()).isZero();
      assertThat(run.output()).contains("index.html");
    }
  }
}
