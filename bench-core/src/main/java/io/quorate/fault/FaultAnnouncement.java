// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.cluster.Member;
import io.quorate.format.NumberFormats;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultPlan;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Says what a plan does to the members of a cluster that others use.
 *
 * @param leader the current leader; empty if no member reports that it leads
 */
public record FaultAnnouncement(
    FaultPlan plan, FaultCommands commands, List<Member> members, Optional<Member> leader) {
  /** Returns a line for each kind of fault. */
  public List<String> lines() {
    Optional<FaultTargets> targets = leader.map(found -> new FaultTargets(members, found));
    return plan.kinds().stream().map(kind -> line(kind, targets)).toList();
  }

  private String line(FaultPlan.Kind kind, Optional<FaultTargets> targets) {
    Fault fault = kind.fault();
    String affected =
        targets
            .map(found -> fault == Fault.COMPACT ? found.leaderLast() : found.of(fault))
            .map(FaultAnnouncement::names)
            .orElse("no member reports now that it leads");
    return "existing cluster, %s: %s: %s: %s"
        .formatted(
            NumberFormats.count(plan.times(), "time"),
            kind,
            commands.has(fault) ? commands.text(fault) : effect(fault),
            affected);
  }

  private static String names(List<Member> members) {
    return members.stream()
        .map(each -> "%s (%s)".formatted(each.name(), each.endpoint()))
        .collect(Collectors.joining(", "));
  }

  private static String effect(Fault fault) {
    return switch (fault) {
      case COMPACT -> "discards all earlier values of all keys of the cluster, in all members";
      case DEFRAGMENT, DEFRAGMENT_LEADER ->
          "rewrites the database file of a member, which serves no client meanwhile";
      case SNAPSHOT -> "reads all data of the cluster from the leader, and discards it";
      case TRANSFER_LEADER -> "asks the leader to hand its leadership over to a follower";
      default -> fault.id();
    };
  }
}
