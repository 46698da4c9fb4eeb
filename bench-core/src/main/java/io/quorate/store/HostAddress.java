// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Recognizes host names (RFC 1123) and IP addresses by their text, without resolving them. */
public final class HostAddress {
  public static final String EXPECTED =
      "a host name of letters, digits, '-' and '.', or an IP address";

  private static final int MAX_NAME = 253;
  private static final int MAX_OCTET = 255;
  private static final Pattern LABEL =
      Pattern.compile("[A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9-]{0,61}[A-Za-z0-9]");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0[xX][0-9A-Fa-f]*");
  private static final Pattern OCTET = Pattern.compile("0|[1-9][0-9]{0,2}");
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]+");

  private HostAddress() {}

  /**
   * Returns the canonical form of a host: a name in lower case, an unchanged IPv4 address, or an
   * IPv6 address without brackets in the format of RFC 5952. Empty if the text is not a host, such
   * as {@code 999.1.1.1}.
   */
  public static Optional<String> canonical(String text) {
    if (text.indexOf(':') >= 0) {
      return ipv6(text);
    }
    List<String> labels = Arrays.asList(text.split("\\.", -1));
    if (text.length() > MAX_NAME || !labels.stream().allMatch(LABEL.asMatchPredicate())) {
      return Optional.empty();
    }
    // a numeric last label belongs to an address, or to a text that some systems parse as one
    boolean address = NUMBER.matcher(labels.get(labels.size() - 1)).matches();
    return address && !isIpv4(labels)
        ? Optional.empty()
        : Optional.of(text.toLowerCase(Locale.ROOT));
  }

  public static boolean isAddress(String canonical) {
    return canonical.indexOf(':') >= 0 || isIpv4(Arrays.asList(canonical.split("\\.", -1)));
  }

  /** Returns whether a canonical host is certainly on the same machine as its clients. */
  public static boolean isLoopback(String canonical) {
    return canonical.equals("localhost")
        || canonical.equals("::1")
        || isAddress(canonical) && canonical.startsWith("127.");
  }

  private static boolean isIpv4(List<String> labels) {
    return labels.size() == 4
        && labels.stream()
            .allMatch(
                label -> OCTET.matcher(label).matches() && Integer.parseInt(label) <= MAX_OCTET);
  }

  private static Optional<String> ipv6(String text) {
    if (!IPV6.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      // brackets: an address, never a name to resolve
      return Optional.of(NetUtil.toAddressString(InetAddress.getByName("[" + text + "]")));
    } catch (UnknownHostException invalid) {
      return Optional.empty();
    }
  }
}
