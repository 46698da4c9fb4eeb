// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import java.util.OptionalLong;

/**
 * A write of a key that clients next to the load watch, and its events: a line of {@code
 * watched.jsonl}, written at the end of the run. A key has one writer, which writes only after the
 * outcome of its last write is known, so the numbers are the order of the writes. Times are
 * nanoseconds since the beginning of the history in {@code history.bin}.
 *
 * @param key number of the key
 * @param number number of the write, from 1
 * @param sentNanos when it was sent
 * @param acknowledgedNanos its acknowledgment; empty if there was no answer
 * @param everyChange whether the store promises every change to a watch, or only the latest
 * @param watches number of watches of the key
 * @param received number of watches that reported it
 * @param passed number of watches that did not report it, but a later write
 * @param repeated events that reported it to a watch again
 * @param reordered number of watches that reported it after a later write
 * @param lastNanos when the last watch that did so reported it or a later write; empty if none did
 */
public record WatchedWrite(
    int key,
    long number,
    long sentNanos,
    OptionalLong acknowledgedNanos,
    boolean everyChange,
    int watches,
    int received,
    int passed,
    int repeated,
    int reordered,
    OptionalLong lastNanos) {
  public static final JsonLines<WatchedWrite> FILE =
      new JsonLines<>("watched.jsonl", WatchedWrite.class);

  /**
   * Returns the number of watches that did not report it although the store had promised that: if
   * it promises only the latest change, one that reported a later write instead does not count.
   */
  public int lost() {
    int missing = watches - received - (everyChange ? 0 : passed);
    return acknowledgedNanos.isPresent() ? missing : 0;
  }
}
