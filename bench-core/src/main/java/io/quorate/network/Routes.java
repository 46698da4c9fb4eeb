// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import io.netty.channel.Channel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The routes between all machines of a relay. For one thread. */
final class Routes {
  private final RelayPlan plan;
  private final LinkBytes counts;
  private final Map<String, Wire> wires = new HashMap<>();
  private final Map<Hop, Route> routes = new HashMap<>();

  Routes(RelayPlan plan, LinkBytes counts) {
    this.plan = plan;
    this.counts = counts;
  }

  /** Returns the route from one machine to another; without delay if there is no link. */
  Route between(int from, int to) {
    return at(new Hop(from, to));
  }

  private Route at(Hop hop) {
    return routes.computeIfAbsent(hop, any -> new Route(wire(hop)));
  }

  private Wire wire(Hop hop) {
    return plan.between(hop.from(), hop.to())
        .map(cable -> wire(cable, hop.from() < hop.to()))
        .orElseGet(() -> new Wire(Link.NONE, 0));
  }

  private Wire wire(RelayPlan.Cable cable, boolean upwards) {
    String name = cable.zones() + (upwards ? " forth" : " back");
    return wires.computeIfAbsent(
        name,
        any -> new Wire(cable.link(), wires.size() + 1, bytes -> counts.add(cable.zones(), bytes)));
  }

  /**
   * Returns the machine that probably sent to another one before it closed its socket: one whose
   * data is not cut, if there is one, and of these the farthest.
   */
  int likelySource(int target) {
    return plan.farthestFrom(target, machine -> !between(machine, target).isCut())
        .orElseGet(() -> plan.farthestFrom(target, any -> true).orElse(target));
  }

  /** Carries out an order, and reports what it affected. */
  RelayReport carryOut(RelayOrder order) {
    List<Route> ordered = order.hops().stream().map(this::at).toList();
    Set<Channel> connections = new HashSet<>();
    ordered.forEach(each -> connections.addAll(each.connections()));
    long bytes = ordered.stream().mapToLong(Route::bytes).sum();
    if (order.effect().isPresent()) {
      ordered.forEach(each -> each.begin(order.effect().get()));
    } else {
      ordered.forEach(Route::end);
      ordered.forEach(Route::resume);
    }
    return new RelayReport(order.number(), connections.size(), bytes);
  }
}
