// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import io.quorate.QuorateException;
import io.quorate.format.AtomicFile;
import io.quorate.format.StrictJson;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.network.Topology;
import io.quorate.network.ZonePair;
import io.quorate.results.DatabaseDirectory;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The zones of a run and the links between them, with requested and measured values: {@code
 * zones.json} of a database whose members are in zones.
 *
 * @param topology topology, such as {@code mn-mz}
 * @param members zone of each member, in their order
 * @param loadGenerator zone of the load generator; empty if it has no delay to any member
 */
@FormatVersion(1)
public record RunZones(
    String topology, List<String> members, Optional<String> loadGenerator, List<Link> links) {
  private static final String FILE = "zones.json";

  public RunZones {
    members = List.copyOf(members);
    links = List.copyOf(links);
  }

  /**
   * A link between zones.
   *
   * @param zones zones, such as {@code a to b}
   * @param asked the requested link in words, such as {@code 1.5 ms, jitter 0.2 ms}
   * @param roundTripNanos requested round trip
   * @param pings number of pings that measured the round trip before the load, over TCP
   * @param leastNanos least round trip of the pings
   */
  public record Link(
      String zones,
      String asked,
      long roundTripNanos,
      int pings,
      long leastNanos,
      long medianNanos,
      long p99Nanos) {
    /** Returns a sentence about the link, without a full stop. */
    public String text() {
      return "%s: asked for %s, measured %s ms at the median and %s ms at the 99th percentile of %s pings before the load"
          .formatted(zones, asked, millis(medianNanos), millis(p99Nanos), pings);
    }

    private static String millis(long nanos) {
      return BigDecimal.valueOf(nanos, 6).setScale(3, RoundingMode.HALF_EVEN).toPlainString();
    }
  }

  /** Returns the link between two members, by their numbers from 1; empty if there is none. */
  public Optional<Link> between(int member, int other) {
    return member == other ? Optional.empty() : between(members.get(member - 1), other);
  }

  /** Returns the link between the load generator and a member; empty if there is none. */
  public Optional<Link> fromLoadGenerator(int member) {
    return loadGenerator.flatMap(zone -> between(zone, member));
  }

  /**
   * Returns the numbers of the members with the least round trip from the load generator, from 1.
   */
  public List<Integer> nearest() {
    return Topology.nearest(
        members.size(), member -> fromLoadGenerator(member).map(Link::roundTripNanos).orElse(0L));
  }

  private Optional<Link> between(String zone, int member) {
    String zones = new ZonePair(zone, members.get(member - 1)).toString();
    return links.stream().filter(link -> link.zones.equals(zones)).findFirst();
  }

  /** Returns the names of the links between different zones. */
  public Set<String> across() {
    List<String> all = Stream.concat(members.stream(), loadGenerator.stream()).distinct().toList();
    return all.stream()
        .flatMap(
            zone ->
                all.stream()
                    .filter(other -> !other.equals(zone))
                    .map(other -> new ZonePair(zone, other).toString()))
        .collect(Collectors.toUnmodifiableSet());
  }

  public void write(DatabaseDirectory directory) {
    AtomicFile.write(file(directory), StrictJson.text(this));
  }

  public static Path file(DatabaseDirectory directory) {
    return directory.path().resolve(FILE);
  }

  /**
   * Reads the file; empty if there is none.
   *
   * @param servers number of members in the manifest
   * @throws QuorateException if it is not a file of this format
   */
  public static Optional<RunZones> read(DatabaseDirectory directory, int servers) {
    Path file = file(directory);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    RunZones zones = StrictJson.read(file, RunZones.class);
    if (servers > 0 && zones.members.size() != servers) {
      throw new QuorateException(
          "%s: members: found %d, expected %d, one for each server of the manifest"
              .formatted(file, zones.members.size(), servers));
    }
    return Optional.of(zones);
  }
}
