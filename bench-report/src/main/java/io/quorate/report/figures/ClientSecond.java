// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.measure.Latencies;
import java.util.OptionalLong;

/**
 * A second of the clients: of a step, or of their timeline, which has every second from the first
 * to the last.
 *
 * @param clients number of clients of the last step with requests in this or an earlier second; of
 *     an open loop the number of connections
 * @param minMs least latency; NaN if not measured, like the other two
 * @param throughput number of successful requests that were sent in it; empty if not measured
 * @param coveredSeconds part of the second in which requests were sent, 0 to 1
 * @param requested whether the clients' file contains it; false for pauses between steps
 */
public record ClientSecond(
    long unixSecond,
    long clients,
    double minMs,
    double averageMs,
    double maxMs,
    OptionalLong throughput,
    double coveredSeconds,
    boolean requested) {

  private static final double NANOS_PER_MS = 1e6;

  /** Returns a second of a step; its mean is truncated to whole nanoseconds, as dbtester does. */
  static ClientSecond of(
      long unixSecond, long clients, Latencies successes, double coveredSeconds) {
    boolean missing = successes.count() == 0;
    return new ClientSecond(
        unixSecond,
        clients,
        missing ? Double.NaN : successes.minNanos() / NANOS_PER_MS,
        missing ? Double.NaN : successes.sumNanos() / successes.count() / NANOS_PER_MS,
        missing ? Double.NaN : successes.maxNanos() / NANOS_PER_MS,
        OptionalLong.of(successes.count()),
        coveredSeconds,
        true);
  }

  static ClientSecond pause(long unixSecond, long clients) {
    return new ClientSecond(
        unixSecond, clients, Double.NaN, Double.NaN, Double.NaN, OptionalLong.empty(), 0, false);
  }

  /**
   * Merges this row with a later one of the same second, where a step ended and the next one began.
   */
  ClientSecond and(ClientSecond later) {
    return new ClientSecond(
        unixSecond,
        later.clients,
        least(minMs, later.minMs),
        mean(later),
        most(maxMs, later.maxMs),
        OptionalLong.of(count() + later.count()),
        Math.min(1, coveredSeconds + later.coveredSeconds),
        true);
  }

  private static double least(double a, double b) {
    return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b);
  }

  static double most(double a, double b) {
    return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
  }

  private double mean(ClientSecond other) {
    if (Double.isNaN(averageMs) || Double.isNaN(other.averageMs)) {
      return Double.isNaN(averageMs) ? other.averageMs : averageMs;
    }
    double sum = averageMs * count() + other.averageMs * other.count();
    return sum / (count() + other.count());
  }

  /** Returns how many of the requests sent in it succeeded. */
  public long count() {
    return throughput.orElse(0);
  }

  double throughputNumber() {
    return throughput.isPresent() ? throughput.getAsLong() : Double.NaN;
  }
}
