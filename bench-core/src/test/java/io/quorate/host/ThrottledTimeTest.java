// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThrottledTimeTest {
  @TempDir Path directory;

  private Path group(String path, String stat) throws IOException {
    Path file = Files.createDirectories(directory.resolve(path)).resolve("cpu.stat");
    Files.writeString(file, stat);
    return file;
  }

  @Test
  void a_group_of_version_2_is_found_below_its_mount() throws IOException {
    Path limited =
        group(
            "unified/system.slice/etcd.service",
            "usage_usec 10\nnr_periods 9\nnr_throttled 2\nthrottled_usec 81250\n");
    group("unified", "usage_usec 10\n");
    assertThat(
            ThrottledTime.ControlGroups.file(
                "0::/system.slice/etcd.service\n",
                "proc /proc proc rw 0 0\ncgroup2 " + directory + "/unified cgroup2 rw 0 0\n"))
        .contains(limited);
    assertThat(new ThrottledTime.ControlGroups(List.of(limited)).millis(new KernelText()))
        .isEqualTo(81);
  }

  @Test
  void a_group_of_version_1_is_found_by_its_controller() throws IOException {
    Path limited =
        group("cpu,cpuacct/docker/1", "nr_periods 3\nnr_throttled 2\nthrottled_time 2500000\n");
    String mounts =
        """
        cgroup %1$s/cpuset cgroup rw,cpuset 0 0
        cgroup %1$s/cpu,cpuacct cgroup rw,relatime,cpu,cpuacct 0 0
        cgroup2 %1$s/unified cgroup2 rw 0 0
        """
            .formatted(directory);
    assertThat(
            ThrottledTime.ControlGroups.file(
                "5:cpuset:/docker/1\n4:cpu,cpuacct:/docker/1\n0::/docker/1\n", mounts))
        .contains(limited);
    assertThat(new ThrottledTime.ControlGroups(List.of(limited)).millis(new KernelText()))
        .isEqualTo(2);
  }

  @Test
  void in_a_container_the_group_may_be_at_the_mount_itself() throws IOException {
    Path root = group("cpu", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
    assertThat(
            ThrottledTime.ControlGroups.file(
                "4:cpu:/kubepods/pod1\n", "cgroup " + directory + "/cpu cgroup rw,cpu 0 0\n"))
        .contains(root);
  }

  /** Writes what the kernel says of process 7 in group {@code /a}; returns its file of groups. */
  private Path processInGroupA() throws IOException {
    Files.createDirectories(directory.resolve("proc/7"));
    Files.createDirectories(directory.resolve("proc/self"));
    Files.writeString(
        directory.resolve("proc/self/mounts"),
        "cgroup2 " + directory + "/unified cgroup2 rw 0 0\n");
    return Files.writeString(directory.resolve("proc/7/cgroup"), "0::/a\n");
  }

  @Test
  void a_process_that_moves_to_another_group_keeps_its_throttled_time() throws IOException {
    group("unified/a", "throttled_usec 81250\n");
    group("unified/b", "throttled_usec 9000000\n");
    Path its = processInGroupA();
    ThrottledTime time = new ThrottledTime(directory.resolve("proc"), List.of(7L));
    assertThat(time.millis(new KernelText())).isEqualTo(81);

    Files.writeString(its, "0::/b\n");
    assertThat(time.millis(new KernelText())).isEqualTo(81);
    group("unified/b", "throttled_usec 9300000\n");
    assertThat(time.millis(new KernelText())).isEqualTo(381);
  }

  @Test
  void a_quota_that_is_set_during_the_run_is_found() throws IOException {
    group("unified/a", "usage_usec 10\n");
    processInGroupA();
    ThrottledTime time = new ThrottledTime(directory.resolve("proc"), List.of(7L));
    assertThat(time.millis(new KernelText())).isNegative();

    group("unified/a", "usage_usec 10\nthrottled_usec 3000\n");
    assertThat(time.millis(new KernelText())).isEqualTo(3);
  }

  @Test
  void a_group_without_a_quota_is_unknown() throws IOException {
    group("unified", "usage_usec 10\n");
    assertThat(
            ThrottledTime.ControlGroups.file(
                "0::/\n", "cgroup2 " + directory + "/unified cgroup2 rw 0 0\n"))
        .isEmpty();
    assertThat(new ThrottledTime.ControlGroups(List.of()).millis(new KernelText())).isNegative();
    assertThat(
            new ThrottledTime.ControlGroups(List.of(directory.resolve("gone")))
                .millis(new KernelText()))
        .isNegative();
  }
}
