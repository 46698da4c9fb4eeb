// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.QuorateException;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberProtocol;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultPlan;
import io.quorate.store.Maintenance;
import io.quorate.store.server.ServerProtocol.MaintenanceResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Lets members do maintenance one after the other, the leader last. For one thread. */
final class MaintenanceRound {
  /** Least time limit of the maintenance of a member; 4 GB took 15 s in etcd #20952. */
  private static final Duration LEAST_LIMIT = Duration.ofSeconds(60);

  private final MemberProtocol protocol;
  private final StopSignal stop;
  private final Runnable begins;
  private final List<Member> members = new ArrayList<>();

  /**
   * @param begins runs just before each request
   */
  MaintenanceRound(MemberProtocol protocol, StopSignal stop, Runnable begins) {
    this.protocol = protocol;
    this.stop = stop;
    this.begins = begins;
  }

  /** Returns the time limit of the maintenance of a member. */
  static Duration limit(FaultPlan.Kind kind) {
    return kind.length().compareTo(LEAST_LIMIT) > 0 ? kind.length() : LEAST_LIMIT;
  }

  /** Returns the members that did it. */
  List<Member> members() {
    return members;
  }

  /**
   * Lets the members of a kind of maintenance do it.
   *
   * @return what was observed, in words
   * @throws QuorateException if a member refuses, if the request had no effect, or if the run ends
   */
  String run(FaultPlan.Kind kind, FaultTargets targets) {
    Maintenance asked = kind.fault().maintenance().orElseThrow();
    List<Member> order =
        kind.fault().target() == Fault.Target.ALL ? targets.leaderLast() : targets.of(kind.fault());
    List<String> texts = new ArrayList<>();
    for (Member each : order) {
      if (stop.isStopped()) {
        throw new QuorateException("the run ended before all members were done");
      }
      MaintenanceResult done = done(asked, each, limit(kind));
      members.add(each);
      texts.add(each.name() + ": " + done.text());
      if (!done.observed()) {
        throw new QuorateException("no effect on " + each.name() + ": " + done.text());
      }
    }
    return String.join("; ", texts);
  }

  private MaintenanceResult done(Maintenance asked, Member member, Duration limit) {
    try {
      return protocol.maintain(asked, member, limit, begins);
    } catch (QuorateException refused) {
      String how = members.isEmpty() ? FaultCourse.NOT_CAUSED : member.name() + ": ";
      throw new QuorateException(how + refused.getMessage(), refused);
    }
  }
}
