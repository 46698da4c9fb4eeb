// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The round trip to a server, and how much it varies: the times of TCP connects, one after the
 * other. A connection is closed at once, without a byte.
 *
 * @param nanos nanoseconds of each connect
 * @param own nanoseconds of as many connects of this machine to itself, in turn with these: what it
 *     takes without a network or another process
 * @param failures connects that failed
 */
public record ConnectProbe(Histogram nanos, Histogram own, int failures) {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final int CONNECT_LIMIT_MILLIS = 2_000;
  private static final int SIGNIFICANT_DIGITS = 3;

  /**
   * Connects several times, for at most 10 s in all and 2 s for each; the name of the host is
   * resolved before. The calling thread waits.
   *
   * @throws QuorateException if no connect succeeds
   */
  public static ConnectProbe run(Endpoint endpoint, int times) {
    return run(endpoint, times, LIMIT);
  }

  static ConnectProbe run(Endpoint endpoint, int times, Duration limit) {
    InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
    Histogram nanos = new Histogram(SIGNIFICANT_DIGITS);
    Histogram own = new Histogram(SIGNIFICANT_DIGITS);
    int failures = 0;
    String reason = "no time was left";
    long begin = System.nanoTime();
    for (int i = 0; i < times; i++) {
      long left = TimeUnit.NANOSECONDS.toMillis(limit.toNanos() - (System.nanoTime() - begin));
      if (left < 1) {
        break;
      }
      try {
        nanos.recordValue(connect(address, (int) Math.min(CONNECT_LIMIT_MILLIS, left)));
        own.recordValue(connectToItself());
      } catch (IOException refused) {
        failures++;
        reason = address.isUnresolved() ? "unknown host" : FileFailure.reason(refused);
      }
    }
    if (nanos.getTotalCount() == 0) {
      throw new QuorateException(endpoint + " cannot be reached: " + reason);
    }
    return new ConnectProbe(nanos, own, failures);
  }

  private static long connect(InetSocketAddress address, int limitMillis) throws IOException {
    try (Socket socket = new Socket(Proxy.NO_PROXY)) {
      long start = System.nanoTime();
      socket.connect(address, limitMillis);
      return System.nanoTime() - start;
    }
  }

  private static long connectToItself() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address =
          new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
      return connect(address, CONNECT_LIMIT_MILLIS);
    }
  }
}
