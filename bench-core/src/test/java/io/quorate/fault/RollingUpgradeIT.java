// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.NightlyRun;
import io.quorate.cluster.Await;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.results.FaultRecord;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.PowerCut;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An upgrade without load, which no end of a run can interrupt. FaultInjectorTest tests the order
 * of the members.
 */
class RollingUpgradeIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration SHORT = Duration.ofSeconds(1);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  @RequiresDatabase("zookeeper@3.8.6")
  void all_members_are_upgraded_one_after_the_other() throws Exception {
    Store older = Stores.byId("zookeeper@3.8.6").orElseThrow();
    FaultPlan plan =
        new FaultPlan(
            List.of(new FaultPlan.Kind(Fault.ROLLING_UPGRADE, SHORT)),
            1,
            SHORT,
            Duration.ZERO,
            SHORT,
            0,
            0,
            PowerCut.DEFAULT);
    int size = NightlyRun.isOn() ? 3 : 1;
    CompletableFuture<FaultRecord> record = new CompletableFuture<>();
    try (Cluster cluster = TestServers.start(older, size, directory)) {
      List<Member> members = List.copyOf(cluster.members());
      Await.until(
          "all members serve",
          LIMIT,
          () ->
              cluster.leader().isPresent()
                  && members.stream().allMatch(cluster.protocol()::isServing));
      assertThat(cluster.protocol().version(members)).isEqualTo("3.8.6");
      try (FaultInjector injector =
          new FaultInjector(
              cluster,
              FaultCommands.NONE,
              plan,
              1,
              System.nanoTime(),
              () -> {},
              record::complete,
              line -> {})) {
        injector.start();
        FaultRecord upgrade = record.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(upgrade.problem()).isEmpty();
        assertThat(upgrade.members())
            .hasSize(size)
            .endsWith(upgrade.leaderBefore().orElseThrow())
            .doesNotHaveDuplicates();
        for (Member each : members) {
          assertThat(cluster.protocol().version(List.of(each))).startsWith("3.9.");
        }
      }
    }
  }
}
