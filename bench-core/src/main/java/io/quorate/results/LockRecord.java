package io.quorate.results;

import io.quorate.QuorateException;
import io.quorate.format.StrictJson;
import java.nio.file.Path;
import java.util.List;

/**
 * The time in which a client next to the load believed that it held a lock: a line of {@code
 * locks.jsonl}. Times are nanoseconds since the beginning of the history in {@code history.bin}.
 *
 * @param lock number of the lock
 * @param client number of the client
 * @param token fencing token: the revision, zxid or index of the creation of the lock's key
 * @param requestedNanos when the client requested it
 * @param heldNanos when the client received it
 * @param endedNanos when the client began to release it, or learned that its session has ended
 * @param lost whether its session ended while it held the lock
 */
public record LockRecord(
    int lock,
    int client,
    long token,
    long requestedNanos,
    long heldNanos,
    long endedNanos,
    boolean lost) {
  /** Returns how long this and another client both believed that they held the same lock; or 0. */
  public long overlapNanos(LockRecord other) {
    return lock == other.lock
        ? Math.max(0, Math.min(endedNanos, other.endedNanos) - Math.max(heldNanos, other.heldNanos))
        : 0;
  }

  private static Path file(DatabaseDirectory directory) {
    return directory.path().resolve("locks.jsonl");
  }

  /**
   * Appends a line to the file.
   *
   * @throws QuorateException if the file cannot be written
   */
  public static void append(DatabaseDirectory directory, LockRecord held) {
    StrictJson.append(file(directory), List.of(held));
  }

  /**
   * Reads all lines; none if there is no file.
   *
   * @throws QuorateException with file and line of the first line that cannot be read
   */
  public static List<LockRecord> read(DatabaseDirectory directory) {
    return StrictJson.readLines(file(directory), LockRecord.class);
  }
}
