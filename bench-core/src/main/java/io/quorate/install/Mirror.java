// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.server.Program;
import java.net.URI;
import java.util.Optional;

/**
 * A mirror of the release archives of all vendors: {@code <address>/<program>/}, and below that the
 * layout of the vendor.
 */
public record Mirror(String address) {
  static final String VARIABLE = "QUORATE_MIRROR";

  /** Returns the mirror at an address that has come from a setting, such as {@code --mirror}. */
  public static Mirror at(String setting, String address) {
    if (!isUsable(address)) {
      throw new QuorateException(
          String.format(
              "%s %s: expected an address like https://HOST/PATH, without user, query or fragment",
              setting, VisibleText.line(address)));
    }
    return new Mirror(address.replaceAll("/+$", ""));
  }

  public static Optional<Mirror> of(Installation installation) {
    String address = installation.variable(VARIABLE);
    return address.isEmpty() ? Optional.empty() : Optional.of(at(VARIABLE, address));
  }

  /** Returns the address that replaces the vendor's base; without a slash at the end. */
  String base(Program program) {
    return address + "/" + program.id();
  }

  private static boolean isUsable(String address) {
    try {
      URI uri = URI.create(address);
      return ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()))
          && uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null;
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
  }
}
