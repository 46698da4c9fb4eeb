// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Estimates the offset of an agent's clock from questions and answers. It compares the agent's time
 * with the midpoint between question and answer, for the fastest of the last {@value #KEPT}
 * answers. The error is at most half of that answer's time. Safe for several threads.
 */
final class ClockOffset {
  static final int KEPT = 10;

  private static final int MAX_OPEN = 100;

  private final Map<Long, Asked> open = new LinkedHashMap<>();
  private final List<Answer> answers = new ArrayList<>();

  private record Asked(long unixNanos, long nanoTime) {}

  private record Answer(long aheadNanos, long roundTripNanos) implements Comparable<Answer> {
    @Override
    public int compareTo(Answer other) {
      return Long.compare(roundTripNanos, other.roundTripNanos);
    }
  }

  synchronized void asked(long number, long unixNanos, long nanoTime) {
    if (open.size() >= MAX_OPEN) {
      open.remove(open.keySet().iterator().next());
    }
    open.put(number, new Asked(unixNanos, nanoTime));
  }

  synchronized void answered(long number, long itsUnixNanos, long nanoTime) {
    Asked asked = open.remove(number);
    if (asked != null) {
      long roundTrip = nanoTime - asked.nanoTime;
      answers.add(new Answer(itsUnixNanos - (asked.unixNanos + roundTrip / 2), roundTrip));
      if (answers.size() > KEPT) {
        answers.remove(0);
      }
      notifyAll();
    }
  }

  synchronized int count() {
    return answers.size();
  }

  /** Returns the offset, positive when the agent is ahead; empty before the first answer. */
  synchronized OptionalLong aheadNanos() {
    return answers.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Collections.min(answers).aheadNanos);
  }
}
