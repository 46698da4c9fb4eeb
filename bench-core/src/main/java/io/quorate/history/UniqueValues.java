// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import static io.quorate.history.Contradiction.SHORTEST_FIRST;

import io.quorate.format.NumberFormats;
import io.quorate.history.Contradiction.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides whether a history of puts, gets and deletes is linearizable, if every put has another
 * value. Without deletes the decision is exact and takes near-linear time (P. Gibbons and E.
 * Korach, "Testing shared memories", SIAM J. Comput. 26(4), 1997; W. Golab, X. Li and M. Shah,
 * "Analyzing consistency properties for fun and profit", PODC 2011).
 *
 * <p>A request precedes another one if it completed before the other was invoked; at equal times
 * they are concurrent. A put with an unknown outcome counts once a linearizable get has returned
 * its value. Gets without an answer are left out. Stale gets do not take part in the decision,
 * except that they must return a value that was written.
 *
 * <p>Keys with deletes take a search with a limit, and what it did not decide is not a pass. The
 * keys of {@link Transactions} are decided one by one, with the times in which these took effect.
 */
public final class UniqueValues {
  /** Number of states of a key after which the search gives up; each takes about 150 bytes. */
  static final int MOST_STATES = 200_000;

  private UniqueValues() {}

  /**
   * The result for a history.
   *
   * @param requests number of requests of the checked keys; each part of a transaction is one
   * @param decidedKeys number of keys whose requests were puts, gets and deletes with unique values
   * @param otherKeys all other keys, about which nothing is said, in ascending order
   * @param undecidedKeys decided keys without a contradiction for which no order was found in time
   * @param transactions number of transactions; their pairs were compared, and no order of all of
   *     them was searched
   * @param counts number of lost writes, and of reads that violate something; kinds without any are
   *     left out
   * @param witnesses the shortest contradiction of each kind
   */
  public record Result(
      long requests,
      int decidedKeys,
      List<Long> otherKeys,
      List<Long> undecidedKeys,
      int transactions,
      Map<Kind, Long> counts,
      Map<Kind, Contradiction> witnesses,
      StaleReads staleReads) {
    public Result {
      otherKeys = List.copyOf(otherKeys);
      undecidedKeys = List.copyOf(undecidedKeys);
      counts = Map.copyOf(counts);
      witnesses = Map.copyOf(witnesses);
    }

    /**
     * Returns whether all decided keys are linearizable, and no stale get returned a phantom.
     * Whether stale gets of one client went back in time is not considered.
     */
    public boolean isLinearizable() {
      return counts.keySet().stream().allMatch(each -> each == Kind.NON_MONOTONIC_READ);
    }

    /** Returns a line for each kind of violation, with its count and its shortest witness. */
    public List<String> lines() {
      return Stream.of(Kind.values())
          .filter(counts::containsKey)
          .map(each -> count(each) + "; " + Objects.requireNonNull(witnesses.get(each)).text())
          .toList();
    }

    /** Returns how often a history violates something, as in {@code 2 lost writes}. */
    public String count(Kind kind) {
      return NumberFormats.count(counts.getOrDefault(kind, 0L), kind.id().replace('-', ' '));
    }
  }

  /**
   * How old the values of stale gets were at least. A stale get is behind if a newer value was
   * certainly written before it began.
   *
   * @param reads number of stale gets that returned a value that was written
   * @param behind number of them that returned a value that had been replaced
   * @param mostNanos longest time from the proof of a newer value to the start of a read
   * @param mostWrites largest number of values that were first proven between the proof of the
   *     value that was read, and the start of the read
   * @param oldest read with the longest time; empty if none was behind
   */
  public record StaleReads(
      long reads, long behind, long mostNanos, long mostWrites, Optional<RecordedRequest> oldest) {}

  /** Counts contradictions, and keeps the shortest of each kind. */
  static final class Tally {
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private final Map<Kind, Contradiction> witnesses = new EnumMap<>(Kind.class);
    private final List<Long> undecidedKeys = new ArrayList<>();
    private Optional<Contradiction> unordered = Optional.empty();
    private StaleReads stale = new StaleReads(0, 0, 0, 0, Optional.empty());

    /** Returns the number of contradictions that no store may cause. */
    long count() {
      return counts.entrySet().stream()
          .filter(each -> each.getKey() != Kind.NON_MONOTONIC_READ)
          .mapToLong(Map.Entry::getValue)
          .sum();
    }

    /** Adds the result of the search of one key; of its witnesses, only one is reduced. */
    void add(Linearizability.Result searched) {
      searched
          .witness()
          .ifPresent(
              all -> {
                counts.merge(all.kind(), 1L, Long::sum);
                unordered = Stream.concat(unordered.stream(), Stream.of(all)).min(SHORTEST_FIRST);
              });
      undecidedKeys.addAll(searched.undecidedKeys());
    }

    void add(Contradiction found) {
      counts.merge(found.kind(), 1L, Long::sum);
      keep(found);
    }

    private void keep(Contradiction found) {
      witnesses.merge(found.kind(), found, BinaryOperator.minBy(SHORTEST_FIRST));
    }

    /** Adds a stale get; both numbers are 0 if it was not behind. */
    void addStale(RecordedRequest read, long nanos, long writes) {
      stale =
          new StaleReads(
              stale.reads + 1,
              stale.behind + (writes > 0 ? 1 : 0),
              Math.max(stale.mostNanos, nanos),
              Math.max(stale.mostWrites, writes),
              nanos > stale.mostNanos ? Optional.of(read) : stale.oldest);
    }
  }

  /** Checks the history of all keys; the order of the requests does not matter. */
  public static Result check(Collection<RecordedRequest> history) {
    Tally found = new Tally();
    List<Long> others = new ArrayList<>();
    long decided = 0;
    Transactions transactions = new Transactions(history);
    transactions.check(found);
    Map<Long, List<RecordedRequest>> keys = byKey(transactions.narrowed());
    for (Map.Entry<Long, List<RecordedRequest>> key : keys.entrySet()) {
      if (KeyHistory.check(key.getValue(), found)) {
        decided += key.getValue().size();
      } else {
        others.add(key.getKey());
      }
    }
    found
        .unordered
        .map(all -> Linearizability.reduced(all, states -> states > MOST_STATES))
        .ifPresent(found::keep);
    int decidedKeys = keys.size() - others.size();
    return new Result(
        decided,
        decidedKeys,
        others,
        found.undecidedKeys,
        transactions.count(),
        found.counts,
        found.witnesses,
        found.stale);
  }

  /** Returns the requests of each key, by ascending key, in their order in the history. */
  static Map<Long, List<RecordedRequest>> byKey(Collection<RecordedRequest> history) {
    return history.stream()
        .collect(Collectors.groupingBy(RecordedRequest::key, TreeMap::new, Collectors.toList()));
  }
}
