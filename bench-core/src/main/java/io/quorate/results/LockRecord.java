// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The time in which a client believed that it held a lock: a line of {@code locks.jsonl}. Times are
 * nanoseconds since a common beginning: that of the history in {@code history.bin} for clients next
 * to a load with faults.
 *
 * @param lock number of the lock
 * @param client number of the client
 * @param token fencing token: the revision, zxid or index of the creation of the lock's key
 * @param requestedNanos when the client requested it
 * @param heldNanos when the client received it
 * @param endedNanos when the client began to release it, or learned that its session has ended
 * @param lost whether its session ended while it held the lock
 * @param step number of the step; empty for a client next to the load
 * @param requests number of requests for this lock, from the first until the release; empty if
 *     unknown
 * @param end what was injected instead of a release; empty if nothing was
 */
public record LockRecord(
    int lock,
    int client,
    long token,
    long requestedNanos,
    long heldNanos,
    long endedNanos,
    boolean lost,
    OptionalInt step,
    OptionalInt requests,
    Optional<End> end) {
  public static final JsonLines<LockRecord> FILE = new JsonLines<>("locks.jsonl", LockRecord.class);

  /** An injected end of the time in which a client holds a lock. */
  public enum End {
    /** The client stopped as if it had died. */
    CRASHED,
    /** The client stopped for longer than its TTL, and then believed to hold the lock still. */
    PAUSED
  }

  /** Creates the record of a client next to the load. */
  public LockRecord(
      int lock,
      int client,
      long token,
      long requestedNanos,
      long heldNanos,
      long endedNanos,
      boolean lost) {
    this(
        lock,
        client,
        token,
        requestedNanos,
        heldNanos,
        endedNanos,
        lost,
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty());
  }

  /** Returns how long this and another client both believed that they held the same lock; or 0. */
  public long overlapNanos(LockRecord other) {
    return lock == other.lock
        ? Math.max(0, Math.min(endedNanos, other.endedNanos) - Math.max(heldNanos, other.heldNanos))
        : 0;
  }
}
