package io.quorate.capacity;

import java.util.Collection;

/**
 * The requests of one second, or of several, and how many of them violate a limit: they were late,
 * failed, timed out, or were not sent.
 *
 * @param intended those that were due
 * @param violating those of them that violate the limit
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
