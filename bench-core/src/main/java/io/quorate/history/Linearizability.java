// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.Named;
import io.quorate.format.NumberFormats;
import io.quorate.history.Contradiction.Kind;
import io.quorate.history.OrderSearch.Found;
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
import java.util.stream.Stream;

/**
 * Searches an order of the requests to each key that explains all results: each key is a register
 * with put, get, compare-and-set and delete. The worst case takes exponential time, so the search
 * has a limit, and what it did not decide is not a pass.
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
      Found<Long> found = search.search(isTooMany);
      states += search.visitedStates();
      if (found.verdict() == Verdict.NOT_DECIDED) {
        undecided.add(key.getKey());
      } else if (found.verdict() == Verdict.NOT_LINEARIZABLE) {
        contradictions.add(contradiction(found, requests.size()));
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

  private static Contradiction contradiction(Found<Long> longest, int requests) {
    return new Contradiction(
        Kind.NOT_LINEARIZABLE,
        "the key is %s after %s of %s, and no request can follow"
            .formatted(
                RecordedRequest.value(longest.state()),
                NumberFormats.commas(longest.applied()),
                NumberFormats.count(requests, "request")),
        Stream.concat(longest.last().stream(), longest.stuck().stream()).toList());
  }
}
