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
   * @param witness a contradiction of the key with the fewest requests, if not linearizable
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
            request.expected() == RecordedRequest.ANY
                || request.outcome() == Outcome.MISMATCH != (value == request.expected());
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
    Result found = search(history, isTooMany);
    return new Result(
        found.verdict,
        found.states,
        found.undecidedKeys,
        found.witness.map(all -> reduced(all, isTooMany)));
  }

  /** Checks the history as {@link #check} does; the witness has all requests to the key. */
  static Result search(Collection<RecordedRequest> history, LongPredicate isTooMany) {
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
        contradictions.add(new Contradiction(Kind.NOT_LINEARIZABLE, "", requests));
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

  /** Returns a contradiction of all requests to a key with few of them, if that takes not long. */
  static Contradiction reduced(Contradiction all, LongPredicate isTooMany) {
    List<RecordedRequest> few = fewest(all.requests(), isTooMany);
    return new Contradiction(
        all.kind(),
        "no order of %s, out of %s to the key, explains the results"
            .formatted(
                NumberFormats.count(few.size(), "request"),
                NumberFormats.commas(all.requests().size())),
        few);
  }

  /**
   * Returns few requests that contradict each other: those of the fewest values, without the reads
   * and writes that are not needed. Refused compare-and-sets stay only if there is no contradiction
   * without them, and then others need not replace an expected value, if that is possible.
   */
  private static List<RecordedRequest> fewest(
      List<RecordedRequest> requests, LongPredicate isTooMany) {
    long[] work = new long[1];
    Predicate<List<RecordedRequest>> contradicts =
        few -> {
          OrderSearch<Long> search = new OrderSearch<>(Register.REGISTER, few);
          work[0] += few.size();
          boolean found =
              work[0] <= DeltaDebugging.MOST_WORK
                  && search.search(isTooMany) == Verdict.NOT_LINEARIZABLE;
          work[0] += search.visitedStates();
          return found;
        };
    List<RecordedRequest> accepted =
        requests.stream().filter(each -> each.outcome() != Outcome.MISMATCH).toList();
    if (!contradicts.test(accepted)) {
      List<RecordedRequest> kept = withoutReads(requests, contradicts);
      List<RecordedRequest> loose =
          kept.stream().map(each -> each.mayWrite() ? each.withoutExpected() : each).toList();
      return withoutWrites(contradicts.test(loose) ? loose : kept, contradicts);
    }
    List<Long> values =
        accepted.stream()
            .flatMap(each -> Stream.of(each.expected(), valueOf(each)))
            .distinct()
            .toList();
    List<Long> few =
        DeltaDebugging.fewest(
            values, some -> contradicts.test(ofValues(accepted, Set.copyOf(some))));
    return withoutWrites(
        withoutReads(ofValues(accepted, Set.copyOf(few)), contradicts), contradicts);
  }

  private static List<RecordedRequest> withoutReads(
      List<RecordedRequest> requests, Predicate<List<RecordedRequest>> contradicts) {
    return without(requests, each -> !each.mayWrite(), contradicts);
  }

  /**
   * Leaves out deletes, and writes of values that no request names, if no result depends on them:
   * each began after the request that could see it, or was certainly replaced before. If all
   * requests are linearizable, so are the others.
   */
  static List<RecordedRequest> withoutWrites(
      List<RecordedRequest> requests, Predicate<List<RecordedRequest>> contradicts) {
    List<RecordedRequest> writes = requests.stream().filter(RecordedRequest::mayWrite).toList();
    if ((long) writes.size() * requests.size() > DeltaDebugging.MOST_WORK) {
      return requests;
    }
    Set<RecordedRequest> seen = new HashSet<>();
    for (RecordedRequest each : requests) {
      if (each.isRead() || each.action() == Action.COMPARE_AND_SET) {
        long replacedNanos =
            writes.stream()
                .filter(write -> write.isOk() && write.completedNanos() < each.invokedNanos())
                .mapToLong(RecordedRequest::invokedNanos)
                .max()
                .orElse(Long.MIN_VALUE);
        long value = each.isRead() ? each.read() : each.expected();
        writes.stream()
            .filter(
                write ->
                    write.written() == value && value != RecordedRequest.ABSENT
                        || (write.written() == value || each.outcome() == Outcome.MISMATCH)
                            && (each.isOpen() || write.invokedNanos() <= each.completedNanos())
                            && (write.isOpen() || write.completedNanos() >= replacedNanos))
            .forEach(seen::add);
      }
    }
    return without(requests, each -> each.mayWrite() && !seen.contains(each), contradicts);
  }

  /** Returns the requests without as many of some of them as possible. */
  private static List<RecordedRequest> without(
      List<RecordedRequest> requests,
      Predicate<RecordedRequest> some,
      Predicate<List<RecordedRequest>> contradicts) {
    List<RecordedRequest> others = requests.stream().filter(some.negate()).toList();
    List<RecordedRequest> needed =
        DeltaDebugging.fewest(
            requests.stream().filter(some).toList(), few -> contradicts.test(joined(others, few)));
    return joined(others, needed);
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
   * compare-and-set that replaced a value that is left out may replace any value.
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
                    : each.withoutExpected())
        .toList();
  }
}
