// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.cluster.Member;
import io.quorate.cluster.MemberControl;
import io.quorate.network.Hop;
import io.quorate.network.RelayReport;
import io.quorate.scenario.FaultAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The faults of the network between the members of a cluster, one at a time. For one thread. */
final class NetworkFaults {
  private final List<Member> members;
  private final MemberControl control;
  private Optional<Disturbance> current = Optional.empty();

  /**
   * A fault whose effect has not ended.
   *
   * @param connections number of connections that were affected at its beginning
   */
  private record Disturbance(FaultAction.Network action, List<Hop> hops, long connections) {}

  NetworkFaults(List<Member> members, MemberControl control) {
    this.members = List.copyOf(members);
    this.control = control;
  }

  /**
   * Lets a fault begin.
   *
   * @param member the leader, or the follower that is affected
   * @throws io.quorate.QuorateException if the relay does not carry it out
   */
  void begin(FaultAction.Network action, Member member) {
    List<Hop> hops = hops(action.path(), member);
    // it may have begun even if that is not reported
    current = Optional.of(new Disturbance(action, hops, 0));
    RelayReport report = control.disturb(hops, action.effect());
    current = Optional.of(new Disturbance(action, hops, report.connections()));
  }

  private List<Hop> hops(FaultAction.Network.Path path, Member member) {
    int index = member.index();
    List<Integer> others =
        members.stream().map(Member::index).filter(other -> other != index).toList();
    List<Hop> clients = Hop.both(Hop.CLIENTS, index);
    return switch (path) {
      case MEMBERS -> peers(index, others);
      case FROM_MEMBERS -> others.stream().map(other -> new Hop(other, index)).toList();
      case TO_MEMBERS -> others.stream().map(other -> new Hop(index, other)).toList();
      case ONE_MEMBER -> Hop.both(index, others.get(0));
      case CLIENTS -> clients;
      case EVERYTHING -> Stream.concat(peers(index, others).stream(), clients.stream()).toList();
    };
  }

  private static List<Hop> peers(int index, List<Integer> others) {
    List<Hop> hops = new ArrayList<>();
    others.forEach(other -> hops.addAll(Hop.both(index, other)));
    return hops;
  }

  /**
   * Ends the fault, if there is one; returns false if it had no effect.
   *
   * @throws io.quorate.QuorateException if the relay does not carry it out
   */
  boolean end() {
    if (current.isEmpty()) {
      return true;
    }
    Disturbance ending = current.get();
    RelayReport end = control.restore(ending.hops());
    current = Optional.empty();
    return ending.action().resets() ? ending.connections() > 0 : end.bytes() > 0;
  }
}
