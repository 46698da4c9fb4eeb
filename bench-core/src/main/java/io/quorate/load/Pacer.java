package io.quorate.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Hands out requests when they are due, or a little earlier to whoever keeps them until then, on
 * the thread that runs it, without waiting for any. After a stall of this thread it catches up at
 * no more than twice the rate, so that the servers do not get a burst that nobody asked for.
 */
final class Pacer {
  /** Lateness that counts as a stall of this process, not as the coarseness of a wake-up. */
  static final long STALL_NANOS = 10_000_000;

  /** Lateness at which it has caught up. */
  private static final long CAUGHT_UP_NANOS = STALL_NANOS / 10;

  /** A sleeping thread wakes up about this late, so the last of the wait is spent awake. */
  private static final long AWAKE_NANOS = 50_000;

  /** Being awake takes at most this share of one processor, which servers may need. */
  private static final double AWAKE_SHARE = 0.05;

  private static final double NANOS_PER_SECOND = 1e9;

  private final DueTimes dueTimes;
  private final long requests;
  private final long catchUpNanos;
  private final long mostAwakeNanos;
  private long stalls;
  private long longestStallNanos;

  /**
   * @param requests how many are handed out
   */
  Pacer(DueTimes dueTimes, long ratePerSecond, long requests) {
    this.dueTimes = dueTimes;
    this.requests = requests;
    this.catchUpNanos = Math.round(NANOS_PER_SECOND / (2.0 * ratePerSecond));
    this.mostAwakeNanos = mostAwakeNanos(ratePerSecond);
  }

  /** Returns the time for which a thread may be awake before each request is due. */
  static long mostAwakeNanos(long ratePerSecond) {
    return Math.round(AWAKE_SHARE * NANOS_PER_SECOND / ratePerSecond);
  }

  /**
   * Hands out all requests, from now on.
   *
   * @param leadNanos how long before it is due a request is handed out; 0 for when it is due
   * @param cancelled whether to stop before the next one
   * @param send is given the time of the nano clock at which a request is due
   */
  void run(long leadNanos, BooleanSupplier cancelled, LongConsumer send) {
    // whoever keeps a request until it is due does not mind when this thread wakes up
    long awakeNanos = leadNanos > 0 ? 0 : Math.min(AWAKE_NANOS, mostAwakeNanos);
    long beginNanos = System.nanoTime();
    boolean catchingUp = false;
    long earliestNanos = beginNanos;
    for (long i = 0; i < requests && !cancelled.getAsBoolean(); i++) {
      long dueNanos = beginNanos + dueTimes.next();
      long nowNanos = await(dueNanos - leadNanos, awakeNanos, cancelled);
      long lateNanos = nowNanos - dueNanos;
      if (lateNanos >= STALL_NANOS) {
        longestStallNanos = Math.max(longestStallNanos, lateNanos);
      }
      if (lateNanos >= STALL_NANOS && !catchingUp) {
        catchingUp = true;
        stalls++;
        earliestNanos = nowNanos;
      } else if (lateNanos < CAUGHT_UP_NANOS) {
        catchingUp = false;
      }
      if (catchingUp) {
        nowNanos = await(earliestNanos, awakeNanos, cancelled);
        earliestNanos = Math.max(earliestNanos, nowNanos - CAUGHT_UP_NANOS) + catchUpNanos;
      }
      if (!cancelled.getAsBoolean()) { // else it may have stopped waiting before it is due
        send.accept(dueNanos);
      }
    }
  }

  private static long await(long dueNanos, long awakeNanos, BooleanSupplier cancelled) {
    long nowNanos = System.nanoTime();
    while (nowNanos - dueNanos < 0 && !cancelled.getAsBoolean()) {
      long sleepNanos = dueNanos - nowNanos - awakeNanos;
      if (sleepNanos > 0) {
        LockSupport.parkNanos(sleepNanos);
      } else {
        Thread.onSpinWait();
      }
      nowNanos = System.nanoTime();
    }
    return nowNanos;
  }

  /** Returns how often this process fell behind its schedule, after the run. */
  long stalls() {
    return stalls;
  }

  /** Returns by how much it fell behind at most, after the run. */
  long longestStallNanos() {
    return longestStallNanos;
  }
}
