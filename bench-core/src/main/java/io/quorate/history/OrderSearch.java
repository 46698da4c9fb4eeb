package io.quorate.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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
  private static final int LAST_SHOWN = 2;
  private static final int STEPS_BETWEEN_CHECKS = 1 << 10;

  private final SequentialModel<R, S> model;
  private final List<Call<R>> calls;
  private final CallSet applied;
  private final Set<Visited<S>> visited = new HashSet<>();

  /** The calls that are applied, and the state before each. */
  private final List<Applied<S>> order = new ArrayList<>();

  private final int head;
  private final int[] callOf;
  private final int[] endOf;
  private final int[] next;
  private final int[] previous;

  private S state;
  private int unapplied;
  private Dead<R, S> longest;

  /**
   * A request and its times.
   *
   * @param completedNanos {@link Long#MAX_VALUE} if it may be applied at any time, or never
   */
  record Call<R>(R request, long invokedNanos, long completedNanos) {
    boolean isOpen() {
      return completedNanos == Long.MAX_VALUE;
    }
  }

  /**
   * A place where the search can go no further.
   *
   * @param applied number of requests before it
   * @param last the last of them
   * @param stuck requests one of which must follow, although none can
   */
  record Dead<R, S>(int applied, List<R> last, S state, List<R> stuck) {}

  /**
   * The result of a search.
   *
   * @param longest what follows the longest order that was found; of use if it is not linearizable
   */
  record Found<R, S>(Linearizability.Verdict verdict, long states, Dead<R, S> longest) {}

  private record Applied<S>(int entry, S before) {}

  private record Visited<S>(int from, long[] words, S state) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Visited<?> visited
          && from == visited.from
          && Arrays.equals(words, visited.words)
          && state.equals(visited.state);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * Arrays.hashCode(words) + from) + state.hashCode();
    }
  }

  /** A set of calls, of which nearly all up to some call are members, and nearly none after it. */
  private static final class CallSet {
    private final long[] words;
    private int low;
    private int high;

    CallSet(int calls) {
      words = new long[calls / Long.SIZE + 1];
    }

    void add(int call) {
      int word = call / Long.SIZE;
      words[word] |= 1L << call;
      high = Math.max(high, word);
      while (low < high && words[low] == -1L) {
        low++;
      }
    }

    void remove(int call) {
      int word = call / Long.SIZE;
      words[word] &= ~(1L << call);
      low = Math.min(low, word);
      while (high > low && words[high] == 0) {
        high--;
      }
    }

    <S> Visited<S> with(S state) {
      return new Visited<>(low, Arrays.copyOfRange(words, low, high + 1), state);
    }
  }

  OrderSearch(SequentialModel<R, S> model, List<Call<R>> unordered) {
    this.model = model;
    this.calls =
        unordered.stream()
            .sorted(
                Comparator.<Call<R>, Boolean>comparing(Call::isOpen)
                    .thenComparingLong(Call::invokedNanos))
            .toList();
    this.state = model.initial();
    this.applied = new CallSet(calls.size());
    this.unapplied = (int) calls.stream().filter(each -> !each.isOpen()).count();
    this.head = 2 * calls.size();
    this.callOf = new int[head + 1];
    this.endOf = new int[calls.size()];
    this.next = new int[head + 1];
    this.previous = new int[head + 1];
    link();
  }

  /** Links invocations and completions by time; at equal times, invocations come first. */
  private void link() {
    record Event(int call, boolean isEnd, long nanos) {}
    List<Event> events = new ArrayList<>();
    for (int call = 0; call < calls.size(); call++) {
      events.add(new Event(call, false, calls.get(call).invokedNanos()));
      if (!calls.get(call).isOpen()) {
        events.add(new Event(call, true, calls.get(call).completedNanos()));
      }
    }
    events.sort(Comparator.comparingLong(Event::nanos).thenComparing(Event::isEnd));
    Arrays.fill(callOf, -1);
    Arrays.fill(endOf, -1);
    for (int entry = 0; entry < events.size(); entry++) {
      Event event = events.get(entry);
      if (event.isEnd) {
        endOf[event.call] = entry;
      } else {
        callOf[entry] = event.call;
      }
      connect(entry == 0 ? head : entry - 1, entry);
    }
    connect(events.isEmpty() ? head : events.size() - 1, head);
  }

  private void connect(int entry, int follower) {
    next[entry] = follower;
    previous[follower] = entry;
  }

  Found<R, S> search(Linearizability.Limit limit) {
    int entry = next[head];
    long steps = 0;
    while (unapplied > 0) {
      steps++;
      boolean isOver =
          visited.size() >= limit.states()
              || steps % STEPS_BETWEEN_CHECKS == 0 && limit.isOver().getAsBoolean();
      if (isOver) {
        return found(Linearizability.Verdict.NOT_DECIDED);
      }
      if (callOf[entry] >= 0) {
        entry = apply(entry) ? next[head] : next[entry];
        continue;
      }
      noteDead(entry);
      if (order.isEmpty()) {
        return found(Linearizability.Verdict.NOT_LINEARIZABLE);
      }
      entry = next[undo()];
    }
    return found(Linearizability.Verdict.LINEARIZABLE);
  }

  private Found<R, S> found(Linearizability.Verdict verdict) {
    return new Found<>(verdict, visited.size(), longest);
  }

  /** Applies a call, if the model allows it and the result was not visited before. */
  private boolean apply(int entry) {
    int call = callOf[entry];
    R request = calls.get(call).request();
    if (!model.allows(state, request)) {
      return false;
    }
    S after = model.after(state, request);
    applied.add(call);
    if (!visited.add(applied.with(after))) {
      applied.remove(call);
      return false;
    }
    order.add(new Applied<>(entry, state));
    state = after;
    unlink(entry);
    if (endOf[call] >= 0) {
      unlink(endOf[call]);
      unapplied--;
    }
    return true;
  }

  /** Takes back the last call, and returns its entry. */
  private int undo() {
    Applied<S> last = order.remove(order.size() - 1);
    int call = callOf[last.entry];
    state = last.before;
    applied.remove(call);
    if (endOf[call] >= 0) {
      relink(endOf[call]);
      unapplied++;
    }
    relink(last.entry);
    return last.entry;
  }

  private void unlink(int entry) {
    next[previous[entry]] = next[entry];
    previous[next[entry]] = previous[entry];
  }

  private void relink(int entry) {
    next[previous[entry]] = entry;
    previous[next[entry]] = entry;
  }

  /** Keeps the longest order that was found; none of the calls before the entry can follow. */
  private void noteDead(int entry) {
    if (longest != null && longest.applied >= order.size()) {
      return;
    }
    List<R> stuck = new ArrayList<>();
    for (int each = next[head]; each != entry; each = next[each]) {
      stuck.add(calls.get(callOf[each]).request());
    }
    List<R> last =
        order.subList(Math.max(0, order.size() - LAST_SHOWN), order.size()).stream()
            .map(each -> calls.get(callOf[each.entry]).request())
            .toList();
    longest = new Dead<>(order.size(), last, state, stuck);
  }
}
