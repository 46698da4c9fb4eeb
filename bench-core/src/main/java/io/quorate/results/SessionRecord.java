// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A session of a client: a line of {@code sessions.jsonl}, written when it has ended, or at the end
 * of the run. Times are nanoseconds since a common beginning: that of the history in {@code
 * history.bin} for clients next to a load with faults.
 *
 * @param number number from 1, in the order of opening
 * @param id name of the session in the store
 * @param member name of the member that it used first
 * @param ttlNanos TTL that the store granted
 * @param openedNanos when it had been opened
 * @param renewedNanos acknowledgment of its last keep-alive
 * @param abandonedNanos when its client stopped as if it had died; empty if it did not
 * @param heldNanos sending of the last read that found its key after that; empty without one
 * @param endedNanos answer of the first read that did not find the key of an abandoned session, or
 *     the event of its removal, or when another client learned that its session has ended; empty if
 *     none was observed
 * @param lost why the store ended the session of a client that had not stopped
 * @param step number of the step; empty for a client next to the load
 * @param renewalSentNanos time before this keep-alive was sent
 */
public record SessionRecord(
    long number,
    String id,
    String member,
    long ttlNanos,
    long openedNanos,
    long renewedNanos,
    OptionalLong abandonedNanos,
    OptionalLong heldNanos,
    OptionalLong endedNanos,
    Optional<String> lost,
    OptionalInt step,
    long renewalSentNanos) {
  public static final JsonLines<SessionRecord> FILE =
      new JsonLines<>("sessions.jsonl", SessionRecord.class);

  /**
   * Returns whether the store ended the session before the TTL after an acknowledged keep-alive had
   * passed. The TTL begins after the keep-alive was sent; its acknowledgment may come late.
   */
  public boolean endedEarly() {
    return endedNanos.isPresent() && endedNanos.getAsLong() - renewalSentNanos < ttlNanos;
  }

  /**
   * Returns how much later than the TTL after the last acknowledged keep-alive an abandoned session
   * was seen to have ended; empty for others, and if no end was seen.
   */
  public OptionalLong overshootNanos() {
    return abandonedNanos.isPresent() && endedNanos.isPresent()
        ? OptionalLong.of(endedNanos.getAsLong() - renewedNanos - ttlNanos)
        : OptionalLong.empty();
  }
}
