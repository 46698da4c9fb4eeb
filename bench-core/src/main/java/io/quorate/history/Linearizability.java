// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.Named;
import io.quorate.format.NumberFormats;
import io.quorate.history.Contradiction.Kind;
import io.quorate.history.OrderSearch.SequentialModel;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Searches an order of the requests to each key that explains all results: each key is a register
 * with put, get, compare-and-set and delete. The worst case takes exponential time, so the search
 * has a limit, and what it did not decide is not a pass.
 *
 * <p>Of what contradicts itself, few requests are shown that do so alone.
 *
 * <p>Stale gets, and requests that certainly were not applied, are left out. A write with an
 * unknown outcome is applied at any time after its invocation, or never.
 */
public final class Linearizability {
  private Linearizability() {}

  /** What a search found. */
  public enum Verdict implements Named {
    LINEARIZABLE,
    NOT_LINEARIZABLE,
    NOT_DECIDED
  }

  /**
   * The result for a history.
   *
   * @param verdict {@link Verdict#NOT_LINEARIZABLE} if one key is not linearizable, otherwise
   *     {@link Verdict#NOT_DECIDED} if one key was not decided
   * @param states number of visited states of all keys
   * @param undecidedKeys keys whose search reached a limit, in ascending order
   * @param witness the shortest contradiction, if not linearizable
   */
  public record Result(
      Verdict verdict, long states, List<Long> undecidedKeys, Optional<Contradiction> witness) {
    public Result {
      undecidedKeys = List.copyOf(undecidedKeys);
    }
  }

  /** One key. */
  private enum Register implements SequentialModel<Long> {
    REGISTER;

    @Override
    public Long initial() {
      return RecordedRequest.ABSENT;
    }

    @Override
    public boolean allows(Long value, RecordedRequest request) {
      return switch (request.action()) {
        case GET -> value == request.read();
        case COMPARE_AND_SET ->
            request.outcome() == Outcome.MISMATCH != (value == request.expected());
        default -> true;
      };
    }

    @Override
    public Long after(Long value, RecordedRequest request) {
      return request.mayWrite() ? request.written() : value;
    }

    @Override
    public boolean isInterchangeable(RecordedRequest request) {
      return request.action() == Action.DELETE;
    }
  }

  /**
   * Checks the history of all keys; the order of the requests does not matter.
   *
   * @param isTooMany whether to give up a key after a number of visited states: at a fixed number,
   *     because each takes about 150 bytes, or when a time has passed
   */
  public static Result check(Collection<RecordedRequest> history, LongPredicate isTooMany) {
    long states = 0;
    List<Long> undecided = new ArrayList<>();
    List<Contradiction> contradictions = new ArrayList<>();
    for (Map.Entry<Long, List<RecordedRequest>> key : UniqueValues.byKey(history).entrySet()) {
      List<RecordedRequest> requests = relevant(key.getValue());
      OrderSearch<Long> search = new OrderSearch<>(Register.REGISTER, requests);
      Verdict verdict = search.search(isTooMany);
      states += search.visitedStates();
      if (verdict == Verdict.NOT_DECIDED) {
        undecided.add(key.getKey());
      } else if (verdict == Verdict.NOT_LINEARIZABLE) {
        contradictions.add(contradiction(requests, isTooMany));
      }
    }
    Optional<Contradiction> witness = contradictions.stream().min(Contradiction.SHORTEST_FIRST);
    Verdict others = undecided.isEmpty() ? Verdict.LINEARIZABLE : Verdict.NOT_DECIDED;
    return new Result(
        witness.isPresent() ? Verdict.NOT_LINEARIZABLE : others, states, undecided, witness);
  }

  /**
   * Returns the requests that matter. A write with an unknown outcome does not if nothing saw its
   * value: then no other result depends on whether it was applied.
   */
  private static List<RecordedRequest> relevant(List<RecordedRequest> requests) {
    boolean isMismatch = requests.stream().anyMatch(each -> each.outcome() == Outcome.MISMATCH);
    Set<Long> seen = new HashSet<>();
    for (RecordedRequest each : requests) {
      if (each.isLinearizableRead()) {
        seen.add(each.read());
      } else if (each.action() == Action.COMPARE_AND_SET && each.mayWrite()) {
        seen.add(each.expected());
      }
    }
    return requests.stream()
        .filter(
            each ->
                each.isLinearizableRead()
                    || each.outcome() == Outcome.MISMATCH
                    || each.mayWrite()
                        && (each.isOk() || isMismatch || seen.contains(each.written())))
        .toList();
  }

  private static Contradiction contradiction(
      List<RecordedRequest> requests, LongPredicate isTooMany) {
    List<RecordedRequest> few = fewest(requests, isTooMany);
    return new Contradiction(
        Kind.NOT_LINEARIZABLE,
        "no order of %s, out of %s to the key, explains the results"
            .formatted(
                NumberFormats.count(few.size(), "request"), NumberFormats.commas(requests.size())),
        few);
  }

  /**
   * Returns few requests that contradict each other: first those of the fewest values, then without
   * the reads that are not needed. Refused compare-and-sets stay only if there is no contradiction
   * without them, and then so do all values.
   */
  private static List<RecordedRequest> fewest(
      List<RecordedRequest> requests, LongPredicate isTooMany) {
    Predicate<List<RecordedRequest>> contradicts =
        few ->
            new OrderSearch<>(Register.REGISTER, few).search(isTooMany) == Verdict.NOT_LINEARIZABLE;
    List<RecordedRequest> kept =
        requests.stream().filter(each -> each.outcome() != Outcome.MISMATCH).toList();
    if (contradicts.test(kept)) {
      List<RecordedRequest> accepted = kept;
      List<Long> values =
          accepted.stream()
              .flatMap(each -> Stream.of(each.expected(), valueOf(each)))
              .distinct()
              .toList();
      Set<Long> few =
          Set.copyOf(
              DeltaDebugging.fewest(
                  values, some -> contradicts.test(ofValues(accepted, Set.copyOf(some)))));
      kept = accepted.stream().filter(each -> few.contains(valueOf(each))).toList();
      return withoutReads(kept, some -> contradicts.test(ofValues(some, few)));
    }
    return withoutReads(requests, contradicts);
  }

  private static List<RecordedRequest> withoutReads(
      List<RecordedRequest> requests, Predicate<List<RecordedRequest>> contradicts) {
    List<RecordedRequest> writes = requests.stream().filter(RecordedRequest::mayWrite).toList();
    List<RecordedRequest> others = requests.stream().filter(each -> !each.mayWrite()).toList();
    List<RecordedRequest> needed =
        DeltaDebugging.fewest(others, some -> contradicts.test(joined(writes, some)));
    return joined(writes, needed);
  }

  private static List<RecordedRequest> joined(
      List<RecordedRequest> some, List<RecordedRequest> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  /** Returns the value that a request wrote or read. */
  private static long valueOf(RecordedRequest request) {
    return request.isRead() ? request.read() : request.written();
  }

  /**
   * Returns the requests that wrote or read some values. If the requests to a key are linearizable,
   * so are these: without the writes of a value, nothing is left that depends on it. A
   * compare-and-set that replaced a value that is left out becomes a put.
   *
   * @param requests requests without refused compare-and-sets
   */
  static List<RecordedRequest> ofValues(Collection<RecordedRequest> requests, Set<Long> values) {
    return requests.stream()
        .filter(each -> values.contains(valueOf(each)))
        .map(
            each ->
                each.action() != Action.COMPARE_AND_SET || values.contains(each.expected())
                    ? each
                    : each.asPut())
        .toList();
  }
}
