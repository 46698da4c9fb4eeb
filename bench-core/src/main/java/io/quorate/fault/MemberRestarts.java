// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberControl.Signal;
import io.quorate.cluster.MemberProtocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Restarts the members of a cluster one after the other. For one thread. */
final class MemberRestarts {
  /** Time in which a member has to end and to serve again. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Cluster cluster;
  private final MemberProtocol protocol;
  private final ProcessFaults processes;
  private final StopSignal stop;
  private final Runnable begins;
  private final List<Member> members = new ArrayList<>();
  private Optional<Member> leaderAfter = Optional.empty();

  /**
   * @param begins runs just before a member gets a signal
   */
  MemberRestarts(Cluster cluster, ProcessFaults processes, StopSignal stop, Runnable begins) {
    this.cluster = cluster;
    this.protocol = cluster.protocol();
    this.processes = processes;
    this.stop = stop;
    this.begins = begins;
  }

  /** Returns the members that were, or had to be, restarted. */
  List<Member> members() {
    return members;
  }

  /** Returns who led after the leader had ended; empty if nobody was seen. */
  Optional<Member> leaderAfter() {
    return leaderAfter;
  }

  /**
   * Restarts all members, the leader last, each when the one before serves.
   *
   * @param upgrades whether they start with the other version
   * @return why that failed; empty if it did not
   */
  Optional<String> all(FaultTargets targets, boolean upgrades) {
    for (Member each : targets.leaderLast()) {
      members.add(each);
      terminate(each);
      long limit = System.nanoTime() + LIMIT.toNanos();
      if (!stop.await(() -> processes.hasEnded(each), limit, FaultCourse.POLL)) {
        return Optional.of(each.name() + " did not end");
      }
      if (upgrades) {
        processes.upgrade(each, cluster.database().base());
      } else {
        processes.heal(List.of(each));
      }
      if (!stop.await(() -> protocol.isServing(each), limit, FaultCourse.POLL)) {
        return Optional.of(each.name() + " does not serve after its restart");
      }
    }
    Optional<String> before = cluster.database().version();
    boolean unchanged =
        upgrades
            && members.stream()
                .anyMatch(each -> before.equals(Optional.of(protocol.version(List.of(each)))));
    return unchanged
        ? Optional.of(FaultCourse.NO_EFFECT + "each member reports the other version")
        : Optional.empty();
  }

  /**
   * Restarts two followers and the leader so that the first one returns to a leader that was away
   * itself meanwhile. Of members with equal logs, ZooKeeper elects the last one.
   *
   * @return why that had no effect; empty if it had
   */
  Optional<String> staggered(FaultTargets targets, Duration length) {
    Member leader = targets.leader();
    List<Member> followers = targets.followers();
    Member first = followers.get(0);
    Member second = followers.get(followers.size() - 1);
    members.addAll(List.of(first, second, leader));
    long part = length.toNanos() / 4;
    terminate(first);
    long startNanos = System.nanoTime();
    stop.sleepUntil(startNanos + part);
    terminate(second);
    stop.sleepUntil(startNanos + 2 * part);
    processes.heal(List.of(second));
    long limit = startNanos + 3 * part;
    stop.await(() -> protocol.isServing(second), limit, FaultCourse.POLL);
    stop.sleepUntil(limit);
    List<Member> others = followers.stream().filter(each -> each.index() != first.index()).toList();
    try (LeaderWatch watch = new LeaderWatch(others, protocol::isLeading)) {
      terminate(leader);
      leaderAfter = watch.await(limit + part, stop).map(LeaderWatch.Seen::member);
    }
    processes.heal(List.of(first));
    stop.sleepUntil(limit + part);
    processes.heal(List.of(leader));
    return leaderAfter.isPresent()
        ? Optional.empty()
        : Optional.of(FaultCourse.NO_EFFECT + FaultCourse.OTHER_LEADER);
  }

  private void terminate(Member member) {
    begins.run();
    processes.send(member, Signal.TERMINATE);
  }
}
