// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import java.util.List;
import java.util.stream.Stream;

/**
 * The times within a step in which no request succeeded: between its beginning, its successes and
 * its end.
 *
 * @param longestNanos the longest gap, overestimated by at most a millisecond
 * @param stalls all gaps of a second or more
 */
public record SuccessGaps(long longestNanos, List<Gap> stalls) {
  /**
   * A time in which no request succeeded, by the nano clock.
   *
   * @param startNanos the last success before it, or the beginning of the step
   * @param endNanos the first success after it, or the end of the step
   */
  public record Gap(long startNanos, long endNanos) {
    long nanos() {
      return endNanos - startNanos;
    }

    boolean isStall() {
      return nanos() >= STALL_NANOS;
    }
  }

  public SuccessGaps {
    stalls = List.copyOf(stalls);
  }

  /** Shortest time without a success that counts as a stall: a second. */
  public static final long STALL_NANOS = 1_000_000_000L;

  /** Returns these gaps and one more. */
  SuccessGaps and(Gap gap) {
    return new SuccessGaps(
        Math.max(longestNanos, gap.nanos()),
        Stream.concat(stalls.stream(), Stream.of(gap).filter(Gap::isStall)).toList());
  }

  /** Returns the sum of all gaps of a second or more. */
  public long stalledNanos() {
    return stalls.stream().mapToLong(Gap::nanos).sum();
  }
}
