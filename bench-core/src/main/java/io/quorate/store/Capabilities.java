package io.quorate.store;

import java.util.Map;

/**
 * The requests that the clients of a store can carry out, beside put, get and delete, which all
 * can.
 *
 * @param range what it reads of many keys
 * @param compareAndSet whether it writes a key only if nobody else has
 * @param mostPutsOfTxn how many puts one transaction takes, unless the servers are told otherwise;
 *     0 if there are none, {@link #ANY_NUMBER} if only their size is limited
 * @param compaction whether it keeps a history of its keys that can be told to be forgotten
 * @param reasons why it cannot do an operation, or not all of it, for people: a sentence without a
 *     full stop
 */
public record Capabilities(
    RangeReads range,
    boolean compareAndSet,
    int mostPutsOfTxn,
    boolean compaction,
    Map<Operation, String> reasons) {
  /** Number of puts of a transaction that nothing limits but their size. */
  public static final int ANY_NUMBER = Integer.MAX_VALUE;

  /** The capabilities of a store that can only put, get and delete. */
  public static Capabilities none(String reason) {
    return new Capabilities(
        RangeReads.NONE,
        false,
        0,
        false,
        Map.of(
            Operation.RANGE,
            reason,
            Operation.COMPARE_AND_SET,
            reason,
            Operation.TXN,
            reason,
            Operation.STM,
            reason,
            Operation.COMPACT,
            reason));
  }

  /** The parts of a range that a store can be asked for. */
  public enum RangeReads {
    /** None, as its keys cannot be asked for by prefix. */
    NONE,
    /** All keys of a prefix, with their values or without. */
    ALL,
    /** Also a limited number of keys, page by page, or their number alone. */
    LIMITED
  }

  public Capabilities {
    reasons = Map.copyOf(reasons);
  }

  /** The capabilities of a store that keeps no history. */
  public Capabilities(
      RangeReads range, boolean compareAndSet, int mostPutsOfTxn, Map<Operation, String> reasons) {
    this(range, compareAndSet, mostPutsOfTxn, false, reasons);
  }

  /** Returns whether requests of this operation can be carried out. */
  public boolean can(Operation operation) {
    return switch (operation) {
      case PUT, GET, DELETE -> true;
      case RANGE -> range != RangeReads.NONE;
      case COMPARE_AND_SET, STM -> compareAndSet;
      case TXN -> mostPutsOfTxn > 0;
      case COMPACT -> compaction;
    };
  }

  /**
   * Checks that a request can be carried out, for drivers. The number of puts of a transaction is
   * left to the servers, which may be told to take more.
   *
   * @throws IllegalArgumentException if it cannot; names the operation and the reason
   */
  public void require(Request request) {
    Operation operation = request.operation();
    boolean partly =
        request instanceof Request.Range asked && range == RangeReads.ALL && !asked.isWhole();
    if (partly || !can(operation)) {
      throw new IllegalArgumentException(
          "cannot do this %s: %s".formatted(operation, reasons.getOrDefault(operation, "")));
    }
  }
}
