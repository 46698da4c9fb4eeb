// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.measure.GeneratorDelay;
import java.time.Duration;

/**
 * Decides when the warm-up is over: after {@link #LEAST}, as soon as two windows in a row cost as
 * much CPU per request as the window before and the JVM hardly compiled in them; after {@link
 * #MOST} in any case. For one thread.
 */
public final class SteadyState {
  public static final Duration LEAST = Duration.ofSeconds(5);
  public static final Duration MOST = Duration.ofSeconds(30);

  private static final long WINDOW_NANOS = 1_000_000_000;

  /** Greatest relative difference of the CPU per request of two windows that are alike. */
  private static final double ALIKE = 0.1;

  private static final int ENOUGH = 2;

  private Cost window = new Cost(0, 0, 0, 0);
  private double lastCpuPerRequest;
  private int alike;
  private long totalNanos;

  /**
   * The cost of some requests to this process.
   *
   * @param nanos duration
   * @param compileNanos time that the JVM compiled
   */
  record Cost(long requests, long nanos, long cpuNanos, long compileNanos) {
    Cost plus(Cost other) {
      return new Cost(
          requests + other.requests,
          nanos + other.nanos,
          cpuNanos + other.cpuNanos,
          compileNanos + other.compileNanos);
    }

    private double cpuPerRequest() {
      return (double) cpuNanos / Math.max(1, requests);
    }

    private boolean isLike(double cpuPerRequest) {
      return Math.abs(cpuPerRequest() - cpuPerRequest) <= ALIKE * cpuPerRequest
          && !GeneratorDelay.isCompiling(compileNanos, nanos);
    }
  }

  /** Adds the cost of further requests. */
  void add(Cost cost) {
    totalNanos += cost.nanos();
    window = window.plus(cost);
    if (window.nanos() >= WINDOW_NANOS) {
      alike = window.isLike(lastCpuPerRequest) ? alike + 1 : 0;
      lastCpuPerRequest = window.cpuPerRequest();
      window = new Cost(0, 0, 0, 0);
    }
  }

  boolean isReached() {
    return totalNanos >= MOST.toNanos() || totalNanos >= LEAST.toNanos() && alike >= ENOUGH;
  }
}
