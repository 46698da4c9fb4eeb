// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import io.quorate.QuorateException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of an existing cluster, as the stores' own tools take it: {@code
 * 10.0.0.1:2379,10.0.0.2:2379}, {@code https://etcd-1:2379,https://etcd-2:2379}, or, for ZooKeeper,
 * {@code zk-1:2181,zk-2:2181/chroot}.
 *
 * @param endpoints endpoints of its members, at least one
 * @param overTls whether it is reached over TLS; empty if its text has no {@code http://} and no
 *     {@code https://}
 * @param chroot beginning of all keys, such as {@code app/}; empty without a path
 */
public record ClusterAddress(List<Endpoint> endpoints, Optional<Boolean> overTls, String chroot) {
  private static final Pattern URL = Pattern.compile("(?i)(?<scheme>https?)://(?<rest>.*)");
  private static final Pattern PATH = Pattern.compile("(?<host>[^/?#\\\\]*)(?<path>/.*)?");
  private static final Pattern CHROOT = Pattern.compile("(/(?!\\.)[A-Za-z0-9._-]+)*/*");
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  public ClusterAddress {
    endpoints = List.copyOf(endpoints);
  }

  /**
   * Parses addresses that are separated by commas. Without a port, an URL has that of its scheme.
   *
   * @throws QuorateException with a line for each wrong one, without user names and passwords
   */
  public static ClusterAddress parse(String text) {
    if (Endpoint.hasUser(text)) {
      return new ClusterAddress(Endpoint.parseList(text), Optional.empty(), "");
    }
    List<String> bare = new ArrayList<>();
    Set<Optional<Boolean>> schemes = new HashSet<>();
    String[] items = text.split(",", -1);
    String chroot = "";
    for (int i = 0; i < items.length; i++) {
      Matcher url = URL.matcher(items[i]);
      Optional<Boolean> secure =
          url.matches()
              ? Optional.of("https".equalsIgnoreCase(url.group("scheme")))
              : Optional.empty();
      schemes.add(secure);
      Matcher parts = PATH.matcher(secure.isPresent() ? url.group("rest") : items[i]);
      String path = parts.matches() && parts.group("path") != null ? parts.group("path") : "";
      if (i == items.length - 1 && CHROOT.matcher(path).matches()) {
        chroot = path.replaceFirst("^/+", "").replaceFirst("/+$", "");
        path = "";
      }
      boolean isPlain = parts.matches() && path.matches("/?");
      bare.add(isPlain ? parts.group("host") + port(parts.group("host"), secure) : items[i]);
    }
    List<Endpoint> endpoints = Endpoint.parseList(String.join(",", bare));
    if (schemes.size() > 1) {
      throw new QuorateException(
          "endpoints: https:// has to be before all addresses or before none of them");
    }
    return new ClusterAddress(
        endpoints, schemes.iterator().next(), chroot.isEmpty() ? "" : chroot + "/");
  }

  private static String port(String host, Optional<Boolean> secure) {
    boolean hasPort = host.matches(".*:[^\\]]*");
    return hasPort || host.isEmpty()
        ? ""
        : secure.map(each -> ":" + (each ? HTTPS_PORT : HTTP_PORT)).orElse("");
  }
}
