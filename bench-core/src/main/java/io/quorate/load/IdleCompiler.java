// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** The JVM's compiler, which competes with load and servers for CPUs. */
final class IdleCompiler {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private static final long LOOK_MILLIS = 100;

  /** CPU time between two checks that still counts as idle, as samplers use some. */
  private static final long QUIET_NANOS = 15_000_000;

  private static final int QUIET_LOOKS = 3;

  private IdleCompiler() {}

  /**
   * Waits until it is idle, but no longer than {@link #LIMIT}. It checks the CPU time of the whole
   * process: the JVM counts the time of a method only after its compilation, which may take most of
   * a second. The process should be idle otherwise.
   */
  static void await() {
    OperatingSystemMXBean process =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long deadline = System.nanoTime() + LIMIT.toNanos();
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
