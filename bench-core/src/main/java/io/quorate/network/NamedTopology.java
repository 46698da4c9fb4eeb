package io.quorate.network;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The topologies that have a name, those of etcd's study of network latency. */
public enum NamedTopology {
  SN_SZ("sn-sz", Duration.ZERO, "zone-a"),
  /** Three members on machines of one zone. */
  MN_SZ("mn-sz", Duration.ofNanos(300_000), "zone-a", "zone-a", "zone-a"),
  /** Three members in a zone each. */
  MN_MZ("mn-mz", Duration.ofNanos(1_500_000), "zone-a", "zone-b", "zone-c");

  private final String id;
  private final Duration roundTrip;
  private final List<String> zones;

  NamedTopology(String id, Duration roundTrip, String... zones) {
    this.id = id;
    this.roundTrip = roundTrip;
    this.zones = List.of(zones);
  }

  /** Returns its name in scenarios. */
  public String id() {
    return id;
  }

  public static Optional<NamedTopology> byId(String id) {
    return Arrays.stream(values()).filter(each -> each.id.equals(id)).findFirst();
  }

  /** Returns whether it has members between which a link can be. */
  public boolean hasLinks() {
    return zones.size() > 1;
  }

  /** Returns the link between members if nothing else is said. */
  public Link link() {
    return Link.of(roundTrip);
  }

  public Topology with(Link link) {
    Map<ZonePair, Link> links = new LinkedHashMap<>();
    for (int member = 0; member < zones.size(); member++) {
      for (String other : zones.subList(member + 1, zones.size())) {
        links.put(new ZonePair(zones.get(member), other), link);
      }
    }
    return new Topology(id, zones, Optional.empty(), links);
  }
}
