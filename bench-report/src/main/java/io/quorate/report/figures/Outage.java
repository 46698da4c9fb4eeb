// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.history.RecordedRequest;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import io.quorate.results.FaultRecord;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What clients observed of a fault, from its start until the end of the time in which its effects
 * are measured. Response times run from the scheduled send time.
 *
 * @param writes times without an acknowledged write; empty if there are no writes
 * @param reads the same of linearizable reads
 * @param staleReads the same of reads that may return old values
 * @param elected when another member reported that it leads; empty if none did
 * @param serving when all members served again
 * @param caughtUp time from the end of the fault until the affected members had applied what the
 *     leader had applied then; empty if that is not known
 * @param stable begin of the first {@value #STABLE_SECONDS} s of which each has at least 99% of its
 *     requests acknowledged, with a p99 of at most twice the one before the fault; empty if that is
 *     not known
 * @param longestResponse longest response time of an acknowledged request; it is longer if another
 *     request took more time and has no result
 * @param acknowledged number of requests that were acknowledged
 * @param failed number of requests that certainly had no effect
 * @param unknown number of writes without an answer, which may have had an effect
 * @param dropped number of requests that were due and not sent
 * @param late number of requests that were not acknowledged within 1 s after they were due, with
 *     the dropped ones
 * @param lost late requests as time: divided by the offered rate; empty in a closed loop
 * @param calmP99Ms p99 of the response times in the {@value #CALM_SECONDS} s before the fault
 * @param p99Ms p99 of the response times
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
    OptionalDouble calmP99Ms,
    OptionalDouble p99Ms,
    OutageCurve curve) {
  static final int CALM_SECONDS = 10;
  static final int STABLE_SECONDS = 5;

  private static final long SECOND = 1_000_000_000L;

  /** Distance of the times at which the requests are examined for stability. */
  private static final long STEP = SECOND / 10;

  private static final double STABLE_PART = 0.99;
  private static final double STABLE_RATIO = 2;
  private static final double P99 = 0.99;

  /**
   * Returns what was observed of a fault.
   *
   * @param rate offered requests per second; empty in a closed loop
   */
  static Outage of(FaultRecord fault, RequestTimeline requests, OptionalLong rate) {
    long start = fault.startNanos();
    long until = fault.untilNanos();
    List<RecordedRequest> before = requests.ended(start - CALM_SECONDS * SECOND, start);
    List<RecordedRequest> during = requests.ended(start, until);
    OptionalDouble calmP99 = p99(before);
    long dropped = dropped(fault, requests, start, until);
    long late = dropped + requests.due(start, until).stream().filter(Outage::isLate).count();
    return new Outage(
        fault,
        gaps(Action.PUT, before, during, fault),
        gaps(Action.GET, before, during, fault),
        gaps(Action.STALE_GET, before, during, fault),
        since(fault.electedNanos(), start),
        since(fault.servingNanos(), start).orElse(OutageTime.beyond(until - start)),
        since(fault.caughtUpNanos(), fault.endNanos()),
        calmP99.isEmpty()
            ? Optional.empty()
            : Optional.of(stable(fault, requests, STABLE_RATIO * calmP99.getAsDouble())),
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
        p99(during),
        OutageCurve.of(requests, start, until));
  }

  private static Optional<RequestGaps> gaps(
      Action action, List<RecordedRequest> before, List<RecordedRequest> during, FaultRecord of) {
    return RequestGaps.of(
        before, during, each -> each.action() == action, of.startNanos(), of.untilNanos());
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

  private static OutageTime stable(FaultRecord fault, RequestTimeline requests, double mostMs) {
    long length = fault.untilNanos() - fault.startNanos();
    int perSecond = (int) (SECOND / STEP);
    int count = (int) Math.max(0, (length - SECOND) / STEP + 1);
    int good = 0;
    int[] seconds = new int[count + perSecond];
    for (int i = count - 1; i >= 0; i--) {
      boolean isGood = isGood(fault, requests, fault.startNanos() + i * STEP, mostMs);
      seconds[i] = isGood ? 1 + seconds[i + perSecond] : 0;
    }
    while (good < count && seconds[good] < STABLE_SECONDS) {
      good++;
    }
    return good < count
        ? OutageTime.ofNanos(good * STEP)
        : OutageTime.beyond(Math.max(0, length - STABLE_SECONDS * SECOND));
  }

  /** Returns whether enough requests of a second were acknowledged, and soon enough. */
  private static boolean isGood(
      FaultRecord fault, RequestTimeline requests, long from, double mostMs) {
    List<RecordedRequest> due = requests.due(from, from + SECOND);
    OptionalDouble p99 = p99(due);
    return p99.isPresent()
        && p99.getAsDouble() <= mostMs
        && count(due, Outcome.OK) >= STABLE_PART * due.size()
        && dropped(fault, requests, from, from + SECOND) == 0;
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

  /** Returns the p99 of the response times in milliseconds; empty if none was acknowledged. */
  static OptionalDouble p99(List<RecordedRequest> requests) {
    long[] nanos =
        requests.stream()
            .filter(RecordedRequest::isOk)
            .mapToLong(each -> each.completedNanos() - each.dueNanos())
            .sorted()
            .toArray();
    return nanos.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            nanos[(int) Math.ceil(P99 * nanos.length) - 1] / OutageTime.NANOS_PER_MS);
  }
}
