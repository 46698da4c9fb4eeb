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

  /** What a history violates. */
  public enum Kind implements Named {
    /**
     * An acknowledged write that no linearizable read returned, although one read an older value
     * after the acknowledgment.
     */
    LOST_WRITE,
    /** A value that was never written, whose write certainly failed, or began after the read. */
    PHANTOM_READ,
    /** A linearizable read of an older value after a read of the newer one. */
    REAPPEARED_VALUE,
    /**
     * A linearizable read of an older value after the acknowledgment of a newer one, which was read
     * later.
     */
    STALE_READ,
    /**
     * A stale read of an older value than an earlier read of the same client returned. Stores that
     * do not promise monotonic reads may do this.
     */
    NON_MONOTONIC_READ,
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

  public long key() {
    return requests.get(0).key();
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
