package io.quorate.network;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;

/**
 * A round trip as it was measured, with single bytes that are sent over a TCP connection and come
 * back, one after the other.
 *
 * @param leastNanos of all of them
 * @param medianNanos of all of them, as of {@link #p99Nanos} the lowest that is no less than this
 *     part of them
 */
public record RoundTrip(int pings, long leastNanos, long medianNanos, long p99Nanos) {
  private static final int FIRST = 3_000;
  private static final int FIRST_PART = 4;
  private static final int LEAST = 20;
  private static final int CONNECT_MILLIS = 5_000;

  /**
   * Measures the round trip to an address that sends back what it gets.
   *
   * @param most pings
   * @param limit after which there are no more; at least 20 are made. Up to 3,000 more before that,
   *     in at most a quarter of that time, as the first ones find cold code
   * @throws IOException if no one answers
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
