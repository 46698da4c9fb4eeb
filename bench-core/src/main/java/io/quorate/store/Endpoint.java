// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address at which a member listens for clients.
 *
 * @param host name in lower case, an IPv4 address, or an IPv6 address without brackets
 * @param port port, 1 to 65535
 */
public record Endpoint(String host, int port) {
  private static final int LAST_PORT = 65_535;
  private static final String EXPECTED = "expected HOST:PORT, such as 127.0.0.1:2379";
  private static final Pattern SCHEME = Pattern.compile("(?i)[a-z][a-z0-9+.-]*:/+");
  private static final Pattern USER = Pattern.compile("@|%(25)*40|\uFF20|\uFE6B");
  private static final Pattern PARTS =
      Pattern.compile("(?<host>\\[[^\\]]*\\]|[^:\\[]*):(?<port>.*)");
  private static final Pattern PORT = Pattern.compile("[1-9][0-9]{0,4}");

  public Endpoint {
    String given = host;
    host =
        HostAddress.canonical(given)
            .orElseThrow(() -> new IllegalArgumentException("'" + given + "' is not a host"));
    if (port < 1 || port > LAST_PORT) {
      throw new IllegalArgumentException("port " + port + " is not between 1 and 65535");
    }
  }

  /**
   * Parses {@code host:port} or {@code [IPv6 address]:port}, without any other text.
   *
   * @throws QuorateException for any other text; the message leaves out the text before an
   *     {@code @}, which may be a password
   */
  public static Endpoint parse(String text) {
    return read(text)
        .orElseThrow(() -> new QuorateException("endpoint " + shown(text) + problem(text)));
  }

  /**
   * Parses a comma-separated list of endpoints.
   *
   * @throws QuorateException with a line for each wrong endpoint, as {@link #parse}; repeated and
   *     empty endpoints are wrong as well
   */
  public static List<Endpoint> parseList(String text) {
    String[] items = text.split(",", -1);
    boolean secret = hasUser(text);
    List<Endpoint> endpoints = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < items.length; i++) {
      String item = items[i];
      // if a list has a password, no item is shown: the password may contain a comma
      String which =
          "endpoint " + (secret || item.isEmpty() ? i + 1 + " of " + items.length : shown(item));
      Optional<Endpoint> endpoint = read(item);
      if (endpoint.isEmpty()) {
        problems.add(which + problem(item));
      } else if (endpoints.contains(endpoint.get())) {
        problems.add(which + ": found twice, expected each endpoint once");
      }
      endpoint.ifPresent(endpoints::add);
    }
    QuorateException.throwIfAny(problems);
    return List.copyOf(endpoints);
  }

  /**
   * Returns whether a text contains a user name, and so perhaps a password, which must not be
   * shown.
   */
  public static boolean hasUser(String text) {
    return USER.matcher(text).find();
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }

  private static Optional<Endpoint> read(String text) {
    Matcher parts = PARTS.matcher(text);
    if (!parts.matches() || !PORT.matcher(parts.group("port")).matches()) {
      return Optional.empty();
    }
    int port = Integer.parseInt(parts.group("port"));
    return host(parts.group("host"))
        .filter(host -> port <= LAST_PORT)
        .map(host -> new Endpoint(host, port));
  }

  /** Returns the host; only an IPv6 address has brackets. */
  private static Optional<String> host(String text) {
    boolean brackets = text.startsWith("[");
    String bare = brackets ? text.substring(1, text.length() - 1) : text;
    return brackets == bare.indexOf(':') >= 0 ? HostAddress.canonical(bare) : Optional.empty();
  }

  private static String shown(String text) {
    if (hasUser(text)) {
      return "with a user name";
    }
    // a token may be part of a query
    int query = (text + "?").indexOf('?');
    String rest = query < text.length() ? "?..." : "";
    return VisibleText.quoted(text.substring(0, query) + rest);
  }

  private static String problem(String text) {
    if (hasUser(text)) {
      return ": user names and passwords are not used and would end in the files of a run; "
          + EXPECTED;
    }
    if (text.isEmpty()) {
      return ": found nothing, " + EXPECTED;
    }
    Matcher scheme = SCHEME.matcher(text);
    if (scheme.lookingAt()) {
      String bare = text.substring(scheme.end()).replaceFirst("[/?#].*", "");
      return read(bare)
          .map(meant -> ": leave out the scheme and all but host and port: " + meant)
          .orElse(": expected HOST:PORT without a scheme, such as 127.0.0.1:2379");
    }
    if (text.codePoints().anyMatch(Character::isWhitespace)) {
      return ": found a space, " + EXPECTED;
    }
    OptionalInt foreign = text.codePoints().filter(character -> character > '~').findFirst();
    if (foreign.isPresent()) {
      return ": found the character U+%04X, expected ASCII (an international name as xn--...)"
          .formatted(foreign.getAsInt());
    }
    if (text.matches(".*[/?#\\\\].*")) {
      return ": found a path, " + EXPECTED;
    }
    if (text.contains("%")) {
      return ": found '%', " + EXPECTED;
    }
    Matcher parts = PARTS.matcher(text);
    if (!parts.matches()) {
      return ": " + EXPECTED;
    }
    String host = parts.group("host");
    if (!host.startsWith("[") && text.indexOf(':') != text.lastIndexOf(':')) {
      return ": expected an IPv6 address in brackets, such as [::1]:2379";
    }
    return host(host).isEmpty()
        ? ": the host is not " + HostAddress.EXPECTED
        : ": the port is not a number from 1 to 65535";
  }
}
