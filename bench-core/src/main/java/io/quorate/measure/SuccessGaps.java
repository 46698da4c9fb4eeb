package io.quorate.measure;

/**
 * The times within a step in which no request succeeded: from its beginning to the first success,
 * from one success to the next one, and from the last success to its end.
 *
 * @param longestNanos the longest of them, at most a millisecond more than it was
 * @param stalledNanos the sum of those of a second or more
 */
public record SuccessGaps(long longestNanos, long stalledNanos) {
  /** Shortest time without a success that counts as a stall: a second. */
  public static final long STALL_NANOS = 1_000_000_000L;

  /** Returns these gaps and one more. */
  SuccessGaps and(long gapNanos) {
    return new SuccessGaps(
        Math.max(longestNanos, gapNanos), stalledNanos + (gapNanos < STALL_NANOS ? 0 : gapNanos));
  }
}
