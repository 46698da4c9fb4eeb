package io.quorate.gatling;

import java.util.concurrent.atomic.AtomicLong;

/** The requests that the clients of a loop share, numbered without gaps. Any thread. */
final class Budget {
  private static final long NONE_LEFT = -1;

  private final long end;
  private final AtomicLong next;
  private volatile boolean cancelled;

  Budget(long firstIndex, long requests) {
    this.next = new AtomicLong(firstIndex);
    this.end = firstIndex + requests;
  }

  /** Takes the number of the next request; negative when there is none left. */
  long take() {
    if (next.get() >= end) {
      return NONE_LEFT;
    }
    long index = next.getAndIncrement();
    return index < end ? index : NONE_LEFT;
  }

  /** Prevents further requests from starting. */
  void cancel() {
    cancelled = true;
    next.set(end);
  }

  boolean isCancelled() {
    return cancelled;
  }
}
