package io.quorate.load;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Waits for the JVM's compiler, which takes processors from the load and the servers while it
 * works.
 */
final class Compilation {
  private static final long LOOK_MILLIS = 100;

  /** Compile time between two checks, in milliseconds, that still counts as quiet. */
  private static final long QUIET_MILLIS = 5;

  private static final int QUIET_LOOKS = 3;

  private Compilation() {}

  /** Waits until hot code has been compiled, or until the limit. */
  static void awaitQuiet(Duration limit) {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    if (compiler == null || !compiler.isCompilationTimeMonitoringSupported()) {
      return;
    }
    long deadline = System.nanoTime() + limit.toNanos();
    long before = compiler.getTotalCompilationTime();
    int quiet = 0;
    while (quiet < QUIET_LOOKS && System.nanoTime() < deadline) {
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException asked) {
        Thread.currentThread().interrupt();
        return;
      }
      long now = compiler.getTotalCompilationTime();
      quiet = now - before <= QUIET_MILLIS ? quiet + 1 : 0;
      before = now;
    }
  }
}
