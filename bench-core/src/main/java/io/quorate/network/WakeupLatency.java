package io.quorate.network;

import io.netty.channel.EventLoop;
import java.util.Arrays;

/**
 * Makes up for the time in which the relay's thread wakes up. While little is on its way that
 * thread sleeps most of the time, so it reads bytes some ten microseconds after they came, and is
 * late for what it has to deliver, the later the longer it slept. For that thread, but for {@link
 * #measure}.
 */
final class WakeupLatency {
  private static final int COLD = 30;
  private static final int MEASURED = 31;
  private static final long ASLEEP_MILLIS = 2;
  private static final int MEASURED_LONG = 9;
  private static final long LONG_ASLEEP_MILLIS = 25;
  private static final double NANOS_PER_MILLI = 1e6;

  /** The most that it makes up for: on a machine that is not busy the thread wakes sooner. */
  private static final long MAX_NANOS = 40_000;

  /** The same of what waking takes longer after {@link #LONG_ASLEEP_MILLIS}. */
  private static final long MAX_LONGER_NANOS = 150_000;

  /** Part of the time to wake for a task that it takes to wake for bytes, about. */
  private static final double BYTES_PART = 0.6;

  /** Time by which it has to be woken earlier at least, and at most. */
  private static final long MIN_AHEAD_NANOS = 40_000;

  private static final long MAX_AHEAD_NANOS = 1_000_000;

  /** The longer it sleeps, the later it wakes: by about this part of the time. */
  private static final long PART = 32;

  private final InFlightBytes buffered;
  private volatile long nanos;
  private volatile long longerNanos;

  /**
   * @param buffered tells whether so little is on its way that the thread sleeps
   */
  WakeupLatency(InFlightBytes buffered) {
    this.buffered = buffered;
  }

  /** Measures how long the thread takes to wake when it is told to, for half a second. */
  void measure(EventLoop loop) throws InterruptedException {
    median(loop, COLD, ASLEEP_MILLIS);
    long soon = median(loop, MEASURED, ASLEEP_MILLIS);
    long late = median(loop, MEASURED_LONG, LONG_ASLEEP_MILLIS);
    nanos = Math.min(MAX_NANOS, Math.round(BYTES_PART * soon));
    longerNanos = Math.min(MAX_LONGER_NANOS, Math.max(0, late - soon));
  }

  private static long median(EventLoop loop, int count, long asleepMillis)
      throws InterruptedException {
    long[] taken = new long[count];
    for (int i = 0; i < count; i++) {
      Thread.sleep(asleepMillis);
      long told = System.nanoTime();
      int at = i;
      loop.submit(() -> taken[at] = System.nanoTime() - told).sync();
    }
    Arrays.sort(taken);
    return taken[count / 2];
  }

  /**
   * Returns when bytes came that are being read now, on the nano clock. It is earlier for a slow
   * link, by the time that a receiver takes longer to wake which has waited for it.
   *
   * @param delayNanos of the link
   */
  long arrivalNanos(long delayNanos) {
    double slow = Math.min(1, delayNanos / (LONG_ASLEEP_MILLIS * NANOS_PER_MILLI));
    long early = nanos + Math.round(slow * longerNanos);
    return System.nanoTime() - (buffered.isQuiet() ? early : 0);
  }

  /** Returns how much earlier the thread is to be woken that sleeps so long. */
  long aheadNanos(long sleepNanos) {
    return buffered.isQuiet() ? Math.min(MAX_AHEAD_NANOS, MIN_AHEAD_NANOS + sleepNanos / PART) : 0;
  }
}
