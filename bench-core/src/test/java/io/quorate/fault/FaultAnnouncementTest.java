// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.Member;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.PowerCut;
import io.quorate.store.Endpoint;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultAnnouncementTest {
  private static final List<Member> MEMBERS =
      IntStream.rangeClosed(1, 3)
          .mapToObj(i -> Member.elsewhere(i, "etcd-" + i, new Endpoint("10.0.0." + i, 2379)))
          .toList();

  private static List<String> lines(FaultCommands commands, Optional<Member> leader, String... of) {
    FaultPlan plan =
        new FaultPlan(
            Arrays.stream(of).map(text -> FaultPlan.Kind.parse(text).orElseThrow()).toList(),
            2,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            0,
            0,
            PowerCut.DEFAULT);
    return new FaultAnnouncement(plan, commands, MEMBERS, leader).lines();
  }

  @Test
  void each_member_that_maintenance_affects_is_named() {
    assertThat(
            lines(
                FaultCommands.NONE,
                Optional.of(MEMBERS.get(1)),
                "compact 5s",
                "defragment-leader",
                "transfer-leader"))
        .containsExactly(
            "existing cluster, 2 times: compact 5s: discards all earlier values of all keys of the"
                + " cluster, in all members: etcd-1 (10.0.0.1:2379), etcd-3 (10.0.0.3:2379), etcd-2"
                + " (10.0.0.2:2379)",
            "existing cluster, 2 times: defragment-leader: rewrites the database file of a member,"
                + " which serves no client meanwhile: etcd-2 (10.0.0.2:2379)",
            "existing cluster, 2 times: transfer-leader: asks the leader to hand its leadership"
                + " over to a follower: etcd-2 (10.0.0.2:2379)");
    assertThat(lines(FaultCommands.NONE, Optional.empty(), "snapshot"))
        .singleElement()
        .asString()
        .endsWith(": no member reports now that it leads");
  }

  @Test
  void commands_are_named_by_their_keys() {
    FaultCommands commands =
        new FaultCommands(
            Map.of(Fault.PAUSE_FOLLOWER, "stop --token s3cret"),
            Map.of(Fault.PAUSE_FOLLOWER, "go --token s3cret"));
    assertThat(lines(commands, Optional.of(MEMBERS.get(0)), "pause-follower"))
        .containsExactly(
            "existing cluster, 2 times: pause-follower: runs the command 'pause-follower', and at"
                + " the end 'pause-follower end': etcd-2 (10.0.0.2:2379)");
  }
}
