// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Records times in nanoseconds, up to an hour; a longer one is recorded as an hour. Returns
 * histograms of each interval, of parts of intervals, and of all times.
 *
 * <p>Recording is safe from any thread, without locks or allocation. {@link #part()}, {@link
 * #interval()} and {@link #total()} belong to one reading thread at a time.
 */
public final class LatencyRecorder {
  /** Significant digits of all histograms of times. */
  public static final int SIGNIFICANT_DIGITS = 3;

  /** Longest recorded time; longer ones are recorded as this. */
  public static final long MAX_NANOS = 3_600_000_000_000L;

  private Histogram total = new Histogram(SIGNIFICANT_DIGITS);
  private Recorder recorder = new Recorder(MAX_NANOS, SIGNIFICANT_DIGITS);
  private @Nullable Histogram part;
  private Histogram interval = new Histogram(SIGNIFICANT_DIGITS);
  private Histogram next = new Histogram(SIGNIFICANT_DIGITS);

  /**
   * Records a time, not below 0.
   *
   * @throws IndexOutOfBoundsException if the time is below 0
   */
  public void record(long nanos) {
    recorder.recordValue(Math.min(nanos, MAX_NANOS));
  }

  /**
   * Returns the times since the last call of this method or of {@link #interval()}, with time
   * stamps of both calls. They also count in the interval. The histogram is valid until the next
   * call.
   */
  public Histogram part() {
    part = recorder.getIntervalHistogram(part);
    interval.add(part);
    return part;
  }

  /**
   * Returns the times since the last call, with time stamps of both calls. The histogram is valid
   * until the next call.
   */
  public Histogram interval() {
    part();
    Histogram ended = interval;
    total.add(ended);
    interval = next;
    interval.reset();
    next = ended;
    return ended;
  }

  /** Returns all times up to the last interval. */
  public Histogram total() {
    return total.copy();
  }

  /** Releases the memory; nothing can be recorded or returned any more. */
  @SuppressWarnings("NullAway") // not used afterwards; every request would pay for checks
  void release() {
    total = null;
    recorder = null;
    part = null;
    interval = null;
    next = null;
  }
}
