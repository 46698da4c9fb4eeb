package io.quorate;

import java.time.Duration;

/** A pause between two looks at something that is waited for. */
public final class Pause {
  private Pause() {}

  /** Sleeps; if interrupted, throws what is waited for, and the thread stays interrupted. */
  public static void of(Duration time, String what) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted while waiting for " + what, interrupt);
    }
  }
}
