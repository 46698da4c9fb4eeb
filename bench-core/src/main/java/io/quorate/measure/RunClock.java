// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;

/**
 * Provides the time during a run. Durations come from the nano clock only; the wall clock is read
 * once, at the start, to convert nano times to calendar time. Immutable.
 *
 * @param originUnixNanos nanoseconds since 1970 at nano time {@code originNanos}
 */
public record RunClock(long originUnixNanos, long originNanos) {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  public static RunClock start() {
    Instant now = Instant.now();
    return new RunClock(now.getEpochSecond() * NANOS_PER_SECOND + now.getNano(), System.nanoTime());
  }

  /** Converts a time of the nano clock to nanoseconds since 1970. */
  public long unixNanos(long nanos) {
    return originUnixNanos + (nanos - originNanos);
  }

  /**
   * Returns a clock with the same time, for records that are shown next to the requests. It is not
   * affected if the clock of the machine is set meanwhile.
   */
  public Clock asClock() {
    InstantSource continued = () -> Instant.ofEpochSecond(0, unixNanos(System.nanoTime()));
    return continued.withZone(ZoneOffset.UTC);
  }

  /** Returns the nano time at which a second since 1970 begins. */
  long secondStart(long unixSecond) {
    return unixSecond * NANOS_PER_SECOND - originUnixNanos + originNanos;
  }

  long unixSecond(long nanos) {
    return Math.floorDiv(unixNanos(nanos), NANOS_PER_SECOND);
  }
}
