// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The network interfaces of this machine that carry the traffic to given hosts, and their
 * utilization. Interfaces that do not report their speed, such as loopback, are left out.
 *
 * @param directory directory with a directory of counters for each interface
 */
public record BusyNetwork(Path directory, Set<String> interfaces) {
  private static final Path INTERFACES = Path.of("/sys/class/net");
  private static final double BITS_PER_BYTE = 8;
  private static final double BITS_PER_MEGABIT = 1e6;

  /** Finds the interfaces to these hosts; resolves their names. */
  public static BusyNetwork to(Collection<String> hosts) {
    return new BusyNetwork(
        INTERFACES,
        hosts.stream()
            .flatMap(host -> NetworkPath.to(host).stream())
            .collect(Collectors.toUnmodifiableSet()));
  }

  /**
   * Returns the bytes that each interface has carried in each direction since it came up, by the
   * file that contains the counter.
   */
  public Map<Path, Long> traffic() {
    Map<Path, Long> bytes = new LinkedHashMap<>();
    for (String each : interfaces) {
      for (String direction : Set.of("rx_bytes", "tx_bytes")) {
        Path file = directory.resolve(each).resolve("statistics").resolve(direction);
        number(file).ifPresent(count -> bytes.put(file, count));
      }
    }
    return bytes;
  }

  /**
   * Returns the part of its speed that the busiest interface used in its busier direction; empty if
   * no interface reports its speed.
   *
   * @param before the traffic as it was the given number of seconds ago
   */
  public OptionalDouble usedPart(Map<Path, Long> before, double seconds) {
    Map<Path, Long> now = traffic();
    return now.entrySet().stream()
        .filter(each -> before.containsKey(each.getKey()))
        .flatMap(
            each -> {
              Path file = each.getKey();
              double bits = BITS_PER_BYTE * (each.getValue() - before.getOrDefault(file, 0L));
              return number(file.resolveSibling("../speed"))
                  .filter(megabits -> megabits > 0)
                  .map(megabits -> bits / (megabits * BITS_PER_MEGABIT * seconds))
                  .stream();
            })
        .mapToDouble(part -> part)
        .max();
  }

  private static Optional<Long> number(Path file) {
    try {
      return Optional.of(Long.parseLong(Files.readString(file).strip()));
    } catch (IOException | NumberFormatException unknown) {
      return Optional.empty();
    }
  }
}
