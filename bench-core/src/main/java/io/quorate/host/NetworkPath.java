// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.FileAction;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Collections;
import java.util.Optional;
import java.util.regex.Pattern;

/** The network interface that carries the traffic between this machine and an address. */
public final class NetworkPath {
  private static final int ANY_PORT = 9;

  /** Names of the loopback interface, and of those to containers and namespaces of this machine. */
  private static final Pattern LOCAL =
      Pattern.compile("(?:lo|docker|br-|veth|cni|podman|virbr|lxc).*");

  private NetworkPath() {}

  /**
   * Returns the loopback interface for every address of this machine, including external ones,
   * otherwise the first interface of the route to the address. It resolves a name, but sends
   * nothing. Empty if there is no such address or route.
   */
  static Optional<String> to(String host) {
    try (DatagramSocket route = new DatagramSocket()) {
      InetAddress address = InetAddress.getByName(host);
      if (isHere(address)) {
        return loopback();
      }
      route.connect(address, ANY_PORT);
      return Optional.ofNullable(NetworkInterface.getByInetAddress(route.getLocalAddress()))
          .map(NetworkInterface::getName);
    } catch (IOException | RuntimeException unreachable) {
      return Optional.empty();
    }
  }

  /** Returns whether servers behind an interface are here, or may be in containers of here. */
  public static boolean leadsHere(String networkInterface) {
    return LOCAL.matcher(networkInterface).matches();
  }

  /** Returns whether a host is this machine, or may be a container of it; resolves a name. */
  public static boolean mayBeHere(String host) {
    return to(host).filter(NetworkPath::leadsHere).isPresent();
  }

  /** Returns whether a host is this machine, by any of its addresses; resolves a name. */
  public static boolean isHere(String host) {
    return FileAction.attempt(() -> isHere(InetAddress.getByName(host))).orElse(false);
  }

  private static boolean isHere(InetAddress address) throws IOException {
    return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
  }

  private static Optional<String> loopback() throws IOException {
    for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      if (each.isLoopback()) {
        return Optional.of(each.getName());
      }
    }
    return Optional.empty();
  }
}
