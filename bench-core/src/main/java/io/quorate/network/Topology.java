// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * The zones of a cluster's members and of the load generator, and the links between the zones.
 *
 * @param name {@code sn-sz}, {@code mn-sz} or {@code mn-mz}; {@code own} if the scenario lists the
 *     zones
 * @param zones zones of the members, in the order of their index
 * @param loadGenerator zone of the load generator; empty if it has no delay to any member
 * @param links links between machines, by their zones; other machines have no delay between them
 */
public record Topology(
    String name, List<String> zones, Optional<String> loadGenerator, Map<ZonePair, Link> links) {
  /** The name of a topology whose zones are listed one by one. */
  public static final String OWN = "own";

  public Topology {
    zones = List.copyOf(zones);
    links = Collections.unmodifiableMap(new LinkedHashMap<>(links));
    if (zones.isEmpty()) {
      throw new IllegalArgumentException("a topology needs a member");
    }
  }

  public int members() {
    return zones.size();
  }

  /** Returns the link between two members, by their index from 1. */
  public Link between(int member, int other) {
    return member == other ? Link.NONE : link(zones.get(member - 1), zones.get(other - 1));
  }

  /** Returns the link between the load generator and a member, by its index from 1. */
  public Link fromLoadGenerator(int member) {
    return loadGenerator.map(zone -> link(zone, zones.get(member - 1))).orElse(Link.NONE);
  }

  /**
   * Returns the numbers of the members with the least round trip from the load generator, from 1.
   */
  public List<Integer> nearest() {
    return nearest(members(), member -> fromLoadGenerator(member).roundTripNanos());
  }

  /** Returns those of some members, numbered from 1, that have the least round trip. */
  public static List<Integer> nearest(int members, IntToLongFunction roundTripNanos) {
    long least = IntStream.rangeClosed(1, members).mapToLong(roundTripNanos).min().orElse(0);
    return IntStream.rangeClosed(1, members)
        .filter(member -> roundTripNanos.applyAsLong(member) == least)
        .boxed()
        .toList();
  }

  private Link link(String zone, String other) {
    return links.getOrDefault(new ZonePair(zone, other), Link.NONE);
  }

  /** Returns the links that have to be simulated, by their zones. */
  public Map<ZonePair, Link> made() {
    Map<ZonePair, Link> made = new LinkedHashMap<>();
    for (int member = 1; member <= members(); member++) {
      for (int other = member + 1; other <= members(); other++) {
        made.put(pair(zones.get(member - 1), other), between(member, other));
      }
      int index = member;
      loadGenerator.ifPresent(zone -> made.put(pair(zone, index), fromLoadGenerator(index)));
    }
    made.values().removeIf(Link::isNone);
    return Collections.unmodifiableMap(made);
  }

  private ZonePair pair(String zone, int other) {
    return new ZonePair(zone, zones.get(other - 1));
  }

  /** Returns the topology in words, such as {@code mn-mz (zone-a to zone-b 1.5 ms)}. */
  @Override
  public String toString() {
    List<String> texts =
        made().entrySet().stream().map(each -> each.getKey() + " " + each.getValue()).toList();
    return texts.isEmpty() ? name : name + " (" + String.join("; ", texts) + ")";
  }
}
