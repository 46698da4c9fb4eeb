// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures.outage;

import io.quorate.history.RecordedRequest;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import io.quorate.results.FaultRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What clients observed of a fault, from its start until the end of the time in which its effects
 * are measured. Response times run from the scheduled send time.
 *
 * @param writes times without an acknowledged write; empty if there are no writes
 * @param reads the same of linearizable reads
 * @param staleReads the same of reads that may return old values
 * @param elected when another member reported that it leads, at the latest when writes continued
 *     that needed it; empty if none did
 * @param serving when all members served again
 * @param caughtUp time from the end of the fault until the affected members had applied what the
 *     leader had applied then; empty if that is not known
 * @param stable begin of the first {@value #STABLE_SECONDS} s of which each is {@link #isGood};
 *     empty if that is not known
 * @param longestResponse longest response time of an acknowledged request; it is longer if another
 *     request took more time and has no result
 * @param acknowledged number of requests that were acknowledged
 * @param failed number of requests that certainly had no effect
 * @param unknown number of writes without an answer, which may have had an effect
 * @param dropped number of requests that were due and not sent
 * @param late number of requests that were not acknowledged within 1 s after they were due, with
 *     the dropped ones
 * @param lost late requests as time: divided by the offered rate; empty in a closed loop
 * @param calmP99 p99 of the response times in the {@value #CALM_SECONDS} s before the fault
 * @param p99 p99 of the response times of requests that were due from its start on; requests
 *     without an acknowledgment, and dropped ones, are longer than all others
 * @param calm writes before maintenance; empty for a fault, or without writes
 */
public record Outage(
    FaultRecord fault,
    Optional<RequestGaps> writes,
    Optional<RequestGaps> reads,
    Optional<RequestGaps> staleReads,
    Optional<OutageTime> elected,
    OutageTime serving,
    Optional<OutageTime> caughtUp,
    Optional<OutageTime> stable,
    Optional<OutageTime> longestResponse,
    long acknowledged,
    long failed,
    long unknown,
    long dropped,
    long late,
    Optional<OutageTime> lost,
    Optional<OutageTime> calmP99,
    Optional<OutageTime> p99,
    Optional<Calm> calm,
    OutageCurve curve) {
  static final int CALM_SECONDS = 10;
  static final int STABLE_SECONDS = 5;

  private static final long SECOND = 1_000_000_000L;

  /** Distance of the times at which the requests are examined for stability. */
  private static final long STEP = SECOND / 10;

  private static final double STABLE_PART = 0.99;
  private static final double STABLE_RATIO = 2;
  private static final double USUAL_PART = 1.0 / 3;
  private static final double P99 = 0.99;

  /**
   * The longest times without an acknowledged write in two equally long times.
   *
   * @param nanos their length
   * @param before the longest one just before maintenance, while nothing else happened
   * @param during the longest one from the start of the maintenance on
   */
  public record Calm(long nanos, OutageTime before, OutageTime during) {}

  /**
   * Returns what was observed of a fault.
   *
   * @param rate offered requests per second; empty in a closed loop
   * @param calmNanos time since when the cluster was left alone before
   */
  static Outage of(FaultRecord fault, RequestTimeline requests, OptionalLong rate, long calmNanos) {
    long start = fault.startNanos();
    long until = fault.untilNanos();
    List<RecordedRequest> before = requests.ended(start - CALM_SECONDS * SECOND, start);
    List<RecordedRequest> during = requests.ended(start, until);
    List<RecordedRequest> due = requests.due(start, until);
    Optional<OutageTime> calmP99 =
        p99(before, dropped(fault, requests, start - CALM_SECONDS * SECOND, start), start);
    Optional<RequestGaps> writes = gaps(Action.PUT, before, during, fault);
    long dropped = dropped(fault, requests, start, until);
    long late = dropped + due.stream().filter(Outage::isLate).count();
    return new Outage(
        fault,
        writes,
        gaps(Action.GET, before, during, fault),
        gaps(Action.STALE_GET, before, during, fault),
        since(fault.electedNanos(), start).map(seen -> elected(fault, seen, writes)),
        since(fault.servingNanos(), start).orElse(OutageTime.beyond(until - start)),
        since(fault.caughtUpNanos(), fault.endNanos()),
        calmP99
            .filter(OutageTime::ended)
            .map(p99 -> stable(fault, requests, before, STABLE_RATIO * p99.ms())),
        longestResponse(during),
        count(during, Outcome.OK),
        count(during, Outcome.FAILED),
        count(during, Outcome.UNKNOWN),
        dropped,
        late,
        rate.isEmpty()
            ? Optional.empty()
            : Optional.of(OutageTime.ofNanos(late * SECOND / rate.getAsLong())),
        calmP99,
        p99(due, dropped, until),
        calm(fault, requests, calmNanos),
        OutageCurve.of(requests, start, until));
  }

  private static Optional<RequestGaps> gaps(
      Action action, List<RecordedRequest> before, List<RecordedRequest> during, FaultRecord of) {
    return RequestGaps.of(
        before, during, each -> each.action() == action, of.startNanos(), of.untilNanos());
  }

  /** If the old leader cannot acknowledge writes, a new one leads when they continue. */
  private static OutageTime elected(
      FaultRecord fault, OutageTime seen, Optional<RequestGaps> writes) {
    return writes
        .filter(any -> fault.kind().fault().silencesLeader())
        .map(RequestGaps::resumed)
        .filter(resumed -> resumed.ended() && resumed.ms() < seen.ms())
        .orElse(seen);
  }

  private static Optional<Calm> calm(FaultRecord of, RequestTimeline requests, long calmNanos) {
    long start = of.startNanos();
    long nanos = Math.min(of.untilNanos() - start, start - calmNanos);
    if (!of.kind().fault().isMaintenance() || nanos <= 0) {
      return Optional.empty();
    }
    List<RecordedRequest> before = requests.ended(start - nanos, start);
    List<RecordedRequest> during = requests.ended(start, start + nanos);
    Predicate<RecordedRequest> writes = each -> each.action() == Action.PUT;
    return RequestGaps.of(List.of(), before, writes, start - nanos, start)
        .flatMap(
            calm ->
                RequestGaps.of(before, during, writes, start, start + nanos)
                    .map(gaps -> new Calm(nanos, calm.longest(), gaps.longest())));
  }

  private static Optional<OutageTime> since(OptionalLong nanos, long start) {
    return nanos.isEmpty()
        ? Optional.empty()
        : Optional.of(OutageTime.ofNanos(nanos.getAsLong() - start));
  }

  private static long dropped(FaultRecord fault, RequestTimeline requests, long from, long until) {
    long unix = fault.startUnixNanos() - fault.startNanos();
    return requests.dropped(unix + from, unix + until);
  }

  private static long count(List<RecordedRequest> requests, Outcome outcome) {
    return requests.stream().filter(each -> each.outcome() == outcome).count();
  }

  private static boolean isLate(RecordedRequest request) {
    return !request.isOk() || request.completedNanos() - request.dueNanos() > SECOND;
  }

  private static OutageTime stable(
      FaultRecord fault, RequestTimeline requests, List<RecordedRequest> before, double mostMs) {
    long length = fault.untilNanos() - fault.startNanos();
    int perSecond = (int) (SECOND / STEP);
    int count = (int) Math.max(0, (length - SECOND) / STEP + 1);
    List<RecordedRequest> waiting =
        requests.due(fault.startNanos() - CALM_SECONDS * SECOND, fault.untilNanos()).stream()
            .filter(each -> elapsed(each, fault.untilNanos()) > SECOND)
            .toList();
    double calmSeconds =
        Math.max(1, (double) (fault.startNanos() - before.get(0).completedNanos()) / SECOND);
    Map<Action, Long> usual =
        before.stream()
            .filter(RecordedRequest::isOk)
            .collect(Collectors.groupingBy(RecordedRequest::action, Collectors.counting()));
    usual.replaceAll((action, number) -> (long) (number / calmSeconds * USUAL_PART));
    int good = 0;
    int[] seconds = new int[count + perSecond];
    for (int i = count - 1; i >= 0; i--) {
      long from = fault.startNanos() + i * STEP;
      boolean isGood =
          isGood(requests.due(from, from + SECOND), usual, mostMs)
              && dropped(fault, requests, from, from + SECOND) == 0
              && waiting.stream()
                  .noneMatch(
                      each ->
                          each.dueNanos() < from
                              && each.dueNanos() + elapsed(each, fault.untilNanos()) > from);
      seconds[i] = isGood ? 1 + seconds[i + perSecond] : 0;
    }
    while (good < count && seconds[good] < STABLE_SECONDS) {
      good++;
    }
    return good < count
        ? OutageTime.ofNanos(good * STEP)
        : OutageTime.beyond(Math.max(0, length - STABLE_SECONDS * SECOND));
  }

  /**
   * Returns whether a second was as before: of each kind of request, 99% were acknowledged within a
   * second, and at least the given number; the p99 was at most the given one.
   */
  private static boolean isGood(List<RecordedRequest> due, Map<Action, Long> least, double mostMs) {
    for (Map.Entry<Action, Long> each : least.entrySet()) {
      List<RecordedRequest> same =
          due.stream().filter(request -> request.action() == each.getKey()).toList();
      long soon = same.stream().filter(request -> !isLate(request)).count();
      if (soon < STABLE_PART * same.size() || soon < each.getValue()) {
        return false;
      }
    }
    return p99(due, 0, 0).filter(p99 -> p99.ended() && p99.ms() <= mostMs).isPresent();
  }

  /** Returns how long a request took, or has taken until a time if it has no result. */
  private static long elapsed(RecordedRequest request, long until) {
    return (request.completedNanos() == RecordedRequest.NEVER ? until : request.completedNanos())
        - request.dueNanos();
  }

  private static Optional<OutageTime> longestResponse(List<RecordedRequest> during) {
    long longest = longest(during, true);
    return longest < 0
        ? Optional.empty()
        : Optional.of(
            longest(during, false) > longest
                ? OutageTime.beyond(longest(during, false))
                : OutageTime.ofNanos(longest));
  }

  private static long longest(List<RecordedRequest> requests, boolean ok) {
    return requests.stream()
        .filter(each -> each.isOk() == ok)
        .mapToLong(each -> each.completedNanos() - each.dueNanos())
        .max()
        .orElse(-1);
  }

  /**
   * Returns the p99 of the response times, in which requests without an acknowledgment and dropped
   * ones are longer than all others; empty without requests.
   *
   * @param until time until which requests without a result are known to have taken
   */
  static Optional<OutageTime> p99(List<RecordedRequest> requests, long dropped, long until) {
    long[] nanos =
        requests.stream()
            .filter(RecordedRequest::isOk)
            .mapToLong(each -> each.completedNanos() - each.dueNanos())
            .sorted()
            .toArray();
    long count = requests.size() + dropped;
    int rank = (int) Math.ceil(P99 * count) - 1;
    return count == 0
        ? Optional.empty()
        : Optional.of(
            rank < nanos.length
                ? OutageTime.ofNanos(nanos[rank])
                : OutageTime.beyond(
                    requests.stream().mapToLong(each -> elapsed(each, until)).max().orElse(0)));
  }
}
