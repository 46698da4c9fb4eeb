package io.quorate.driver;

import io.quorate.QuorateException;
import java.util.Arrays;
import java.util.List;

/**
 * Where a member listens for clients.
 *
 * @param host a name or an IPv4 address
 * @param port 1 to 65535
 */
public record Endpoint(String host, int port) {
  public Endpoint {
    if (host.isBlank()) {
      throw new IllegalArgumentException("the host of an endpoint must not be empty");
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " is not between 1 and 65535");
    }
  }

  /** Reads {@code host:port}; an {@code http://} in front is ignored. */
  public static Endpoint parse(String text) {
    String bare = text.strip().replaceFirst("^http://", "");
    int colon = bare.lastIndexOf(':');
    try {
      return new Endpoint(bare.substring(0, colon), Integer.parseInt(bare.substring(colon + 1)));
    } catch (IndexOutOfBoundsException | IllegalArgumentException wrong) {
      throw new QuorateException(
          "endpoint '" + text + "': expected HOST:PORT, such as 127.0.0.1:2379", wrong);
    }
  }

  /** Reads a comma-separated list of endpoints. */
  public static List<Endpoint> parseList(String text) {
    return Arrays.stream(text.split(",")).map(Endpoint::parse).toList();
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
