// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.time.Duration;

/** A pause between two checks of a condition that is waited for. */
public final class Pause {
  /** Something that a thread waits for. */
  @FunctionalInterface
  public interface Wait {
    void run() throws InterruptedException;
  }

  private Pause() {}

  /** Waits until something has happened, or the thread is interrupted, which it stays. */
  public static void until(Wait wait) {
    try {
      wait.run();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Sleeps. If interrupted, throws an exception that names what is waited for; the thread stays
   * interrupted.
   */
  public static void of(Duration time, String what) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted while waiting for " + what, interrupt);
    }
  }
}
