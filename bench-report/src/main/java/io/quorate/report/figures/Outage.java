package io.quorate.report.figures;

import io.quorate.history.RecordedRequest;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import io.quorate.results.FaultRecord;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * What clients observed of a fault, from its start until the end of the time in which its effects
 * are measured. Times are in milliseconds since the start of the fault. A time that did not end
 * before that is missing.
 *
 * @param electedMs when another member reported that it leads; empty if none did
 * @param servingMs when all members served again; empty if they did not
 * @param acknowledged number of requests that were acknowledged
 * @param failed number of requests that certainly had no effect
 * @param unknown number of writes without an answer, which may have had an effect
 * @param calmP99Ms p99 of the time from sending in the {@value #CALM_SECONDS} s before the fault
 * @param p99Ms p99 of the time from sending
 */
public record Outage(
    FaultRecord fault,
    Gaps writes,
    Gaps reads,
    OptionalDouble electedMs,
    OptionalDouble servingMs,
    long acknowledged,
    long failed,
    long unknown,
    OptionalDouble calmP99Ms,
    OptionalDouble p99Ms) {
  static final int CALM_SECONDS = 5;

  private static final double NANOS_PER_MS = 1e6;
  private static final double P99 = 0.99;

  /**
   * Times without an acknowledged request of one kind.
   *
   * @param firstMs first acknowledgment of a request that was sent after the start of the fault
   * @param longestMs longest time without an acknowledgment, over all clients
   * @param worstClientMs the same of the client with the longest one
   * @param allBackMs when every client had an acknowledgment of a request that it sent after the
   *     start of the fault
   */
  public record Gaps(
      OptionalDouble firstMs,
      OptionalDouble longestMs,
      OptionalDouble worstClientMs,
      OptionalDouble allBackMs) {}

  /** Returns what was observed of a fault; requests are sorted by their completion. */
  static Outage of(FaultRecord fault, List<RecordedRequest> requests) {
    long start = fault.startNanos();
    long until = fault.untilNanos();
    List<RecordedRequest> during = between(requests, start, until);
    List<RecordedRequest> before = between(requests, start - CALM_SECONDS * 1_000_000_000L, start);
    return new Outage(
        fault,
        gaps(during, each -> each.action() == Action.PUT, start, until),
        gaps(during, each -> each.action() != Action.PUT, start, until),
        since(fault.electedNanos().isPresent() ? fault.electedNanos().getAsLong() : -1, start),
        since(fault.servingNanos().isPresent() ? fault.servingNanos().getAsLong() : -1, start),
        count(during, Outcome.OK),
        count(during, Outcome.FAILED),
        count(during, Outcome.UNKNOWN),
        p99(before),
        p99(during));
  }

  private static List<RecordedRequest> between(
      List<RecordedRequest> sorted, long from, long until) {
    return sorted.subList(place(sorted, from), place(sorted, until));
  }

  /** Returns how many requests completed before this time. */
  private static int place(List<RecordedRequest> sorted, long nanos) {
    int low = 0;
    int high = sorted.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted.get(middle).completedNanos() < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static OptionalDouble since(long nanos, long start) {
    return nanos < 0 ? OptionalDouble.empty() : OptionalDouble.of((nanos - start) / NANOS_PER_MS);
  }

  private static long count(List<RecordedRequest> requests, Outcome outcome) {
    return requests.stream().filter(each -> each.outcome() == outcome).count();
  }

  private static Gaps gaps(
      List<RecordedRequest> during, Predicate<RecordedRequest> kind, long start, long until) {
    List<RecordedRequest> ofKind = during.stream().filter(kind).toList();
    long[] acknowledged =
        ofKind.stream()
            .filter(each -> each.outcome() == Outcome.OK)
            .mapToLong(RecordedRequest::completedNanos)
            .toArray();
    Map<Integer, Long> last = new HashMap<>();
    Map<Integer, Long> worst = new HashMap<>();
    Map<Integer, Long> back = new HashMap<>();
    for (RecordedRequest each : ofKind) {
      last.putIfAbsent(each.client(), start);
      if (each.outcome() == Outcome.OK) {
        long gap = each.completedNanos() - last.put(each.client(), each.completedNanos());
        worst.merge(each.client(), gap, Math::max);
        if (each.invokedNanos() >= start) {
          back.putIfAbsent(each.client(), each.completedNanos());
        }
      }
    }
    last.forEach((client, time) -> worst.merge(client, until - time, Math::max));
    boolean allBack = !last.isEmpty() && back.size() == last.size();
    return new Gaps(
        since(back.values().stream().min(Comparator.naturalOrder()).orElse(-1L), start),
        longest(acknowledged, start, until),
        worst.isEmpty()
            ? OptionalDouble.empty()
            : OptionalDouble.of(
                worst.values().stream().max(Comparator.naturalOrder()).orElseThrow()
                    / NANOS_PER_MS),
        allBack
            ? since(back.values().stream().max(Comparator.naturalOrder()).orElseThrow(), start)
            : OptionalDouble.empty());
  }

  /** Returns the longest time without an acknowledgment; empty if there was none at all. */
  private static OptionalDouble longest(long[] acknowledged, long start, long until) {
    if (acknowledged.length == 0) {
      return OptionalDouble.empty();
    }
    long longest = until - acknowledged[acknowledged.length - 1];
    long last = start;
    for (long each : acknowledged) {
      longest = Math.max(longest, each - last);
      last = each;
    }
    return OptionalDouble.of(longest / NANOS_PER_MS);
  }

  private static OptionalDouble p99(List<RecordedRequest> requests) {
    double[] times =
        requests.stream()
            .filter(each -> each.outcome() == Outcome.OK)
            .mapToDouble(each -> (each.completedNanos() - each.invokedNanos()) / NANOS_PER_MS)
            .sorted()
            .toArray();
    return times.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(times[(int) Math.ceil(P99 * times.length) - 1]);
  }
}
