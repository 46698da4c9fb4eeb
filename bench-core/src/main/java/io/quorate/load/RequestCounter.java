// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The requests that the clients of a loop share, numbered without gaps, up to a number and up to a
 * time. Safe for several threads.
 */
public final class RequestCounter {
  static final long NONE_LEFT = -1;

  private final long end;
  private final AtomicLong next;
  private volatile long untilNanos;
  private volatile boolean ends;
  private volatile boolean cancelled;
  private volatile long cancelledAt = Long.MAX_VALUE;

  public RequestCounter(long firstIndex, long requests) {
    this.next = new AtomicLong(firstIndex);
    this.end = firstIndex + requests;
  }

  /** Prevents requests from starting after this time of the nano clock. */
  void endAt(long nanos) {
    untilNanos = nanos;
    ends = true;
  }

  /** Returns a time, or how long requests still start if that is less. */
  long nanosAtMost(long nanos) {
    return ends ? Math.max(0, Math.min(nanos, untilNanos - System.nanoTime())) : nanos;
  }

  /** Takes the number of the next request; negative if none is left. */
  long take() {
    if (next.get() >= end || ends && System.nanoTime() - untilNanos >= 0) {
      return NONE_LEFT;
    }
    long index = next.getAndIncrement();
    return index < end ? index : NONE_LEFT;
  }

  public void cancel() {
    cancelled = true;
    long index = next.getAndSet(end);
    if (index < end) {
      cancelledAt = index;
    }
  }

  /** Returns the number after the last one taken so far. */
  long next() {
    return Math.min(cancelledAt, Math.min(next.get(), end));
  }

  boolean isCancelled() {
    return cancelled;
  }
}
