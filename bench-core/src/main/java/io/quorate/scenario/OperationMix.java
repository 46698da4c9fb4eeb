// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.quorate.store.Operation;
import io.quorate.store.ReturnedValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The operations of a scenario's requests, and their frequencies.
 *
 * @param shares shares of different operations, at least one, in the order of the file
 * @param range shape of ranges, used only if there are ranges
 * @param putsPerTxn number of keys that a transaction writes, used only if there are transactions
 * @param revisionsKept number of latest revisions that a compaction keeps, used only if there are
 *     compactions
 * @param leases leases, used only if leases are granted, kept alive or attached to objects
 * @param objects objects of the operations that create and remove them; empty without these
 * @param sessions sessions; empty without operations of sessions
 * @param txnParts parts of a transaction next to its puts; empty if it only writes
 */
public record OperationMix(
    List<Share> shares,
    RangeShape range,
    int putsPerTxn,
    long revisionsKept,
    Leases leases,
    Optional<Objects> objects,
    Optional<Sessions> sessions,
    Optional<TxnParts> txnParts) {
  /** Range of one key with its value. */
  public static final RangeShape ONE_KEY = new RangeShape(1, 0, ReturnedValue.ENTRIES, 0, false);

  /**
   * The parts of a transaction next to its puts. Each part has a separate key.
   *
   * @param gets number of keys that it reads
   * @param deletes number of keys that it removes
   * @param objects most objects that it creates or removes, at least {@link #LEAST_OBJECTS}; 0 for
   *     none
   */
  public record TxnParts(
      int gets,
      int deletes,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.SET) int objects) {
    /** Fewest objects of a transaction that has some. */
    public static final int LEAST_OBJECTS = 2;

    /** The part of the transactions with some objects that have one more. */
    public static final double CONTINUES = 2.0 / 3;
  }

  /** Default leases: a hundred, as in etcd's benchmark tool. */
  public static final Leases USUAL_LEASES = new Leases(100, 100);

  /**
   * The leases of a scenario.
   *
   * @param count number of leases that are granted before the load, to be kept alive in turn
   * @param ttlSeconds time after which a lease ends unless it is kept alive
   * @param grantedTtlSeconds the same for leases that requests are granted; 0 for the same time
   */
  public record Leases(
      int count,
      int ttlSeconds,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.SET)
          int grantedTtlSeconds) {
    /** Creates leases that all have the same time to live. */
    public Leases(int count, int ttlSeconds) {
      this(count, ttlSeconds, 0);
    }
  }

  /**
   * The objects that are created and removed.
   *
   * @param count number of objects that exist before the load
   * @param leased whether each object that the load creates is attached to one of the leases, in
   *     turn
   * @param staleDeletes percentage of removals that begin with another revision than the current
   *     one, so that they need a second message
   * @param ephemeral percentage of {@link Operation#CREATE} whose object ends with its connection,
   *     which also removes it
   */
  public record Objects(
      int count,
      boolean leased,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.SET) int staleDeletes,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.SET) int ephemeral) {}

  /** Default sessions: the shortest TTL of Consul. */
  public static final Sessions USUAL_SESSIONS =
      new Sessions(10, Duration.ZERO, 0, 0, Duration.ofSeconds(20));

  /**
   * The sessions of a scenario.
   *
   * @param ttlSeconds time after which a store ends a session that is not kept alive
   * @param hold how long a lock, leadership or registration is held
   * @param crashEvery which holders stop as if they had died: every n-th of a client; 0 for none
   * @param pauseEvery which holders are paused: every n-th of a client; 0 for none
   * @param pause how long they are paused
   */
  public record Sessions(
      int ttlSeconds, Duration hold, int crashEvery, int pauseEvery, Duration pause) {
    /** Time after which a store has ended a session, in TTLs. */
    private static final int LONGEST_OF_TTL = 4;

    /** Returns the longest time that one operation takes without contention. */
    public Duration longest() {
      Duration ends = Duration.ofSeconds(LONGEST_OF_TTL * (long) ttlSeconds);
      return hold.plus(ends).plus(pauseEvery > 0 ? pause : Duration.ZERO);
    }

    /** Returns whether a holder crashes, by its number from 1 among those of its client. */
    public boolean crashes(int number) {
      return crashEvery > 0 && number % crashEvery == 0;
    }

    /** Returns whether a holder is paused, by its number from 1 among those of its client. */
    public boolean pauses(int number) {
      return pauseEvery > 0 && number % pauseEvery == 0;
    }
  }

  /** An operation of a mix; its weight, at least 1, is relative to the other weights. */
  public record Share(Operation operation, int weight) {}

  /**
   * The part of the key space that a range reads.
   *
   * @param keys number of neighboring keys with the prefix: a power of ten; 0 for all keys of the
   *     scenario
   * @param limit most keys that are returned; 0 for all
   * @param page number of keys that are requested at a time, until all have arrived; 0 for all at
   *     once
   * @param stream whether servers send the keys in chunks while they read
   */
  public record RangeShape(
      long keys,
      long limit,
      ReturnedValue returned,
      long page,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.SET) boolean stream) {
    public boolean isOfAll() {
      return keys == 0;
    }

    public boolean countOnly() {
      return returned == ReturnedValue.COUNT;
    }
  }

  public OperationMix {
    shares = List.copyOf(shares);
    if (shares.isEmpty()) {
      throw new IllegalArgumentException("a mix needs at least one operation");
    }
    if (shares.stream().map(Share::operation).distinct().count() < shares.size()
        || shares.stream().anyMatch(share -> share.weight() < 1)) {
      throw new IllegalArgumentException(
          "expected each operation once, with a weight of 1 or more");
    }
  }

  /** Creates a mix that creates no objects and has no operations of sessions. */
  public OperationMix(
      List<Share> shares, RangeShape range, int putsPerTxn, long revisionsKept, Leases leases) {
    this(
        shares,
        range,
        putsPerTxn,
        revisionsKept,
        leases,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public static OperationMix of(Operation operation) {
    return new OperationMix(
        List.of(new Share(operation, 1)),
        ONE_KEY,
        1,
        0,
        USUAL_LEASES,
        Optional.empty(),
        operation.isOfSessions() ? Optional.of(USUAL_SESSIONS) : Optional.empty(),
        Optional.empty());
  }

  public List<Operation> operations() {
    return shares.stream().map(Share::operation).toList();
  }

  public boolean has(Operation operation) {
    return operations().contains(operation);
  }

  public boolean isOnly(Operation operation) {
    return operations().equals(List.of(operation));
  }

  /** Returns whether each request removes another key; they cannot be removed twice. */
  public boolean removesEachKey() {
    return isOnly(Operation.DELETE) || isOnly(Operation.TXN) && deletesPerTxn() > 0;
  }

  /** Returns whether some requests remove keys that others write again. */
  public boolean removesSome() {
    return !isSingle() && (has(Operation.DELETE) || has(Operation.TXN) && deletesPerTxn() > 0);
  }

  public boolean isSingle() {
    return shares.size() == 1;
  }

  public boolean reads() {
    return operations().stream().anyMatch(Operation::isRead);
  }

  public boolean usesKeys() {
    return !operations().stream().allMatch(Operation::isOfLeases);
  }

  public boolean usesLeases() {
    return operations().stream().anyMatch(Operation::isOfLeases) || attachesLeases();
  }

  /** Returns whether leases are granted before the load. */
  public boolean needsLeases() {
    return has(Operation.LEASE_KEEPALIVE) || attachesLeases();
  }

  /** Returns whether new objects are attached to leases. */
  public boolean attachesLeases() {
    return objects.filter(Objects::leased).isPresent();
  }

  /**
   * Returns whether watchers of all keys can match its events to requests by their values: all its
   * writes are those of a Kubernetes API server, or puts next to other requests.
   */
  public boolean isIdentifiedByValue() {
    return (has(Operation.OPTIMISTIC_UPDATE)
            || has(Operation.OPTIMISTIC_CREATE)
            || has(Operation.PUT) && !isSingle())
        && operations().stream()
            .allMatch(
                each ->
                    each == Operation.OPTIMISTIC_UPDATE
                        || each == Operation.PUT
                        || !each.isWrite());
  }

  /** Returns the weight of an operation; 0 if it is not in the mix. */
  public int weight(Operation operation) {
    return shares.stream()
        .filter(share -> share.operation() == operation)
        .mapToInt(Share::weight)
        .sum();
  }

  public boolean usesSessionsOnly() {
    return operations().stream().allMatch(Operation::isOfSessions);
  }

  /** Returns whether some of its operations need sessions. */
  public boolean usesSessions() {
    return operations().stream().anyMatch(Operation::isOfSessions);
  }

  public boolean writes() {
    return operations().stream().anyMatch(Operation::isWrite);
  }

  /** Returns how many keys and values are reserved for each request. */
  public int keysPerRequest() {
    return has(Operation.TXN) ? Math.max(1, putsPerTxn + getsPerTxn() + deletesPerTxn()) : 1;
  }

  public int getsPerTxn() {
    return txnParts.map(TxnParts::gets).orElse(0);
  }

  public int deletesPerTxn() {
    return txnParts.map(TxnParts::deletes).orElse(0);
  }

  public int objectsPerTxn() {
    return txnParts.map(TxnParts::objects).orElse(0);
  }

  /** Returns how many values a transaction writes on average: half of its objects are created. */
  public double valuesPerTxn() {
    double objects = objectsPerTxn() == 0 ? 0 : TxnParts.LEAST_OBJECTS;
    double more = 1;
    for (int each = TxnParts.LEAST_OBJECTS; each < objectsPerTxn(); each++) {
      more *= TxnParts.CONTINUES;
      objects += more;
    }
    return putsPerTxn + objects / 2;
  }

  /**
   * Returns the number of the last digits of keys that lists of names have in common; 0 if none.
   */
  public int digitsOfLists() {
    boolean lists =
        has(Operation.RANGE) && !range.isOfAll() && range.returned() == ReturnedValue.KEYS;
    return lists ? String.valueOf(range.keys()).length() - 1 : 0;
  }

  public long totalWeight() {
    return shares.stream().mapToLong(Share::weight).sum();
  }

  /** Returns how many keys a number of requests writes, as far as their weights say. */
  public double keysWritten(long requests, List<Share> own) {
    long all = own.stream().mapToLong(Share::weight).sum();
    long writing =
        own.stream().filter(share -> share.operation().isWrite()).mapToLong(Share::weight).sum();
    return (double) requests * writing / all * keysPerRequest();
  }

  /** Returns the mix as readable text: {@code get}, or {@code 95% get, 5% put}. */
  @Override
  public String toString() {
    return text(shares);
  }

  /** Returns operations with their parts of the requests as readable text. */
  public static String text(List<Share> shares) {
    long all = shares.stream().mapToLong(Share::weight).sum();
    return shares.size() == 1
        ? shares.get(0).operation().id()
        : shares.stream()
            .map(share -> percent(share.weight(), all) + "% " + share.operation().id())
            .collect(Collectors.joining(", "));
  }

  private static String percent(int weight, long all) {
    return BigDecimal.valueOf(100L * weight)
        .divide(BigDecimal.valueOf(all), 1, RoundingMode.HALF_EVEN)
        .stripTrailingZeros()
        .toPlainString();
  }
}
