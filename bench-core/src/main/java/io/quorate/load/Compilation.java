package io.quorate.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Waits for the JVM's compiler, which takes processors from the load and the servers while it
 * works. It is seen by the processor time of the whole process, since the JVM counts the time of a
 * method only when it is compiled, which may take most of a second.
 */
final class Compilation {
  private static final long LOOK_MILLIS = 100;

  /** Processor time between two looks that still counts as quiet, as samplers take some. */
  private static final long QUIET_NANOS = 15_000_000;

  private static final int QUIET_LOOKS = 3;

  private Compilation() {}

  /** Waits until hot code has been compiled, or until the limit. Nothing else should be at work. */
  static void awaitQuiet(Duration limit) {
    OperatingSystemMXBean process =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long deadline = System.nanoTime() + limit.toNanos();
    long before = process.getProcessCpuTime();
    int quiet = 0;
    while (quiet < QUIET_LOOKS && System.nanoTime() < deadline) {
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException asked) {
        Thread.currentThread().interrupt();
        return;
      }
      long now = process.getProcessCpuTime();
      quiet = now - before <= QUIET_NANOS ? quiet + 1 : 0;
      before = now;
    }
  }
}
