// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * Measures the time during which no request succeeds. Safe for several threads; a success costs a
 * read, and a write at most once per millisecond.
 */
final class SuccessGapRecorder {
  /** Time after a success within which the next one is not noted. */
  private static final long RESOLUTION_NANOS = 1_000_000;

  private static final long NOT_STARTED = Long.MIN_VALUE;

  private final AtomicLong notedNanos = new AtomicLong(NOT_STARTED);
  private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);
  private final Queue<SuccessGaps.Gap> stalls = new ConcurrentLinkedQueue<>();

  /** Starts to watch when requests begin; calls after the first one change nothing. */
  void start(long nanos) {
    notedNanos.compareAndSet(NOT_STARTED, nanos);
  }

  /** Notes a request that succeeded at this time of the nano clock. */
  void succeeded(long nanos) {
    long noted = notedNanos.get();
    while (nanos - noted > RESOLUTION_NANOS && noted != NOT_STARTED) {
      if (notedNanos.compareAndSet(noted, nanos)) {
        note(new SuccessGaps.Gap(noted, nanos));
        return;
      }
      noted = notedNanos.get();
    }
  }

  private void note(SuccessGaps.Gap gap) {
    longestNanos.accumulate(gap.nanos());
    if (gap.isStall()) {
      stalls.add(gap);
    }
  }

  /** Returns all gaps up to this time of the nano clock. */
  SuccessGaps until(long nanos) {
    long noted = notedNanos.get();
    long end = noted == NOT_STARTED || nanos - noted < 0 ? noted : nanos;
    return new SuccessGaps(longestNanos.get(), List.copyOf(stalls))
        .and(new SuccessGaps.Gap(noted, end));
  }
}
