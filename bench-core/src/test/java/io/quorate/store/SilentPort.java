// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Reserves a port of the loopback address on which nothing listens: connections are refused, and no
 * other program gets the port until this is closed. A server of this process can listen on it.
 */
public final class SilentPort implements AutoCloseable {
  private final Socket bound = new Socket();

  /** Reserves a free port. */
  public SilentPort() throws IOException {
    this(0);
  }

  /** Reserves this port after its server has stopped. */
  public SilentPort(int port) throws IOException {
    bound.setReuseAddress(true);
    bound.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
  }

  public int port() {
    return bound.getLocalPort();
  }

  public Endpoint endpoint() {
    return new Endpoint("127.0.0.1", port());
  }

  @Override
  public void close() throws IOException {
    bound.close();
  }
}
