// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.Named;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A few requests to one key that cannot all be right, in the order of their invocations.
 *
 * @param reason what is wrong with them, without a period
 */
public record Contradiction(Kind kind, String reason, List<RecordedRequest> requests) {
  /** Fewest requests first, then the shortest time. */
  static final Comparator<Contradiction> SHORTEST_FIRST =
      Comparator.<Contradiction>comparingInt(each -> each.requests.size())
          .thenComparingLong(Contradiction::spanNanos);

  /** What a history violates. An older value is one that a newer value certainly replaced. */
  public enum Kind implements Named {
    /**
     * An acknowledged write that no linearizable get returned; a later one returned an older value.
     * Also a key that is missing afterwards without a delete, and a delete that no get shows.
     */
    LOST_WRITE,
    /** A read of a value that was never written, by a failed write, or by one that began later. */
    PHANTOM_READ,
    /** A linearizable get of an older value after a get of the newer one. */
    REAPPEARED_VALUE,
    /** A linearizable get of an older value after a write of a newer one, which was read later. */
    STALE_READ,
    /**
     * A stale get of an older value than an earlier get of the same client returned. Stores that do
     * not promise monotonic reads may do this.
     */
    NON_MONOTONIC_READ,
    /** A transaction that read a part of another one, and an older value of another part. */
    FRACTURED_READ,
    /** No order of the requests explains their results. */
    NOT_LINEARIZABLE
  }

  public Contradiction {
    requests =
        requests.stream()
            .distinct()
            .sorted(Comparator.comparingLong(RecordedRequest::invokedNanos))
            .toList();
  }

  /** Returns reason and requests in one line. */
  public String text() {
    return requests.stream()
        .map(RecordedRequest::text)
        .collect(Collectors.joining("; ", reason + ": ", ""));
  }

  private long spanNanos() {
    return requests.get(requests.size() - 1).invokedNanos() - requests.get(0).invokedNanos();
  }
}
