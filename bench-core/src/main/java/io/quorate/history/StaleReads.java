package io.quorate.history;

import java.util.Optional;

/**
 * How old the values of stale gets were at least. A stale get is behind if a newer value was
 * certainly written before it began.
 *
 * @param reads number of stale gets that returned a value that was written
 * @param behind number of them that returned a value that had been replaced
 * @param mostNanos longest time from the proof of a newer value to the start of a read
 * @param mostWrites largest number of values that were first proven between the proof of the value
 *     that was read, and the start of the read
 * @param oldest read with the longest time; empty if none was behind
 */
public record StaleReads(
    long reads, long behind, long mostNanos, long mostWrites, Optional<RecordedRequest> oldest) {

  /** Adds up the reads of all keys. */
  static final class Tally {
    private long reads;
    private long behind;
    private long mostNanos;
    private long mostWrites;
    private RecordedRequest oldest;

    void addFresh() {
      reads++;
    }

    void addStale(RecordedRequest read, long nanos, long writes) {
      reads++;
      behind++;
      mostWrites = Math.max(mostWrites, writes);
      if (nanos > mostNanos) {
        mostNanos = nanos;
        oldest = read;
      }
    }

    StaleReads total() {
      return new StaleReads(reads, behind, mostNanos, mostWrites, Optional.ofNullable(oldest));
    }
  }
}
