// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the rate at which all clients of a closed loop together send requests. Unused slots are
 * lost. Safe for several threads.
 */
public final class RateLimiter {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Interval between two requests; 0 without a limit. */
  private final long intervalNanos;

  private final AtomicLong nextNanos = new AtomicLong(Long.MIN_VALUE);

  public RateLimiter(OptionalLong perSecond) {
    this.intervalNanos =
        perSecond.isPresent() ? Math.round(NANOS_PER_SECOND / perSecond.getAsLong()) : 0;
  }

  /** Takes the next slot for a request, and returns how long to wait for it; 0 to send it now. */
  long waitNanos(long nowNanos) {
    if (intervalNanos == 0) {
      return 0;
    }
    while (true) {
      long next = nextNanos.get();
      long slot = next == Long.MIN_VALUE || next - nowNanos < 0 ? nowNanos : next;
      if (nextNanos.compareAndSet(next, slot + intervalNanos)) {
        return slot - nowNanos;
      }
    }
  }
}
