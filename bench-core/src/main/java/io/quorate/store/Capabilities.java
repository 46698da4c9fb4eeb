package io.quorate.store;

import java.util.Map;

/**
 * The requests that the clients of a store can carry out, beside put, get and delete, which all
 * can.
 *
 * @param range what it reads of many keys
 * @param compareAndSet whether it writes a key only if nobody else has
 * @param mostPutsOfTxn how many puts one transaction takes; 0 if there are none
 * @param reasons why it cannot do an operation, for people: a part of a sentence that begins with
 *     what the store has instead
 */
public record Capabilities(
    RangeReads range, boolean compareAndSet, int mostPutsOfTxn, Map<Operation, String> reasons) {
  /** The parts of a range that a store can be asked for. */
  public enum RangeReads {
    /** None, as its keys cannot be asked for by prefix. */
    NONE,
    /** All keys of a prefix with their values. */
    ALL,
    /** Also a limited number of keys, or their number alone. */
    LIMITED
  }

  public Capabilities {
    reasons = Map.copyOf(reasons);
  }

  /** Whether requests of this operation can be carried out. */
  public boolean can(Operation operation) {
    return switch (operation) {
      case PUT, GET, DELETE -> true;
      case RANGE -> range != RangeReads.NONE;
      case COMPARE_AND_SET -> compareAndSet;
      case TXN -> mostPutsOfTxn > 0;
    };
  }
}
