package io.quorate.store;

import io.quorate.QuorateException;
import java.util.List;

/**
 * An address at which a member listens for clients.
 *
 * @param host a name in lower case, an IPv4 address, or an IPv6 address without brackets
 * @param port 1 to 65535
 */
public record Endpoint(String host, int port) {
  static final int LAST_PORT = 65_535;

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
   * Reads {@code host:port} or {@code [IPv6 address]:port}, and nothing around it.
   *
   * @throws QuorateException if it is anything else; what stands before an {@code @} may be a
   *     password, so the message has none of it
   */
  public static Endpoint parse(String text) {
    return EndpointText.read(text);
  }

  /**
   * Reads a comma-separated list of endpoints.
   *
   * @throws QuorateException with all that are wrong, a line for each, as {@link #parse}; an
   *     endpoint that is there twice is wrong, and so is one that is empty
   */
  public static List<Endpoint> parseList(String text) {
    return EndpointText.readList(text);
  }

  /**
   * Returns whether a text has a user name in it, and so perhaps a password, which must not be
   * shown.
   */
  public static boolean hasUser(String text) {
    return EndpointText.hasUser(text);
  }

  /** Returns whether it is certainly on the machine of whoever connects to it. */
  public boolean isLoopback() {
    return HostAddress.isLoopback(host);
  }

  /** Returns the text that {@link #parse} reads. */
  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
