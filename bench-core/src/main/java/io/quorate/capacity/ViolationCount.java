// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import java.util.Collection;

/**
 * The requests of one or more seconds, and how many of them violate a limit: late, failed, timed
 * out or unsent ones.
 *
 * @param intended number of requests that were due
 */
public record ViolationCount(long intended, long violating) {
  public static ViolationCount sum(Collection<ViolationCount> counts) {
    return new ViolationCount(
        counts.stream().mapToLong(ViolationCount::intended).sum(),
        counts.stream().mapToLong(ViolationCount::violating).sum());
  }

  /** Returns whether at most this part of the requests, 0 to below 1, violates the limit. */
  public boolean isWithin(double allowedPart) {
    return violating <= allowedPart * intended;
  }

  /** Returns the part that violates the limit, 0 to 1; 0 if nothing was due. */
  double part() {
    return intended == 0 ? 0 : (double) violating / intended;
  }
}
