// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.load.workload.WarmUp;
import io.quorate.measure.GeneratorDelay;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;

/**
 * Decides when the warm-up is over: after {@link #LEAST}, as soon as the CPU per request has
 * stopped falling and the JVM hardly compiles; after {@link WarmUp#LONGEST} in any case. It
 * compares two windows with the two before them, since the samplers make single windows differ. For
 * one thread.
 */
public final class SteadyState {
  public static final Duration LEAST = Duration.ofSeconds(5);

  private static final long WINDOW_NANOS = 1_000_000_000;

  /** Part of the CPU per request of the windows before that the last ones must at least need. */
  private static final double STABLE = 0.9;

  private static final int COMPARED = 2;

  private static final Cost NOTHING = new Cost(0, 0, 0, 0);

  private final Deque<Cost> windows = new ArrayDeque<>();
  private Cost window = NOTHING;
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
  }

  /** Adds the cost of further requests. */
  void add(Cost cost) {
    totalNanos += cost.nanos();
    window = window.plus(cost);
    if (window.nanos() >= WINDOW_NANOS) {
      windows.add(window);
      window = NOTHING;
      if (windows.size() > 2 * COMPARED) {
        windows.remove();
      }
    }
  }

  boolean isReached() {
    return totalNanos >= WarmUp.LONGEST.toNanos() || totalNanos >= LEAST.toNanos() && isStable();
  }

  private static Cost sum(Stream<Cost> costs) {
    return costs.reduce(NOTHING, Cost::plus);
  }

  private boolean isStable() {
    if (windows.size() < 2 * COMPARED) {
      return false;
    }
    Cost before = sum(windows.stream().limit(COMPARED));
    return sum(windows.stream().skip(COMPARED)).cpuPerRequest() >= STABLE * before.cpuPerRequest()
        && windows.stream()
            .skip(COMPARED)
            .noneMatch(each -> GeneratorDelay.isCompiling(each.compileNanos(), each.nanos()));
  }
}
