package io.quorate.history;

import io.quorate.Named;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * One request of a client to a key, and its result. Values are numbers that identify what was
 * written; {@link #ABSENT} is a key without a value. Times are nanoseconds of one monotonic clock
 * since the start of the recording.
 *
 * <p>A key is absent before its first request. Values that were loaded before are recorded as puts.
 *
 * @param client session that sent the request, 0 or more
 * @param written value of a put or compare-and-set; otherwise {@link #ABSENT}
 * @param read value that a get returned; {@link #ABSENT} for other requests
 * @param expected value that a compare-and-set replaces; {@link #ABSENT} creates the key
 * @param completedNanos when the client received the answer or gave up, or {@link #NEVER}
 * @param revision revision that the store reported, or 0
 */
public record RecordedRequest(
    int client,
    Action action,
    long key,
    long written,
    long read,
    long expected,
    long invokedNanos,
    long completedNanos,
    Outcome outcome,
    long revision) {
  public static final long ABSENT = 0;
  public static final long NEVER = -1;

  private static final int SHORTEST_DECIMALS = 3;
  private static final int LONGEST_DECIMALS = 6;
  private static final int NANO_DECIMALS = 9;

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
    require(client >= 0, "client " + client);
    require(invokedNanos >= 0, "invoked at " + invokedNanos + " ns");
    require(
        completedNanos >= invokedNanos || completedNanos == NEVER && outcome == Outcome.UNKNOWN,
        outcome + " at " + completedNanos + " ns, invoked at " + invokedNanos + " ns");
    require(written >= 0 && read >= 0 && expected >= 0 && revision >= 0, "a negative value");
    require(
        written != ABSENT == (action == Action.PUT || action == Action.COMPARE_AND_SET),
        action.id() + " that writes " + written);
    require(expected == ABSENT || action == Action.COMPARE_AND_SET, action + " that expects");
    require(read == ABSENT || isRead(action) && outcome == Outcome.OK, action + " that reads");
    require(
        outcome != Outcome.MISMATCH || action == Action.COMPARE_AND_SET, action + " that compares");
  }

  boolean isOk() {
    return outcome == Outcome.OK;
  }

  /** Returns whether the request returned the value of the key and promises to be linearizable. */
  boolean isLinearizableRead() {
    return action == Action.GET && isOk();
  }

  /** Returns whether the request may have changed its key. */
  boolean mayWrite() {
    return !isRead(action) && (isOk() || outcome == Outcome.UNKNOWN);
  }

  /** Returns the last moment at which the request may have been applied. */
  long latestNanos() {
    return outcome == Outcome.UNKNOWN ? Long.MAX_VALUE : completedNanos;
  }

  /** Returns the request in words, such as {@code get 17 by client 7 from 1.45 s to 1.452 s}. */
  public String text() {
    String what =
        switch (action) {
          case PUT -> "put %d = %s".formatted(key, value(written));
          case GET -> "get " + key;
          case STALE_GET -> "stale get " + key;
          case COMPARE_AND_SET ->
              "compare-and-set %d from %s to %s".formatted(key, value(expected), value(written));
          case DELETE -> "delete " + key;
        };
    return what + " by client " + client + " from " + seconds(invokedNanos) + end();
  }

  private String end() {
    String at = completedNanos == NEVER ? "" : " at " + seconds(completedNanos);
    return switch (outcome) {
      case OK ->
          isRead(action)
              ? " to " + seconds(completedNanos) + " returned " + value(read)
              : ", acknowledged" + at;
      case FAILED -> ", failed" + at;
      case MISMATCH -> ", refused because of another value" + at;
      case UNKNOWN -> ", outcome unknown" + at;
    };
  }

  /** Returns a value in words: {@code v42} or {@code absent}. */
  static String value(long value) {
    return value == ABSENT ? "absent" : "v" + value;
  }

  static String seconds(long nanos) {
    BigDecimal exact = BigDecimal.valueOf(nanos, NANO_DECIMALS);
    BigDecimal shown = exact.setScale(LONGEST_DECIMALS, RoundingMode.FLOOR).stripTrailingZeros();
    return shown.setScale(Math.max(SHORTEST_DECIMALS, shown.scale())).toPlainString() + " s";
  }

  private static boolean isRead(Action action) {
    return action == Action.GET || action == Action.STALE_GET;
  }

  private static void require(boolean holds, String found) {
    if (!holds) {
      throw new IllegalArgumentException("found " + found);
    }
  }
}
