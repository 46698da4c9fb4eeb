// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.time.Duration;

/** A pause between two checks of a condition that is waited for. */
public final class Pause {
  private Pause() {}

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
