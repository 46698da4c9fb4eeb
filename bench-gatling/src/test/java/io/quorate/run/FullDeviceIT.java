// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs on a device that is full. They need the right to mount one; {@code -Drequire.mounts} turns
 * the skip into a failure.
 */
@Nightly
class FullDeviceIT {
  private static final String ENDLESS =
      """
      title: Until the device is full
      operation: write
      members: 1
      requests: 1000000000
      warm-up: 100
      cold-start: true
      keys: {size: 64}
      values: {size: 256}
      load: {clients: 10}
      databases: [memory, zookeeper, etcd]
      timeout: 5s
      """;

  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path directory;
  private Path device;

  private void mount(String size) throws Exception {
    Path place = Files.createDirectory(directory.resolve("device"));
    if (!succeeds("mount", "-t", "tmpfs", "-o", "size=" + size, "none", place.toString())) {
      String obstacle = "a device cannot be mounted here, which takes the rights of root";
      if (System.getProperty("require.mounts") != null) {
        throw new AssertionError(obstacle + "; -Drequire.mounts demands it");
      }
      System.out.println("SKIPPED FullDeviceIT: " + obstacle);
      abort(obstacle);
    }
    device = place;
  }

  @AfterEach
  void unmount() throws Exception {
    if (device != null) {
      assertThat(succeeds("umount", device.toString())).isTrue();
    }
  }

  private static boolean succeeds(String... command) throws Exception {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }

  @Test
  void one_that_is_full_at_the_start_is_said_and_nothing_is_begun() throws Exception {
    mount("1m");
    QuorateProcess run = start("memory");
    assertThat(run.waitFor(LIMIT)).isEqualTo(1);
    assertThat(run.output())
        .isEqualTo(
            "no space left on the device that holds %s (1048576 bytes are free, 2000000 are needed): make room there, or choose another directory\n"
                .formatted(device.resolve("results")));
    assertThat(device).isEmptyDirectory();
  }

  @Test
  void one_that_gets_full_under_the_files_of_the_load_generator_fails_the_run() throws Exception {
    mount("100m");
    failsWhenFull("memory");
    // what was measured before fitted
    assertThat(entry(device.resolve("results/mine")).resolve("memory/latency.hlog"))
        .isNotEmptyFile();
  }

  @Test
  void one_that_gets_full_under_zookeeper_is_the_reason_of_the_failed_run() throws Exception {
    mount("40m");
    failsWhenFull("zookeeper");
  }

  @Test
  @RequiresDatabase("etcd")
  void one_that_is_too_small_for_etcd_is_the_reason_of_the_failed_run() throws Exception {
    mount("20m");
    QuorateProcess run = start("etcd");
    assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(1);
    assertFailed(run, "etcd");
    assertThat(run.output()).contains("etcd-1 ended with exit code 2 while it was starting: no sp");
  }

  @Test
  void a_report_that_does_not_fit_says_so_and_leaves_no_drafts() throws Exception {
    mount("8m");
    Files.writeString(
        directory.resolve("mine.yaml"), ENDLESS.replace("requests: 1000000000", "requests: 1000"));
    QuorateProcess run =
        QuorateProcess.run(
            directory, Map.of(), "run", "mine.yaml", "--database", "memory", "--results", "device");
    assertThat(run.exitCode()).as(run.output()).isZero();
    Path directoryOfRun = entry(device.resolve("mine"));
    Files.delete(directoryOfRun.resolve("result.json"));
    fill();
    QuorateProcess report =
        QuorateProcess.run(directory, Map.of(), "report", directoryOfRun.toString());
    assertThat(report.exitCode()).isEqualTo(1);
    assertThat(report.output())
        .contains("no space left on the device that holds " + directoryOfRun)
        .doesNotContain("\tat ");
    assertThat(drafts()).isEmpty();
    assertThat(Manifest.read(directoryOfRun.resolve("memory/manifest.json")).status())
        .isEqualTo(RunStatus.COMPLETE);
  }

  private void failsWhenFull(String database) throws Exception {
    QuorateProcess run = start(database);
    run.awaitOutput(" ms  p99 ", LIMIT);
    fill();
    assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(1);
    assertFailed(run, database);
  }

  private void assertFailed(QuorateProcess run, String id) throws IOException {
    assertThat(run.output()).contains(": no space left on the device that holds " + device);
    Path database = entry(device.resolve("results/mine")).resolve(id);
    Manifest manifest = Manifest.read(database.resolve("manifest.json"));
    assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
    assertThat(manifest.reason().orElseThrow())
        .contains("no space left on the device that holds " + device);
    assertThat(drafts()).isEmpty();
    assertThat(database.resolve("data")).doesNotExist();
  }

  private QuorateProcess start(String database) throws IOException {
    Files.writeString(directory.resolve("mine.yaml"), ENDLESS);
    return QuorateProcess.start(
        directory,
        Map.of(),
        "run",
        "mine.yaml",
        "--database",
        database,
        "--results",
        device.resolve("results").toString());
  }

  private void fill() throws IOException {
    try (OutputStream rest = Files.newOutputStream(device.resolve("rest"))) {
      byte[] page = new byte[4096];
      while (true) {
        rest.write(page);
      }
    } catch (IOException full) {
      // the run may free some space at once, so the free space is not compared
      assertThat(full).hasMessageContaining("No space left on device");
    }
  }

  /** Files that were begun only, and room that is not needed any more. */
  private List<Path> drafts() throws IOException {
    try (Stream<Path> all = Files.walk(device)) {
      return all.filter(
              file -> {
                String name = file.getFileName().toString();
                return name.endsWith(".tmp")
                    || name.endsWith(".reserve")
                    || name.equals("data.owner");
              })
          .toList();
    }
  }

  private static Path entry(Path parent) throws IOException {
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }
}
