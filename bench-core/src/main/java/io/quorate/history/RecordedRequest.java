// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.Named;
import io.quorate.format.NumberFormats;

/**
 * One request of a client to a key, or the part of a transaction with that key, and its result.
 * Values are numbers that identify what was written; {@link #ABSENT} is a key without a value.
 * Times are nanoseconds of one monotonic clock since the start of the recording.
 *
 * <p>A key is absent before its first request. Values that were loaded before are recorded as puts.
 *
 * @param client session that sent the request, 0 or more
 * @param member number of the member that its connection used, from 1; 0 if that is unknown
 * @param written value of a put or compare-and-set; {@link #ABSENT} for other requests
 * @param read value that a get returned; {@link #ABSENT} for other requests
 * @param expected value that a compare-and-set replaces; {@link #ABSENT} creates the key
 * @param dueNanos scheduled send time, not after the request was sent
 * @param completedNanos when the client received the answer or gave up, or {@link #NEVER}
 * @param txn number of the transaction that it is part of, or 0. All parts of a transaction have
 *     the same client, times and outcome
 */
public record RecordedRequest(
    int client,
    int member,
    Action action,
    long key,
    long written,
    long read,
    long expected,
    long dueNanos,
    long invokedNanos,
    long completedNanos,
    Outcome outcome,
    long txn) {
  public static final long ABSENT = 0;
  public static final long NEVER = -1;

  /** Expected value of a compare-and-set in a contradiction that needs no certain one. */
  static final long ANY = Long.MAX_VALUE;

  /** Largest number of a member. */
  static final int MOST_MEMBERS = 255;

  private static final int DECIMALS = 6;
  private static final double NANOS_PER_SECOND = 1e9;

  /** What a request does. The order of the constants is part of the format of the file. */
  public enum Action implements Named {
    PUT,
    /** Linearizable read. */
    GET,
    /** Read that may return an old value. */
    STALE_GET,
    COMPARE_AND_SET,
    DELETE
  }

  /** How a request ended. The order of the constants is part of the format of the file. */
  public enum Outcome {
    /** Acknowledged, and applied if it writes. */
    OK,
    /** Certainly not applied. Says nothing about the value of the key. */
    FAILED,
    /** Applied at any time after the invocation, even after the client gave up, or never. */
    UNKNOWN,
    /** A compare-and-set that was not applied because the key had another value. */
    MISMATCH
  }

  public RecordedRequest {
    boolean isRead = action == Action.GET || action == Action.STALE_GET;
    boolean isCompare = action == Action.COMPARE_AND_SET;
    boolean isValid =
        Math.min(Math.min(written, read), Math.min(expected, txn)) >= 0
            && Math.min(Math.min(client, member), dueNanos) >= 0
            && member <= MOST_MEMBERS
            && dueNanos <= invokedNanos
            && written != ABSENT == (action == Action.PUT || isCompare)
            && (read == ABSENT || isRead && outcome == Outcome.OK)
            && (expected == ABSENT || isCompare)
            && (outcome != Outcome.MISMATCH || isCompare)
            && (completedNanos >= invokedNanos
                || completedNanos == NEVER && outcome == Outcome.UNKNOWN);
    if (!isValid) {
      throw new IllegalArgumentException(
          "found %s, %s by client %d with values %d, %d, %d and transaction %d from %d to %d ns"
              .formatted(
                  action.id(),
                  outcome,
                  client,
                  written,
                  read,
                  expected,
                  txn,
                  invokedNanos,
                  completedNanos));
    }
  }

  /** Creates a request that was sent on schedule to an unknown member. */
  public RecordedRequest(
      int client,
      Action action,
      long key,
      long written,
      long read,
      long expected,
      long invokedNanos,
      long completedNanos,
      Outcome outcome,
      long txn) {
    this(
        client,
        0,
        action,
        key,
        written,
        read,
        expected,
        invokedNanos,
        invokedNanos,
        completedNanos,
        outcome,
        txn);
  }

  /** Returns whether it was acknowledged. */
  public boolean isOk() {
    return outcome == Outcome.OK;
  }

  /** Returns whether it may be applied at any time after its invocation, or never. */
  boolean isOpen() {
    return outcome == Outcome.UNKNOWN;
  }

  /** Returns whether the request is a get of either kind. */
  boolean isRead() {
    return action == Action.GET || action == Action.STALE_GET;
  }

  /** Returns whether the request returned the value of the key and promises to be linearizable. */
  boolean isLinearizableRead() {
    return action == Action.GET && isOk();
  }

  /** Returns whether the request may have changed its key. */
  boolean mayWrite() {
    return !isRead() && (isOk() || isOpen());
  }

  /** Returns the same, but a compare-and-set replaces any value. */
  RecordedRequest withoutExpected() {
    return action == Action.COMPARE_AND_SET
        ? with(action, ANY, invokedNanos, completedNanos, outcome)
        : this;
  }

  /** Returns what was sent as another action, with other times or another outcome. */
  RecordedRequest with(Action kind, long compared, long begin, long end, Outcome how) {
    return new RecordedRequest(
        client, member, kind, key, written, read, compared, dueNanos, begin, end, how, txn);
  }

  /**
   * Returns the request in words, as in {@code put 17 = v42 by client 3 to member 2 from 1.2 s,
   * ...}.
   */
  public String text() {
    return "%s by %s from %s, %s%s"
        .formatted(
            what(),
            sender(),
            sent(),
            result(),
            completedNanos == NEVER ? "" : " at " + seconds(completedNanos));
  }

  /** Returns who sent it, as in {@code client 3 to member 2}. */
  public String sender() {
    return "client " + client + (member == 0 ? "" : " to member " + member);
  }

  /** Returns what was requested, as in {@code put 17 = v42 in transaction 3}. */
  public String what() {
    String of =
        switch (action) {
          case PUT -> "put %d = %s".formatted(key, value(written));
          case GET -> "get " + key;
          case STALE_GET -> "stale get " + key;
          case COMPARE_AND_SET ->
              expected == ANY
                  ? "compare-and-set %d to %s, expected value left out"
                      .formatted(key, value(written))
                  : "compare-and-set %d from %s to %s"
                      .formatted(key, value(expected), value(written));
          case DELETE -> "delete " + key;
        };
    return of + (txn == 0 ? "" : " in transaction " + txn);
  }

  /** Returns how it ended, as in {@code returned v42}. */
  public String result() {
    return switch (outcome) {
      case OK -> isRead() ? "returned " + value(read) : "acknowledged";
      case FAILED -> "failed";
      case MISMATCH -> "refused because of another value";
      case UNKNOWN -> "outcome unknown";
    };
  }

  /** Returns when it was sent, in seconds since the start of the recording. */
  public String sent() {
    return seconds(invokedNanos);
  }

  /** Returns when it ended for its client; a dash if it did not. */
  public String ended() {
    return completedNanos == NEVER ? "-" : seconds(completedNanos);
  }

  /** Returns a value in words: {@code v42} or {@code absent}. */
  static String value(long value) {
    return value == ABSENT ? "absent" : "v" + value;
  }

  private static String seconds(long nanos) {
    return NumberFormats.fixed(nanos / NANOS_PER_SECOND, DECIMALS) + " s";
  }
}
