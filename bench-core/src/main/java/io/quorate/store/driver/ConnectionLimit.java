// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import io.quorate.store.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * A server's limit of connections from one address, beyond which it closes each new one at once.
 *
 * @param setting setting of the server, with its default
 */
public record ConnectionLimit(String setting) {
  private static final int CONNECT_MILLIS = 1000;
  private static final int WAIT_MILLIS = 500;

  /**
   * Returns why a server served no connection: that it closes new ones at once, or another reason.
   * Opens a connection, and sends nothing.
   */
  public String orElse(String other, Endpoint endpoint) {
    return closesAtOnce(endpoint)
        ? "it closes new connections at once, as at its limit for one address (%s): raise the limit, or use fewer clients (--clients)"
            .formatted(setting)
        : other;
  }

  private static boolean closesAtOnce(Endpoint endpoint) {
    try (Socket socket = new Socket(Proxy.NO_PROXY)) {
      socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), CONNECT_MILLIS);
      return isAnswered(socket);
    } catch (IOException unreachable) {
      return false;
    }
  }

  /** Returns whether the server closes the connection, perhaps after a text, or resets it. */
  private static boolean isAnswered(Socket socket) {
    try {
      socket.setSoTimeout(WAIT_MILLIS);
      socket.getInputStream().read();
      return true;
    } catch (SocketTimeoutException waiting) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }
}
