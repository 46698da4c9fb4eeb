package io.quorate.measure;

import java.time.Instant;

/**
 * Time during a run: durations come from the nano clock only; the wall clock is read once, at the
 * start, and tells which second of the calendar a nano time belongs to. Immutable.
 *
 * @param originUnixNanos nanoseconds since 1970 at nano time {@code originNanos}
 */
public record RunClock(long originUnixNanos, long originNanos) {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** A clock that starts now. */
  public static RunClock start() {
    Instant now = Instant.now();
    return new RunClock(now.getEpochSecond() * NANOS_PER_SECOND + now.getNano(), System.nanoTime());
  }

  /** Nanoseconds since 1970 at a time of the nano clock. */
  public long unixNanos(long nanos) {
    return originUnixNanos + (nanos - originNanos);
  }

  /** The nano time at which a second since 1970 begins. */
  long secondStart(long unixSecond) {
    return unixSecond * NANOS_PER_SECOND - originUnixNanos + originNanos;
  }

  long unixSecond(long nanos) {
    return Math.floorDiv(unixNanos(nanos), NANOS_PER_SECOND);
  }
}
