// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.DaemonThreads;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Runs an action on a separate thread in every second of the wall clock, at a fixed offset within
 * the second. If the action takes longer than a second, or the clock is set back, seconds are left
 * out; none comes twice.
 */
final class EverySecond implements AutoCloseable {
  private static final long SECOND_NANOS = 1_000_000_000;

  private final Clock clock;
  private final long offsetNanos;
  private final LongConsumer action;
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread;
  private long last;

  /**
   * Starts the thread; the first second is the next one.
   *
   * @param offsetNanos offset after the beginning of each second, less than a second
   * @param action receives the Unix second; must not throw
   */
  EverySecond(String name, Clock clock, long offsetNanos, LongConsumer action) {
    this.clock = clock;
    this.offsetNanos = offsetNanos;
    this.action = action;
    this.last = clock.instant().getEpochSecond();
    this.thread = DaemonThreads.start(name, this::run);
  }

  private void run() {
    try {
      while (!end.await(untilNextNanos(), TimeUnit.NANOSECONDS)) {
        long second = clock.instant().getEpochSecond();
        if (second > last) {
          last = second;
          action.accept(second);
        }
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  private long untilNextNanos() {
    long left = offsetNanos - clock.instant().getNano();
    return left > 0 ? left : left + SECOND_NANOS;
  }

  /** Stops the thread and waits until the current action has ended. */
  @Override
  public void close() {
    end.countDown();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException asked) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
