// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures.outage;

import io.quorate.history.RecordedRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Times without an acknowledged request of one kind, from the start of a fault on.
 *
 * @param first first acknowledgment of a request that was sent after the start of the fault
 * @param longest longest time without an acknowledgment, over all clients
 * @param resumed when this longest time ended
 * @param medianClient the same of the median client
 * @param worstClient the same of the client with the longest one
 * @param allBack when every client had an acknowledgment of a request that it sent after the start
 *     of the fault
 */
public record RequestGaps(
    OutageTime first,
    OutageTime longest,
    OutageTime resumed,
    OutageTime medianClient,
    OutageTime worstClient,
    OutageTime allBack) {
  /** The times of one client, or of all together. */
  private static final class Gap {
    private final long start;
    private long lastNanos;
    private long longestNanos;
    private long resumedNanos;
    private long backNanos = RecordedRequest.NEVER;

    Gap(long start) {
      this.start = start;
      this.lastNanos = start;
    }

    void acknowledged(RecordedRequest request) {
      if (request.completedNanos() - lastNanos > longestNanos) {
        longestNanos = request.completedNanos() - lastNanos;
        resumedNanos = request.completedNanos();
      }
      lastNanos = request.completedNanos();
      if (backNanos == RecordedRequest.NEVER && request.invokedNanos() >= start) {
        backNanos = request.completedNanos();
      }
    }

    OutageTime longest(long until) {
      return until - lastNanos > longestNanos
          ? OutageTime.beyond(until - lastNanos)
          : OutageTime.ofNanos(longestNanos);
    }

    OutageTime resumed(long until) {
      return until - lastNanos > longestNanos
          ? OutageTime.beyond(until - start)
          : OutageTime.ofNanos(Math.max(0, resumedNanos - start));
    }

    OutageTime back(long until) {
      return backNanos == RecordedRequest.NEVER
          ? OutageTime.beyond(until - start)
          : OutageTime.ofNanos(backNanos - start);
    }
  }

  /**
   * Returns the times of the requests of a kind; empty if there are none.
   *
   * @param before requests that ended before the fault, to know the clients
   * @param during requests that ended from the start of the fault on, sorted by their end
   */
  static Optional<RequestGaps> of(
      List<RecordedRequest> before,
      List<RecordedRequest> during,
      Predicate<RecordedRequest> kind,
      long start,
      long until) {
    Map<Integer, Gap> clients = new HashMap<>();
    Stream.concat(before.stream(), during.stream())
        .filter(kind)
        .forEach(each -> clients.computeIfAbsent(each.client(), any -> new Gap(start)));
    if (clients.isEmpty()) {
      return Optional.empty();
    }
    Gap all = new Gap(start);
    for (RecordedRequest each : during) {
      if (each.isOk() && kind.test(each)) {
        all.acknowledged(each);
        Objects.requireNonNull(clients.get(each.client())).acknowledged(each);
      }
    }
    OutageSpread gaps = spread(clients.values().stream().map(each -> each.longest(until)));
    return Optional.of(
        new RequestGaps(
            all.back(until),
            all.longest(until),
            all.resumed(until),
            gaps.median(),
            gaps.greatest(),
            spread(clients.values().stream().map(each -> each.back(until))).greatest()));
  }

  private static OutageSpread spread(Stream<OutageTime> times) {
    return OutageSpread.of(times.toList()).orElseThrow();
  }
}
