// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.process.ProcessHandleInfo;
import io.quorate.cluster.standing.PersistentClusters;
import io.quorate.cluster.standing.PersistentClusters.MemberStatus;
import io.quorate.cluster.standing.PersistentClusters.Status;
import io.quorate.store.zetcd.ZetcdStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that is left running, of members with two processes. */
class StandingShimIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir(factory = MemoryBackedDirectory.class)
  Path directory;

  @Test
  @RequiresDatabase({"etcd", "zetcd"})
  void a_member_is_dead_when_one_process_is_and_down_ends_the_other() {
    PersistentClusters clusters =
        new PersistentClusters(TestSettings.withCache(directory), "", System.out::println);
    Status up = clusters.up(ZetcdStore.STORE, 1, Optional.empty());
    List<ProcessHandle> processes =
        up.members().get(0).member().pids().stream()
            .map(pid -> ProcessHandle.of(pid).orElseThrow())
            .toList();
    try {
      assertThat(processes).hasSize(2);
      assertThat(up.isHealthy()).isTrue();
      assertThat(up.version()).get().asString().startsWith("etcd-");
      assertThat(clusters.status(ZetcdStore.STORE)).contains(up);

      processes.get(0).destroyForcibly();
      Await.until("zetcd has ended", LIMIT, () -> !ProcessHandleInfo.isAlive(processes.get(0)));
      Status half = clusters.status(ZetcdStore.STORE).orElseThrow();
      assertThat(half.members()).noneMatch(MemberStatus::alive);
      assertThat(half.isHealthy()).isFalse();
      assertThat(ProcessHandleInfo.isAlive(processes.get(1))).isTrue();
    } finally {
      assertThat(clusters.down(ZetcdStore.STORE)).isTrue();
    }
    assertThat(processes).noneMatch(ProcessHandleInfo::isAlive);
    assertThat(up.directory().resolve("data")).doesNotExist();
  }
}
