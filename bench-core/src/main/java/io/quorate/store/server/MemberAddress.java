// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import io.quorate.VisibleText;
import io.quorate.store.HostAddress;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The host and the ports at which the servers of a member listen.
 *
 * @param host IPv4 address
 * @param ports first the port for clients, then as many others as its servers need, at most {@value
 *     #MAX_PORTS}
 */
public record MemberAddress(String host, List<Integer> ports) {
  private static final int MAX_PORTS = 8;
  private static final Pattern IPV4 =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?!$)|$)){4}");

  /** Checks the address, which becomes a part of command lines and settings of servers. */
  public MemberAddress {
    if (!IPV4.matcher(host).matches()) {
      throw new IllegalArgumentException(
          "found the host " + VisibleText.line(host) + ", expected an IPv4 address");
    }
    ports = List.copyOf(ports);
    if (ports.isEmpty()
        || ports.size() > MAX_PORTS
        || ports.stream().distinct().count() != ports.size()
        || ports.stream().anyMatch(port -> port < 1 || port > 65_535)) {
      throw new IllegalArgumentException(
          "found the ports %s, expected 1 to %s different ones between 1 and 65535"
              .formatted(ports.stream().limit(MAX_PORTS + 1).toList(), MAX_PORTS));
    }
  }

  /** Returns whether the other address is certainly on the same machine. */
  public boolean isBeside(MemberAddress other) {
    return host.equals(other.host)
        || HostAddress.isLoopback(host) && HostAddress.isLoopback(other.host);
  }
}
