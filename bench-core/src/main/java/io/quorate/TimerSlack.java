// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Asks Linux to wake a thread at the time it waits for. Without that it is woken up to 50
 * microseconds later, so that it can be woken together with others.
 */
public final class TimerSlack {
  private static final String SLACK_NANOS = "1";

  private TimerSlack() {}

  /** Sets this for the current thread; if the system refuses, waits are less precise. */
  public static void ask() {
    try {
      Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
      Files.writeString(Path.of("/proc").resolve(thread).resolve("timerslack_ns"), SLACK_NANOS);
    } catch (IOException unknown) {
      return;
    }
  }
}
