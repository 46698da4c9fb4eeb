// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.manifest.BuildInfo;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.RunStatus;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ShardNotesTest {
  private static final long GIGABYTE = 1_000_000_000L;

  private static HostInfo machine(int cores, long gigabytes, String java, String... flags) {
    return new HostInfo(
        Optional.of("m" + cores),
        "Debian 12",
        "6.1",
        cores,
        Optional.empty(),
        OptionalLong.of(gigabytes * GIGABYTE),
        Optional.empty(),
        Optional.empty(),
        java,
        "Debian",
        List.of(flags),
        Optional.empty());
  }

  private static MergedShard shard(
      int number, Optional<HostInfo> machine, boolean dirty, String... members) {
    return new MergedShard(
        number,
        3,
        Optional.of("run"),
        Optional.of(RunStatus.COMPLETE),
        Optional.empty(),
        Optional.of("m"),
        Optional.of(new BuildInfo(Optional.of("0.1.0"), Optional.of("abc"), dirty)),
        machine,
        List.of(members),
        List.of(),
        0,
        0,
        0,
        List.of());
  }

  @Test
  void each_difference_is_named_with_the_shards_that_have_it() {
    List<MergedShard> shards =
        List.of(
            shard(1, Optional.of(machine(2, 8, "17.0.15", "-Xmx1g", "-Dshard=1/3")), false, "a:1"),
            shard(2, Optional.of(machine(4, 8, "21.0.1", "-Xmx1g", "-Dshard=2/3")), true, "a:1"),
            shard(3, Optional.of(machine(2, 16, "17.0.15\u001b")), false, "b:1", "a:1"));
    assertThat(ShardNotes.Property.differing(shards))
        .containsExactly(
            "the shards had different builds of Quorate: 0.1.0 abc (1, 3); 0.1.0 abc with changes"
                + " (2)",
            "the shards had different versions of Java: 17.0.15 (1); 17.0.15\\x1b (3); 21.0.1 (2)",
            "the shards had different options of their JVM: -Xmx1g (1, 2); none (3)",
            "the shards had different numbers of cores: 2 (1, 3); 4 (2)",
            "the shards had different sizes of memory: 16 GB (3); 8.0 GB (1, 2)",
            "the shards had different endpoints: a:1 (1, 2); a:1 and b:1 (3)");
  }

  @Test
  void what_is_the_same_or_not_known_is_no_difference() {
    Optional<HostInfo> same = Optional.of(machine(2, 8, "17.0.15", "-Xmx1g"));
    assertThat(
            ShardNotes.Property.differing(
                List.of(
                    shard(1, same, false, "a:1", "b:1"),
                    shard(2, same, false, "b:1", "a:1"),
                    shard(3, Optional.empty(), false))))
        .isEmpty();
  }
}
