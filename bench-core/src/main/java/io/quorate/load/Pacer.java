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

  private static final double NANOS_PER_SECOND = 1e9;

  private final DueTimes dueTimes;
  private final long requests;
  private final long catchUpNanos;
  private long stalls;
  private long longestStallNanos;

  /**
   * @param requests how many are handed out
   */
  Pacer(DueTimes dueTimes, long ratePerSecond, long requests) {
    this.dueTimes = dueTimes;
    this.requests = requests;
    this.catchUpNanos = Math.round(NANOS_PER_SECOND / (2.0 * ratePerSecond));
  }

  /**
   * Hands out all requests, from now on.
   *
   * @param leadNanos how long before it is due a request is handed out; 0 for when it is due
   * @param awakeNanos how much of the wait for each request is spent awake
   * @param cancelled whether to stop before the next one
   * @param send is given the time of the nano clock at which a request is due
   */
  void run(long leadNanos, long awakeNanos, BooleanSupplier cancelled, LongConsumer send) {
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
