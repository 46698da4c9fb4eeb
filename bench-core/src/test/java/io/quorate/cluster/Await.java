// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition, with a generous limit. */
public final class Await {
  private Await() {}

  /** Returns as soon as the condition holds; fails the test if it does not within the limit. */
  public static void until(String what, Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + limit.toSeconds() + " s: " + what);
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting until " + what, interrupt);
      }
    }
  }
}
