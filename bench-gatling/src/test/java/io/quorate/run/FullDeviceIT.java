// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a device that is full. */
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

  private static final String FAULTS =
      """
      title: Until the device is full
      mix: {put: 1, get: 1}
      cold-start: true
      keys: {size: 16, count: 50, distribution: uniform}
      values: {size: 16}
      load: {rate: 50/s, connections: 6}
      databases: [zookeeper]
      faults: {inject: [kill-leader 3s], times: 3, quiet: 1s, jitter: 0s, recovery: 10s}
      """;

  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path directory;
  private MountedDevice device;

  private void mount(String size) throws Exception {
    device = MountedDevice.at(directory.resolve("device"), size);
  }

  @AfterEach
  void unmount() throws Exception {
    if (device != null) {
      device.close();
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
                .formatted(device.path().resolve("results")));
    assertThat(device.path()).isEmptyDirectory();
  }

  @Test
  void one_that_gets_full_under_the_files_of_the_load_generator_fails_the_run() throws Exception {
    mount("100m");
    failsWhenFull("memory");
    // what was measured before fitted
    assertThat(entry(device.path().resolve("results/mine")).resolve("memory/latency.hlog"))
        .isNotEmptyFile();
  }

  @Test
  void one_that_gets_full_under_zookeeper_is_the_reason_of_the_failed_run() throws Exception {
    mount("40m");
    failsWhenFull("zookeeper");
  }

  @Test
  void one_that_gets_full_during_a_fault_ends_the_run_and_its_members() throws Exception {
    mount("80m");
    QuorateProcess run = start("zookeeper", FAULTS);
    run.awaitOutput("measuring ", LIMIT);
    // until the leader is killed
    QuorateProcess.await(() -> run.servers().size() < 3, LIMIT, run::output);
    device.fill();
    assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(1);
    assertFailed(run, "zookeeper");
    assertThat(run.output()).doesNotContain("\tat ", "Exception in thread");
    QuorateProcess.await(
        () -> QuorateProcess.workingBelow(directory).isEmpty(), LIMIT, run::output);
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
    Path directoryOfRun = entry(device.path().resolve("mine"));
    Files.delete(directoryOfRun.resolve("result.json"));
    device.fill();
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
    run.awaitOutput(" ms  0 errors", LIMIT);
    device.fill();
    assertThat(run.waitFor(LIMIT)).as(run.output()).isEqualTo(1);
    assertFailed(run, database);
  }

  private void assertFailed(QuorateProcess run, String id) throws IOException {
    assertThat(run.output()).contains(": no space left on the device that holds " + device.path());
    Path database = entry(device.path().resolve("results/mine")).resolve(id);
    Manifest manifest = Manifest.read(database.resolve("manifest.json"));
    assertThat(manifest.status()).isEqualTo(RunStatus.FAILED);
    assertThat(manifest.reason().orElseThrow())
        .contains("no space left on the device that holds " + device.path());
    assertThat(drafts()).isEmpty();
    assertThat(database.resolve("data")).doesNotExist();
  }

  private QuorateProcess start(String database) throws IOException {
    return start(database, ENDLESS);
  }

  private QuorateProcess start(String database, String scenario) throws IOException {
    Files.writeString(directory.resolve("mine.yaml"), scenario);
    return QuorateProcess.start(
        directory,
        Map.of(),
        "run",
        "mine.yaml",
        "--database",
        database,
        "--results",
        device.path().resolve("results").toString());
  }

  /** Files that were begun only, and room that is not needed any more. */
  private List<Path> drafts() throws IOException {
    try (Stream<Path> all = Files.walk(device.path())) {
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
