// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.cluster.Member;
import io.quorate.scenario.Fault;
import java.util.ArrayList;
import java.util.List;

/** The members that faults affect while a member leads. */
record FaultTargets(List<Member> members, Member leader) {
  List<Member> of(Fault fault) {
    return switch (fault.target()) {
      case LEADER -> List.of(leader);
      case FOLLOWER -> followers().subList(0, 1);
      case MAJORITY -> {
        List<Member> most = new ArrayList<>(List.of(leader));
        most.addAll(followers().subList(0, members.size() / 2));
        yield most;
      }
      case ALL -> members;
      case NEW -> List.of();
    };
  }

  List<Member> followers() {
    return members.stream().filter(each -> each.index() != leader.index()).toList();
  }

  /** Returns all members, the leader last. */
  List<Member> leaderLast() {
    List<Member> order = new ArrayList<>(followers());
    order.add(leader);
    return order;
  }
}
