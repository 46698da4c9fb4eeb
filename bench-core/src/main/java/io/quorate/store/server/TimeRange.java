// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import io.quorate.format.NumberFormats;

/** The shortest and the longest time that is expected. */
public record TimeRange(double leastMs, double mostMs) {
  /** Time for an election and the first request, once members know that they need a leader. */
  private static final double SETTLING_MS = 500;

  private static final double MS_PER_SECOND = 1000;

  /** Returns a range with additional time for an election and the first request. */
  public static TimeRange settling(double leastMs, double mostMs) {
    return new TimeRange(leastMs, mostMs + SETTLING_MS);
  }

  /** Returns the range in words: {@code 1.0 to 2.5 s}. */
  public String text() {
    return "%s to %s s"
        .formatted(
            NumberFormats.fixed(leastMs / MS_PER_SECOND, 1),
            NumberFormats.fixed(mostMs / MS_PER_SECOND, 1));
  }
}
