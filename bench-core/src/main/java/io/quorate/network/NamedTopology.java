// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import io.quorate.Named;
import io.quorate.format.NumberFormats;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The topologies with a name, from etcd's study of network latency. */
public enum NamedTopology implements Named {
  SN_SZ(Duration.ZERO, "zone-a"),
  MN_SZ(Duration.ofNanos(300_000), "zone-a", "zone-a", "zone-a"),
  MN_MZ(Duration.ofNanos(1_500_000), "zone-a", "zone-b", "zone-c");

  private final Duration roundTrip;
  private final List<String> zones;

  NamedTopology(Duration roundTrip, String... zones) {
    this.roundTrip = roundTrip;
    this.zones = List.of(zones);
  }

  public static Optional<NamedTopology> byId(String id) {
    return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst();
  }

  /** Returns its members and zones in words, such as {@code 3 members, 1 zone}. */
  public String words() {
    String members = NumberFormats.count(zones.size(), "member");
    return hasLinks()
        ? members + ", " + NumberFormats.count(zones.stream().distinct().count(), "zone")
        : members;
  }

  /** Returns whether it has several members, and so links between them. */
  public boolean hasLinks() {
    return zones.size() > 1;
  }

  /** Returns the default link between members. */
  public Link link() {
    return Link.of(roundTrip);
  }

  /** Returns the topology with this link between members. */
  public Topology with(Link link) {
    Map<ZonePair, Link> links = new LinkedHashMap<>();
    for (int member = 0; member < zones.size(); member++) {
      for (String other : zones.subList(member + 1, zones.size())) {
        links.put(new ZonePair(zones.get(member), other), link);
      }
    }
    return new Topology(id(), zones, Optional.empty(), links);
  }
}
