package io.quorate.network;

import java.util.HashMap;
import java.util.Map;

/** The directions of all links of a relay. For one thread. */
final class Wires {
  private final RelayPlan plan;
  private final Map<String, Wire> made = new HashMap<>();

  Wires(RelayPlan plan) {
    this.plan = plan;
  }

  /** Returns the direction from one machine to another; without delay if there is no link. */
  Wire direction(int from, int to) {
    return plan.between(from, to)
        .map(cable -> direction(cable, from < to))
        .orElseGet(() -> new Wire(Link.NONE, 0));
  }

  private Wire direction(RelayPlan.Cable cable, boolean upwards) {
    String name = cable.zones() + (upwards ? " forth" : " back");
    return made.computeIfAbsent(name, any -> new Wire(cable.link(), made.size() + 1));
  }
}
