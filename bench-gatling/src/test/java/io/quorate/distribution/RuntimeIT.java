// SPDX-License-Identifier: Apache-2.0
package io.quorate.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.Script;
import io.quorate.distribution.UnpackedZip.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The zip that {@code mvn package -Pnightly} builds, on a machine without Java. */
@Nightly
class RuntimeIT {
  @TempDir(factory = MemoryBackedDirectory.class)
  private static Path directory;

  private static UnpackedZip zip;
  private static String quorate;

  @TempDir Path work;

  @BeforeAll
  static void unpack() throws Exception {
    String file = System.getProperty("quorate.runtime");
    zip = UnpackedZip.in(directory, Path.of(file));
    quorate = zip.home().resolve("bin/quorate").toString();
  }

  @Test
  void it_runs_in_the_runtime_that_comes_along_and_in_no_other() throws Exception {
    Path other = Script.write(work.resolve("other/java"), "echo another Java; exit 1\n");
    Ended version = zip.run(work, other.getParent(), quorate, "--version");
    assertThat(version.output()).startsWith("quorate ").hasLineCount(1);
    assertThat(version.exitCode()).isZero();
  }

  /** With TLS and plots, whose modules no class of ours needs to be loaded. */
  @Test
  void a_run_needs_no_other_module() throws Exception {
    Files.writeString(
        work.resolve("small.yaml"),
        """
        title: Small
        operation: write
        requests: 60
        warm-up: 10
        cold-start: true
        members: 1
        security: tls
        keys: {size: 16}
        values: {size: 32}
        load: {clients: 2}
        databases: [zookeeper]
        """);
    Ended run = zip.run(work, work, quorate, "run", "small.yaml");
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).doesNotContain("Exception", "NoClassDefFoundError");
    try (Stream<Path> files = Files.walk(work.resolve("results/small"))) {
      List<Path> plots = files.filter(each -> each.toString().endsWith(".png")).toList();
      assertThat(plots).isNotEmpty().allSatisfy(each -> assertThat(each).isNotEmptyFile());
    }
  }
}
