// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Ends all waiting of a thread. Safe for several threads. */
final class StopSignal {
  private final CountDownLatch stopped = new CountDownLatch(1);

  void stop() {
    stopped.countDown();
  }

  boolean isStopped() {
    return stopped.getCount() == 0;
  }

  /** Waits until a nano time; returns false if this was stopped meanwhile. */
  boolean sleepUntil(long nanos) {
    try {
      return !stopped.await(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Waits until a condition holds; returns false at a nano time, or if this was stopped. */
  boolean await(BooleanSupplier condition, long deadline, Duration poll) {
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0 || !sleepUntil(System.nanoTime() + poll.toNanos())) {
        return false;
      }
    }
    return true;
  }
}
