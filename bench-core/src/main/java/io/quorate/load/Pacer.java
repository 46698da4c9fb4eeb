package io.quorate.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Hands out requests when they are due, on the thread that runs it, without waiting for any. After
 * a stall of this thread it catches up at no more than twice the rate, so that the servers do not
 * get a burst that nobody asked for.
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
  private final long awakeNanos;
  private long stalls;
  private long longestStallNanos;

  /**
   * @param requests how many are handed out
   */
  Pacer(DueTimes dueTimes, long ratePerSecond, long requests) {
    this.dueTimes = dueTimes;
    this.requests = requests;
    this.catchUpNanos = Math.round(NANOS_PER_SECOND / (2.0 * ratePerSecond));
    this.awakeNanos =
        Math.min(AWAKE_NANOS, Math.round(AWAKE_SHARE * NANOS_PER_SECOND / ratePerSecond));
  }

  /**
   * Hands out all requests, from now on.
   *
   * @param cancelled whether to stop before the next one
   * @param send is given the time of the nano clock at which a request was due
   */
  void run(BooleanSupplier cancelled, LongConsumer send) {
    long beginNanos = System.nanoTime();
    boolean catchingUp = false;
    long earliestNanos = beginNanos;
    for (long i = 0; i < requests && !cancelled.getAsBoolean(); i++) {
      long dueNanos = beginNanos + dueTimes.next();
      long nowNanos = await(dueNanos, cancelled);
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
        nowNanos = await(earliestNanos, cancelled);
        earliestNanos = Math.max(earliestNanos, nowNanos - CAUGHT_UP_NANOS) + catchUpNanos;
      }
      if (!cancelled.getAsBoolean()) { // else it may have stopped waiting before it is due
        send.accept(dueNanos);
      }
    }
  }

  private long await(long dueNanos, BooleanSupplier cancelled) {
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
