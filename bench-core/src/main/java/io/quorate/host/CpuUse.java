package io.quorate.host;

/** Computes the CPU use of processes from one reading to the next one; 100 is one core. */
final class CpuUse {
  /** Shortest interval that has a percentage, as CPU times come in steps of 10 ms. */
  private static final long MIN_INTERVAL_NANOS = 100_000_000;

  private long cpuMillis;
  private long nanoTime;
  private boolean begun;

  /**
   * Returns the mean since the previous reading. Negative if there was none, or if it was less than
   * a tenth of a second ago; the next interval begins with this reading in any case.
   *
   * @param millis user and system time since the start of the processes
   * @param now time of the nano clock
   */
  double percent(long millis, long now) {
    double percent = -1;
    if (begun) {
      if (now - nanoTime < MIN_INTERVAL_NANOS) {
        return -1;
      }
      percent = (millis - cpuMillis) * 1e6 / (now - nanoTime) * 100;
    }
    begun = true;
    cpuMillis = millis;
    nanoTime = now;
    return percent;
  }
}
