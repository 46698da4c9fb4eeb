// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberProtocol;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the members that a fault affects have to catch up with. For one thread. */
final class CatchUp {
  private final Cluster cluster;
  private final MemberProtocol protocol;
  private final List<Member> members;

  /** Position that the affected members have to apply; 0 if none is known. */
  private long goal;

  /** Snapshots that other members had sent at the end of a fault that has to cause one. */
  private Map<Member, Long> snapshots = Map.of();

  /**
   * Creates what is to be caught up with.
   *
   * @param members affected members, which may be added later
   */
  CatchUp(Cluster cluster, List<Member> members) {
    this.cluster = cluster;
    this.protocol = cluster.protocol();
    this.members = members;
  }

  private Stream<Member> others() {
    return cluster.members().stream().filter(each -> !members.contains(each));
  }

  /** Takes the position of the leader as the goal, unless the leader is affected. */
  void begin() {
    goal = others().filter(protocol::isLeading).mapToLong(protocol::applied).findFirst().orElse(0);
  }

  boolean isNeeded() {
    return goal > 0;
  }

  boolean isDone() {
    return members.stream().allMatch(each -> protocol.applied(each) >= goal);
  }

  /** Counts the snapshots that the other members have sent, as one more is expected. */
  void countSnapshots() {
    snapshots = others().collect(Collectors.toMap(each -> each, protocol::sentSnapshots));
  }

  boolean needsSnapshot() {
    return !snapshots.isEmpty();
  }

  boolean sentSnapshot() {
    return snapshots.entrySet().stream()
        .anyMatch(before -> protocol.sentSnapshots(before.getKey()) > before.getValue());
  }
}
