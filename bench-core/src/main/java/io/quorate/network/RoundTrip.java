// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;

/**
 * A measured round trip: single bytes are sent over a TCP connection and returned, one after the
 * other.
 *
 * @param medianNanos median; like {@link #p99Nanos} the lowest value that is not below this part of
 *     all values
 */
public record RoundTrip(int pings, long leastNanos, long medianNanos, long p99Nanos) {
  private static final int FIRST = 3_000;
  private static final int FIRST_PART = 4;
  private static final int LEAST = 20;
  private static final int CONNECT_MILLIS = 5_000;

  /**
   * Measures the round trip to an address that echoes bytes.
   *
   * @param limit time limit; at least 20 pings are sent in any case. Up to 3,000 more pings, in at
   *     most a quarter of this time, warm up the code before
   * @throws IOException if the address does not answer
   */
  static RoundTrip measure(InetSocketAddress address, int most, Duration limit) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) Math.max(CONNECT_MILLIS, limit.toMillis()));
      socket.connect(address, CONNECT_MILLIS);
      long warm = System.nanoTime() + limit.toNanos() / FIRST_PART;
      for (int ping = 0; ping < FIRST && (ping < 2 || System.nanoTime() < warm); ping++) {
        ping(socket);
      }
      long end = System.nanoTime() + limit.toNanos();
      long[] nanos = new long[most];
      int count = 0;
      while (count < most && (count < LEAST || System.nanoTime() < end)) {
        nanos[count++] = ping(socket);
      }
      return of(Arrays.copyOf(nanos, count));
    } catch (SocketTimeoutException silent) {
      throw new IOException("a ping to " + address + " does not come back", silent);
    }
  }

  private static long ping(Socket socket) throws IOException {
    long sent = System.nanoTime();
    socket.getOutputStream().write(1);
    if (socket.getInputStream().read() != 1) {
      throw new IOException("a ping did not come back");
    }
    return System.nanoTime() - sent;
  }

  static RoundTrip of(long... nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return new RoundTrip(
        sorted.length, sorted[0], percentile(sorted, 0.5), percentile(sorted, 0.99));
  }

  private static long percentile(long[] sorted, double part) {
    return sorted[(int) Math.ceil(part * sorted.length) - 1];
  }
}
