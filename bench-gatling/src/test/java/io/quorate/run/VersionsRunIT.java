// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.results.ExperimentRun;
import io.quorate.results.manifest.Manifest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run with columns of one store, in two versions and with other settings. */
@RequiresDatabase("zookeeper@3.8.6")
class VersionsRunIT {
  private static final String SCENARIO =
      """
      title: Two versions
      operation: put
      requests: 300
      warm-up: 10
      cold-start: true
      keys: {size: 16}
      values: {size: 32}
      load: {clients: 5}
      members: 1
      timeout: 60s
      databases:
        zookeeper@3.8.6: {settings: {heap: 128MiB}}
        zookeeper: {settings: {heap: 128MiB, tickTime: 1s}}
        zookeeper@3.9.5: {settings: {heap: 128MiB}}
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  void each_column_has_its_version_its_settings_and_a_heading_of_its_own() throws Exception {
    Files.writeString(directory.resolve("versions.yaml"), SCENARIO);
    InProcessRun run = InProcessRun.run(directory, "run", "versions.yaml", "--results", "results");
    assertThat(run.exitCode()).as(run.output()).isZero();

    Path only = run.onlyRun("versions");
    List<String> headings =
        List.of("zookeeper-v3.8.6", "zookeeper-v3.9.5-tickTime-1s", "zookeeper-v3.9.5");
    assertThat(ExperimentRun.read(only).databases())
        .extracting(each -> each.manifest().store().tag())
        .containsExactlyElementsOf(headings);
    assertThat(Manifest.read(only.resolve("zookeeper@3.8.6/manifest.json")).store())
        .satisfies(store -> assertThat(store.settings()).containsOnly(Map.entry("heap", "128MiB")))
        .satisfies(store -> assertThat(store.servers().version()).hasValue("3.8.6"));
    assertThat(only.resolve("all-aggregated.txt"))
        .content()
        .contains(
            """
            zookeeper-v3.8.6: servers with heap 128MiB
            zookeeper-v3.9.5-tickTime-1s: servers with heap 128MiB, tickTime 1s
            zookeeper-v3.9.5: servers with heap 128MiB
            """);
    assertThat(Files.readAllLines(only.resolve("all-aggregated.csv")).get(0))
        .endsWith(String.join(",", headings));
    assertThat(Files.readString(only.resolve("index.html"))).contains(headings);
    assertThat(Files.readString(only.resolve("result.json")))
        .contains(headings.stream().map(each -> "\"tag\" : \"" + each + "\"").toList());
    assertThat(only.resolve("zookeeper@3.8.6/logs/zookeeper-1.log")).isNotEmptyFile();
  }
}
