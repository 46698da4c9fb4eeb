// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A time in which a thread of the load generator stalled, because its process or machine did, by
 * the nano clock.
 *
 * @param startNanos when the thread should have continued
 * @param endNanos when it continued
 * @param dropped requests of an open loop that were not sent until the load generator had caught
 *     up, because too many were in flight
 */
public record LoadGeneratorStall(long startNanos, long endNanos, long dropped) {
  /** Shortest delay that counts as a stall; shorter ones are normal for wake-ups. */
  static final long MIN_NANOS = 10_000_000;

  public long nanos() {
    return endNanos - startNanos;
  }

  /** Returns the stalls of several threads, in order; overlapping ones are merged. */
  static List<LoadGeneratorStall> merged(
      List<LoadGeneratorStall> first, List<LoadGeneratorStall> second) {
    List<LoadGeneratorStall> all = new ArrayList<>(first);
    all.addAll(second);
    // differences, since the nano clock may overflow
    long origin = all.isEmpty() ? 0 : all.get(0).startNanos();
    all.sort(Comparator.comparingLong(stall -> stall.startNanos() - origin));
    List<LoadGeneratorStall> merged = new ArrayList<>();
    for (LoadGeneratorStall next : all) {
      LoadGeneratorStall last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last != null && next.startNanos() - last.endNanos() <= 0) {
        long end = Math.max(next.endNanos() - last.startNanos(), last.nanos());
        merged.set(
            merged.size() - 1,
            new LoadGeneratorStall(
                last.startNanos(), last.startNanos() + end, last.dropped() + next.dropped()));
      } else {
        merged.add(next);
      }
    }
    return merged;
  }
}
