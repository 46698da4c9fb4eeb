// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The requests that the clients of a store can carry out.
 *
 * @param operations operations that its clients support; at least put and get
 * @param range supported parts of ranges
 * @param mostPutsOfTxn most puts of one transaction with the default configuration; 0 without
 *     transactions, {@link #ANY_NUMBER} if only their size is limited
 * @param readsInTxn whether a transaction can also read
 * @param expiry how a key ends by itself
 * @param nonVoters what members without a vote can do
 * @param ephemeral whether keys can end with the connection that created them
 * @param reasons reason why an operation is not fully supported, as readable text: a sentence
 *     without a full stop. An operation that is not supported has one in any case
 */
public record Capabilities(
    Set<Operation> operations,
    RangeReads range,
    int mostPutsOfTxn,
    boolean readsInTxn,
    Expiry expiry,
    NonVoters nonVoters,
    boolean ephemeral,
    Map<Operation, String> reasons) {
  /** Number of puts of a transaction that is limited only by size. */
  public static final int ANY_NUMBER = Integer.MAX_VALUE;

  /** Reason why a mix of transactions and deletes is not supported. */
  public static final String NEEDS_EXISTING_KEYS =
      "a transaction fails if one of its keys is missing";

  private static final String NO_SESSIONS = "its clients have no sessions";

  private static final String NO_REQUEST = "it has no such request";

  private static final Set<Operation> LEAST = Set.of(Operation.PUT, Operation.GET);

  private static final Set<Operation> OF_ONE_KEY =
      Set.of(Operation.PUT, Operation.GET, Operation.DELETE);

  /** Creates capabilities without reads in transactions, of a store whose members all vote. */
  public Capabilities(
      Set<Operation> operations,
      RangeReads range,
      int mostPutsOfTxn,
      Map<Operation, String> reasons) {
    this(operations, range, mostPutsOfTxn, false, Expiry.NONE, NonVoters.NONE, false, reasons);
  }

  /** The capabilities of a store that can only put, get and delete. */
  public static Capabilities none(String reason) {
    Set<Operation> others = EnumSet.complementOf(EnumSet.copyOf(OF_ONE_KEY));
    Map<Operation, String> reasons =
        others.stream().collect(Collectors.toMap(each -> each, each -> reason));
    return new Capabilities(OF_ONE_KEY, RangeReads.NONE, 0, reasons);
  }

  /** Returns the capabilities of clients that can also open sessions. */
  Capabilities withSessions() {
    Set<Operation> all = EnumSet.copyOf(operations);
    Arrays.stream(Operation.values()).filter(Operation::isOfSessions).forEach(all::add);
    return new Capabilities(
        all, range, mostPutsOfTxn, readsInTxn, expiry, nonVoters, ephemeral, reasons);
  }

  /** How a key of a store ends by itself. */
  public enum Expiry {
    NONE,
    /** With a lease, to which {@link Request.LeasedPut} attaches it. */
    LEASE,
    /** After a time without a write, if {@link Request.CreateWithTtl} has created it. */
    TTL
  }

  /** Returns these capabilities without chunks of ranges, as of older servers. */
  public Capabilities withoutStreams() {
    return new Capabilities(
        operations,
        RangeReads.LIMITED,
        mostPutsOfTxn,
        readsInTxn,
        expiry,
        nonVoters,
        ephemeral,
        reasons);
  }

  /** Returns these capabilities, of clients whose transactions can also read. */
  public Capabilities withReadsInTxn() {
    return new Capabilities(
        operations, range, mostPutsOfTxn, true, expiry, nonVoters, ephemeral, reasons);
  }

  /** Returns these capabilities, of clients whose keys can end by themselves. */
  public Capabilities withExpiry(Expiry kind) {
    return new Capabilities(
        operations, range, mostPutsOfTxn, readsInTxn, kind, nonVoters, ephemeral, reasons);
  }

  /** Returns these capabilities, of a store whose keys can end with a connection. */
  public Capabilities withEphemeral() {
    return new Capabilities(
        operations, range, mostPutsOfTxn, readsInTxn, expiry, nonVoters, true, reasons);
  }

  /**
   * What members without a vote can do.
   *
   * @param title what the store calls one; empty if Quorate starts and asks none
   * @param onlyStaleReads whether it refuses all else, even to log in with a password
   * @param reason reason why there are none, or what one refuses, as readable text: a sentence
   *     without a full stop
   */
  public record NonVoters(Optional<String> title, boolean onlyStaleReads, String reason) {
    public static final NonVoters NONE = none("Quorate knows no members of it without a vote");

    public static NonVoters none(String reason) {
      return new NonVoters(Optional.empty(), false, reason);
    }
  }

  /** Returns these capabilities, of a store with other members without a vote. */
  public Capabilities withNonVoters(NonVoters others) {
    return new Capabilities(
        operations, range, mostPutsOfTxn, readsInTxn, expiry, others, ephemeral, reasons);
  }

  /** The parts of ranges that a store supports. */
  public enum RangeReads {
    /** None, as its keys cannot be read by prefix. */
    NONE,
    /** The names of all keys, without values: the children of a node. */
    NAMES,
    /** All keys of a prefix, with their values or without. */
    ALL,
    /** As {@link #ALL}; also a limited number of keys, page by page, or their number alone. */
    LIMITED,
    /** As {@link #LIMITED}, and in chunks that the server sends while it reads. */
    STREAMED;

    /** Returns whether the keys of a prefix can be read, with their values. */
    public boolean isByPrefix() {
      return this == ALL || isLimited();
    }

    /** Returns whether pages and numbers of keys can be read. */
    public boolean isLimited() {
      return this == LIMITED || this == STREAMED;
    }
  }

  public Capabilities {
    operations = Set.copyOf(operations);
    Map<Operation, String> all = new EnumMap<>(Operation.class);
    for (Operation each : Operation.values()) {
      if (each.isOfSessions()) {
        all.put(each, NO_SESSIONS);
      } else if (!operations.contains(each.carriedOut())) {
        all.put(each, reasons.getOrDefault(each.carriedOut(), NO_REQUEST));
      }
    }
    all.putAll(reasons);
    reasons = Map.copyOf(all);
    if (!operations.containsAll(LEAST)
        || operations.contains(Operation.RANGE) == (range == RangeReads.NONE)
        || operations.contains(Operation.TXN) == (mostPutsOfTxn == 0)) {
      throw new IllegalArgumentException(
          "capabilities that contradict each other: %s, ranges %s, %d puts"
              .formatted(operations, range, mostPutsOfTxn));
    }
  }

  private boolean reads(Request.Range asked) {
    if (asked.streamed() && range != RangeReads.STREAMED) {
      return false;
    }
    return range.isLimited()
        || asked.isWhole() && (range == RangeReads.ALL || asked.returned() == ReturnedValue.KEYS);
  }

  public boolean can(Operation operation) {
    return operations.contains(operation.carriedOut());
  }

  /**
   * Checks, for drivers, that a request is supported. The servers check the number of puts of a
   * transaction.
   */
  public void require(Request request) {
    Operation operation = request.operation();
    boolean partly =
        request instanceof Request.Range asked && !reads(asked)
            || request instanceof Request.CreateEphemeral && !ephemeral
            || request instanceof Request.Txn txn && !txn.gets().isEmpty() && !readsInTxn
            || request instanceof Request.DeleteRange && !range.isLimited();
    if (partly || !can(operation)) {
      throw new IllegalArgumentException(
          "cannot do this %s: %s".formatted(operation, reasons.getOrDefault(operation, "")));
    }
  }
}
