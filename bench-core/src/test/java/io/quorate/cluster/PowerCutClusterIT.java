// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.cluster.MemberControl.Impairment;
import io.quorate.cluster.process.PowerCutDisk;
import io.quorate.cluster.process.ProcessHandleInfo;
import io.quorate.install.Installation;
import io.quorate.scenario.PowerCut;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.server.JavaRuntime;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members whose power can be cut, and the helper that serves their disks. */
class PowerCutClusterIT {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir private Path directory;

  @BeforeEach
  void requireHelper() {
    PowerCutDisks.require();
  }

  private Cluster cluster(Path run) {
    return LocalCluster.start(
        EtcdServers.SERVERS.store(),
        1,
        run,
        TestSettings.ofThisUser()
            .withTaps(new ClusterSettings.Taps(false, false, Optional.of(PowerCut.DEFAULT))));
  }

  private static List<ProcessHandle> helpers(Path run) {
    return ProcessHandle.current()
        .descendants()
        .filter(
            each ->
                each.info().commandLine().filter(line -> line.contains(run.toString())).isPresent()
                    && each.info().command().filter(it -> it.endsWith("powercut")).isPresent())
        .toList();
  }

  @Test
  @RequiresDatabase("etcd")
  void only_synced_files_survive_a_cut_and_the_member_starts_again() throws Exception {
    Path run = directory.resolve("run");
    try (Cluster cluster = cluster(run)) {
      Member member = cluster.members().get(0);
      Path data = run.resolve("data/etcd-1");
      Files.writeString(data.resolve("unsynced"), "gone");
      MemberControl control = cluster.control().orElseThrow();
      assertThat(control.cutPower(List.of(member), 1, () -> {}).get(0).entries()).isPositive();
      assertThat(data.resolve("unsynced")).doesNotExist();
      Await.until("its process ends", LIMIT, () -> control.hasEnded(member));
      control.restart(member);
      Await.until("it serves", LIMIT, () -> cluster.protocol().isServing(member));
      assertThat(helpers(run)).hasSize(2);
    }
    assertThat(helpers(run)).isEmpty();
    assertThat(run.resolve("data")).doesNotExist();
  }

  @Test
  @RequiresDatabase("etcd")
  void a_disk_that_is_slow_full_or_broken_affects_the_member_until_that_ends() throws Exception {
    Path run = directory.resolve("run");
    try (Cluster cluster = cluster(run)) {
      Member member = cluster.members().get(0);
      MemberControl control = cluster.control().orElseThrow();
      Path file = run.resolve("data/etcd-1/file");
      try (Impairment slow = control.impairDisk(member, PowerCutDisk.Defect.SLOW)) {
        Files.writeString(file, "before", StandardOpenOption.CREATE, StandardOpenOption.DSYNC);
        assertThat(slow.isObserved()).isTrue();
      }
      try (Impairment full = control.impairDisk(member, PowerCutDisk.Defect.FULL)) {
        assertThatThrownBy(() -> Files.writeString(file, "after"))
            .hasMessageContaining("No space left on device");
        assertThat(full.isObserved()).isTrue();
      }
      try (Impairment failing = control.impairDisk(member, PowerCutDisk.Defect.FAILING)) {
        assertThatThrownBy(() -> Files.writeString(file, "after", StandardOpenOption.DSYNC))
            .hasMessageContaining("Input/output error");
        assertThat(failing.isObserved()).isTrue();
      }
      Files.writeString(file, "after", StandardOpenOption.DSYNC);
      assertThat(cluster.failures()).isEmpty();
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void a_killed_helper_leaves_no_mount_and_no_directory() throws Exception {
    Path run = directory.resolve("run");
    try (Cluster cluster = cluster(run)) {
      Path data = run.resolve("data/etcd-1");
      assertThat(cluster.failures()).isEmpty();
      assertThat(data.resolve("member")).isDirectory();
      List<ProcessHandle> helpers = helpers(run);
      helpers.get(0).destroyForcibly();
      Await.until(
          "both processes end",
          LIMIT,
          () -> helpers.stream().noneMatch(ProcessHandleInfo::isAlive));
      assertThat(data.resolve("member")).doesNotExist();
    }
    assertThat(run.resolve("data")).doesNotExist();
  }

  @Test
  void without_the_helper_it_says_what_to_install() {
    assertThat(
            PowerCutDisk.obstacle(
                new Installation(
                    Map.of("PATH", "/nowhere"), directory, JavaRuntime.of(System.getProperties()))))
        .contains(
            "powercut is not installed: run ./quorate install powercut (or put powercut on PATH, or set QUORATE_POWERCUT)");
  }

  /** Compares the file system with a model: the tests of the helper itself, with a few seeds. */
  @Test
  void random_programs_keep_what_a_model_keeps() throws Exception {
    Path module = Path.of(System.getProperty("quorate.home")).resolve("src/databases/powercut");
    ProcessBuilder builder =
        new ProcessBuilder("go", "test", "-count=1", "-timeout=5m", "-seeds=10", ".")
            .directory(module.toFile())
            .redirectErrorStream(true);
    Process go = builder.start();
    try (BufferedReader output =
        new BufferedReader(new InputStreamReader(go.getInputStream(), StandardCharsets.UTF_8))) {
      String text = String.join("\n", output.lines().toList());
      assertThat(go.waitFor()).as(text).isZero();
      assertThat(text).contains("ok  \tquorate.io/databases/powercut");
    }
  }
}
