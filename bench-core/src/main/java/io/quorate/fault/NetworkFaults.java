// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.cluster.Member;
import io.quorate.cluster.MemberControl;
import io.quorate.network.Hop;
import io.quorate.network.NetworkEffect;
import io.quorate.network.RelayReport;
import io.quorate.scenario.Fault;
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
  private record Disturbance(Fault fault, List<Hop> hops, long connections) {}

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
  void begin(Fault fault, Member member) {
    List<Hop> hops = hops(fault, member);
    // it may have begun even if that is not reported
    current = Optional.of(new Disturbance(fault, hops, 0));
    RelayReport report = control.disturb(hops, fault.network().orElseThrow());
    current = Optional.of(new Disturbance(fault, hops, report.connections()));
  }

  private List<Hop> hops(Fault fault, Member member) {
    int index = member.index();
    List<Integer> others =
        members.stream().map(Member::index).filter(other -> other != index).toList();
    List<Hop> clients = Hop.both(Hop.CLIENTS, index);
    return switch (fault) {
      case ISOLATE_LEADER_IN -> others.stream().map(other -> new Hop(other, index)).toList();
      case ISOLATE_LEADER_OUT -> others.stream().map(other -> new Hop(index, other)).toList();
      case PARTITION_LEADER, PARTITION_LEADER_RESET -> Hop.both(index, others.get(0));
      case CLIENTS_OFF_LEADER, CLIENTS_OFF_LEADER_RESET -> clients;
      case SLOW_LEADER, RESET_LEADER ->
          Stream.concat(peers(index, others).stream(), clients.stream()).toList();
      default -> peers(index, others);
    };
  }

  private static List<Hop> peers(int index, List<Integer> others) {
    List<Hop> hops = new ArrayList<>();
    others.forEach(other -> hops.addAll(Hop.both(index, other)));
    return hops;
  }

  /**
   * Ends the fault, if there is one, and returns why it had no effect; empty if it had one.
   *
   * @throws io.quorate.QuorateException if the relay does not carry it out
   */
  Optional<String> end() {
    if (current.isEmpty()) {
      return Optional.empty();
    }
    Disturbance ending = current.get();
    RelayReport end = control.restore(ending.hops());
    current = Optional.empty();
    NetworkEffect effect = ending.fault().network().orElseThrow();
    boolean resets = effect == NetworkEffect.REFUSE || effect == NetworkEffect.RESET;
    boolean observed = resets ? ending.connections() > 0 : end.bytes() > 0;
    return observed
        ? Optional.empty()
        : Optional.of("no effect: expected that " + ending.fault().control());
  }
}
