// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.history.Linearizability.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * Searches an order of the requests to one object that a sequential model allows and that respects
 * their times (J. Wing and C. Gong, "Testing and verifying concurrent objects", J. Parallel
 * Distrib. Comput. 17, 1993), and visits no pair of applied requests and state twice (G. Lowe,
 * "Testing for linearizability", Concurrency Computat.: Pract. Exper. 29(4), 2017).
 *
 * <p>A visited pair takes about 150 bytes, plus a bit for each request between the first that is
 * not applied and the last that is.
 */
final class OrderSearch<S> {
  private final SequentialModel<S> model;

  /** In the order of their invocations. */
  private final List<RecordedRequest> requests;

  private final BitSet applied = new BitSet();

  /** The first request that is not applied. */
  private int first;

  /** How many requests completed and are not applied. */
  private long unapplied;

  private final Set<Visited<S>> visited = new HashSet<>();
  private final List<Place<S>> path = new ArrayList<>();

  /** What one object does if requests are applied one after the other; states are values. */
  interface SequentialModel<S> {
    S initial();

    /** Returns whether the request can have its result in this state. */
    boolean allows(S state, RecordedRequest request);

    /** Returns the state after a request that is allowed. */
    S after(S state, RecordedRequest request);

    /**
     * Returns whether all such requests change every state alike, so that any may stand for them.
     */
    default boolean isInterchangeable(RecordedRequest request) {
      return false;
    }
  }

  /** The state after all requests before one, and some after it: nearly always only a few. */
  private record Visited<S>(int from, BitSet others, S state) {}

  /** A request that was applied, the state after it, and those that may be the next. */
  private record Place<S>(int request, S state, PrimitiveIterator.OfInt candidates) {}

  OrderSearch(SequentialModel<S> model, List<RecordedRequest> unordered) {
    this.model = model;
    this.requests =
        unordered.stream().sorted(Comparator.comparingLong(RecordedRequest::invokedNanos)).toList();
    this.unapplied = requests.stream().filter(each -> !each.isOpen()).count();
  }

  int visitedStates() {
    return visited.size();
  }

  /** Searches until it is decided, or the number of visited states is too high. */
  Verdict search(LongPredicate isTooMany) {
    path.add(new Place<>(-1, model.initial(), candidates().iterator()));
    while (unapplied > 0) {
      if (isTooMany.test(visited.size())) {
        return Verdict.NOT_DECIDED;
      }
      Place<S> place = path.get(path.size() - 1);
      if (place.candidates.hasNext()) {
        apply(place.candidates.nextInt(), place.state);
        continue;
      }
      path.remove(path.size() - 1);
      if (path.isEmpty()) {
        return Verdict.NOT_LINEARIZABLE;
      }
      takeBack(place.request);
    }
    return Verdict.LINEARIZABLE;
  }

  /** Applies a request, if the model allows it and the result was not visited before. */
  private void apply(int next, S state) {
    RecordedRequest request = requests.get(next);
    if (!model.allows(state, request)) {
      return;
    }
    S after = model.after(state, request);
    applied.set(next);
    first = applied.nextClearBit(first);
    BitSet others = applied.get(first, Math.max(first, applied.length()));
    unapplied -= request.isOpen() ? 0 : 1;
    if (visited.add(new Visited<>(first, others, after))) {
      path.add(new Place<>(next, after, candidates().iterator()));
    } else {
      takeBack(next);
    }
  }

  private void takeBack(int request) {
    applied.clear(request);
    first = Math.min(first, request);
    unapplied += requests.get(request).isOpen() ? 0 : 1;
  }

  /**
   * Returns the requests that began before any other that is not applied had completed, the open
   * ones last, since the object may do without them. Of interchangeable open ones, the first.
   */
  private IntStream candidates() {
    IntStream.Builder completed = IntStream.builder();
    IntStream.Builder open = IntStream.builder();
    long endNanos = Long.MAX_VALUE;
    boolean isOneOpen = false;
    for (int next = first; next < requests.size(); next = applied.nextClearBit(next + 1)) {
      RecordedRequest request = requests.get(next);
      if (request.invokedNanos() > endNanos) {
        break;
      }
      if (request.isOpen()) {
        boolean isInterchangeable = model.isInterchangeable(request);
        if (!isInterchangeable || !isOneOpen) {
          open.add(next);
        }
        isOneOpen |= isInterchangeable;
      } else {
        completed.add(next);
        endNanos = Math.min(endNanos, request.completedNanos());
      }
    }
    return IntStream.of(IntStream.concat(completed.build(), open.build()).toArray());
  }
}
