// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.util.OptionalDouble;
import oshi.hardware.CentralProcessor;

/**
 * The utilization of all CPUs of this machine between two readings, from OSHI's ticks. Each
 * instance has its own previous reading. The JVM's {@code getCpuLoad} has one for the whole
 * process, so two of its users would shorten each other's intervals. For one thread.
 */
public final class HostCpu {
  private final CentralProcessor processor = Machine.systemInfo().getHardware().getProcessor();
  private long[] ticks = processor.getSystemCpuLoadTicks();

  /** Begins an interval, which ends with the next call of {@link #busy}. */
  public void begin() {
    ticks = processor.getSystemCpuLoadTicks();
  }

  /**
   * Returns the utilization since the last beginning, and begins the next interval.
   *
   * @return 0 to 1, the mean of all CPUs; empty if less than a tick has passed
   */
  public OptionalDouble busy() {
    long[] before = ticks;
    begin();
    long total = 0;
    for (int i = 0; i < ticks.length; i++) {
      total += ticks[i] - before[i];
    }
    return total <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(processor.getSystemCpuLoadBetweenTicks(before, ticks));
  }
}
