package io.quorate.history;

import io.quorate.history.Linearizability.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * Searches an order of the requests to one object that a sequential model allows and that respects
 * their times (J. Wing and C. Gong, "Testing and verifying concurrent objects", J. Parallel
 * Distrib. Comput. 17, 1993), and visits no pair of applied requests and state twice (G. Lowe,
 * "Testing for linearizability", Concurrency Computat.: Pract. Exper. 29(4), 2017).
 *
 * <p>A visited pair takes about 150 bytes, plus 8 bytes for each 64 requests between the first that
 * is not applied and the last that is.
 */
final class OrderSearch<R, S> {
  static final long OPEN = Long.MAX_VALUE;
  private static final int SHOWN = 2;

  private final SequentialModel<R, S> model;

  /** Those that completed, then the open ones, both in the order of their invocations. */
  private final List<R> requests;

  private final int completed;
  private final BitSet applied = new BitSet();
  private final Set<Visited<S>> visited = new HashSet<>();
  private final List<Place<S>> path = new ArrayList<>();

  /** What one object does if requests are applied one after the other; states are values. */
  interface SequentialModel<R, S> {
    S initial();

    long invokedNanos(R request);

    /** Returns the completion; {@link #OPEN} if it is applied at any time, or never. */
    long completedNanos(R request);

    /** Returns whether the request can have its result in this state. */
    boolean allows(S state, R request);

    /** Returns the state after a request that is allowed. */
    S after(S state, R request);
  }

  /**
   * The result of a search, with the longest order that was found if it is not linearizable.
   *
   * @param applied number of requests of the longest order
   * @param last the last of them
   * @param state state after them
   * @param stuck requests one of which must follow, although none can
   */
  record Found<R, S>(Verdict verdict, int applied, List<R> last, S state, List<R> stuck) {}

  /** The state after all requests before one, and some after it: nearly always only a few. */
  private record Visited<S>(int from, BitSet others, S state) {}

  /** A request that was applied, the state after it, and which may be the next. */
  private static final class Place<S> {
    private final int request;
    private final S state;
    private final int[] candidates;
    private int tried;

    Place(int request, S state, int[] candidates) {
      this.request = request;
      this.state = state;
      this.candidates = candidates;
    }
  }

  OrderSearch(SequentialModel<R, S> model, List<R> unordered) {
    this.model = model;
    this.requests =
        unordered.stream()
            .sorted(Comparator.comparing(this::isOpen).thenComparingLong(model::invokedNanos))
            .toList();
    this.completed = (int) requests.stream().filter(each -> !isOpen(each)).count();
  }

  private boolean isOpen(R request) {
    return model.completedNanos(request) == OPEN;
  }

  int visitedStates() {
    return visited.size();
  }

  /** Searches until it is decided, or the number of visited states is too high. */
  Found<R, S> search(LongPredicate isTooMany) {
    path.add(new Place<>(-1, model.initial(), candidates()));
    Found<R, S> longest = found(Verdict.NOT_LINEARIZABLE);
    while (applied.nextClearBit(0) < completed) {
      if (isTooMany.test(visited.size())) {
        return found(Verdict.NOT_DECIDED);
      }
      Place<S> place = path.get(path.size() - 1);
      if (place.tried < place.candidates.length) {
        apply(place.candidates[place.tried++], place.state);
        continue;
      }
      if (path.size() - 1 > longest.applied) {
        longest = found(Verdict.NOT_LINEARIZABLE);
      }
      path.remove(path.size() - 1);
      if (path.isEmpty()) {
        return longest;
      }
      applied.clear(place.request);
    }
    return found(Verdict.LINEARIZABLE);
  }

  /** Applies a request, if the model allows it and the result was not visited before. */
  private void apply(int next, S state) {
    R request = requests.get(next);
    if (!model.allows(state, request)) {
      return;
    }
    S after = model.after(state, request);
    applied.set(next);
    int from = applied.nextClearBit(0);
    BitSet others = applied.get(from, Math.max(from, applied.length()));
    if (visited.add(new Visited<>(from, others, after))) {
      path.add(new Place<>(next, after, candidates()));
    } else {
      applied.clear(next);
    }
  }

  /** Returns the requests that began before all others that are not applied had completed. */
  private int[] candidates() {
    IntStream.Builder candidates = IntStream.builder();
    long endNanos = OPEN;
    int next = applied.nextClearBit(0);
    while (next < requests.size()) {
      if (model.invokedNanos(requests.get(next)) <= endNanos) {
        candidates.add(next);
        endNanos = Math.min(endNanos, model.completedNanos(requests.get(next)));
      } else {
        next = Math.max(next, completed - 1);
      }
      next = applied.nextClearBit(next + 1);
    }
    return candidates.build().toArray();
  }

  private Found<R, S> found(Verdict verdict) {
    Place<S> place = path.get(path.size() - 1);
    List<R> last =
        path.stream()
            .skip(Math.max(1, path.size() - SHOWN))
            .map(each -> requests.get(each.request))
            .toList();
    List<R> stuck = IntStream.of(place.candidates).mapToObj(requests::get).toList();
    return new Found<>(verdict, path.size() - 1, last, place.state, stuck);
  }
}
