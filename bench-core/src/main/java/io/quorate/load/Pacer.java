// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Hands out requests on schedule, on the calling thread, without waiting for their end. It sleeps
 * between them, in the same way at every rate. After a stall of this thread it catches up at no
 * more than twice the rate, so that the servers do not get an unintended burst.
 */
final class Pacer {
  /** Lateness below which it has caught up. */
  private static final long CAUGHT_UP_NANOS = LoadGeneratorStall.MIN_NANOS / 10;

  private static final double NANOS_PER_SECOND = 1e9;

  private final DueTimes dueTimes;
  private final long requests;
  private final long catchUpNanos;
  private final LongSupplier clock;
  private final LongConsumer sleep;
  private final List<LoadGeneratorStall> stalls = new ArrayList<>();
  private boolean behind;

  Pacer(DueTimes dueTimes, long ratePerSecond, long requests) {
    this(dueTimes, ratePerSecond, requests, System::nanoTime, LockSupport::parkNanos);
  }

  /**
   * Creates a pacer.
   *
   * @param clock provides the time in nanoseconds
   * @param sleep sleeps for about this number of nanoseconds
   */
  Pacer(
      DueTimes dueTimes,
      long ratePerSecond,
      long requests,
      LongSupplier clock,
      LongConsumer sleep) {
    this.clock = clock;
    this.sleep = sleep;
    this.dueTimes = dueTimes;
    this.requests = requests;
    this.catchUpNanos = Math.round(NANOS_PER_SECOND / (2.0 * ratePerSecond));
  }

  /**
   * Hands out all requests, from now on.
   *
   * @param cancelled whether to stop before the next one
   * @param send receives the scheduled send time of each request, by the nano clock
   */
  void run(BooleanSupplier cancelled, LongConsumer send) {
    long beginNanos = clock.getAsLong();
    long earliestNanos = beginNanos;
    for (long i = 0; i < requests && !cancelled.getAsBoolean(); i++) {
      long dueNanos = beginNanos + dueTimes.next();
      long nowNanos = await(dueNanos, cancelled);
      long lateNanos = nowNanos - dueNanos;
      if (lateNanos >= LoadGeneratorStall.MIN_NANOS) {
        if (!behind) {
          behind = true;
          earliestNanos = nowNanos;
          stalls.add(new LoadGeneratorStall(dueNanos, nowNanos, 0));
        } else if (lateNanos > present().nanos()) {
          extend(nowNanos - lateNanos, nowNanos);
        }
      } else if (lateNanos < CAUGHT_UP_NANOS) {
        behind = false;
      }
      if (behind) {
        nowNanos = await(earliestNanos, cancelled);
        earliestNanos = Math.max(earliestNanos, nowNanos - CAUGHT_UP_NANOS) + catchUpNanos;
      }
      // if cancelled, it may have stopped waiting before the scheduled send time
      if (!cancelled.getAsBoolean()) {
        send.accept(dueNanos);
      }
    }
  }

  private long await(long dueNanos, BooleanSupplier cancelled) {
    long nowNanos = clock.getAsLong();
    while (nowNanos - dueNanos < 0 && !cancelled.getAsBoolean()) {
      sleep.accept(dueNanos - nowNanos);
      nowNanos = clock.getAsLong();
    }
    return nowNanos;
  }

  private LoadGeneratorStall present() {
    return stalls.get(stalls.size() - 1);
  }

  /** Replaces the current stall by one that fell further behind before the pacer had caught up. */
  private void extend(long startNanos, long endNanos) {
    stalls.set(
        stalls.size() - 1, new LoadGeneratorStall(startNanos, endNanos, present().dropped()));
  }

  /** Counts a dropped request; only the thread of {@link #run} may call this. */
  void dropped() {
    if (behind) {
      LoadGeneratorStall present = present();
      stalls.set(
          stalls.size() - 1,
          new LoadGeneratorStall(present.startNanos(), present.endNanos(), present.dropped() + 1));
    }
  }

  /** Returns the times when it fell behind its schedule, after the run. */
  List<LoadGeneratorStall> stalls() {
    return List.copyOf(stalls);
  }
}
