// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures.outage;

import io.quorate.history.RecordedRequest;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The requests of a load, by the time at which they ended and by the time at which they were due.
 * Times are nanoseconds since the beginning of the history.
 *
 * @param byEnd requests that ended, sorted
 * @param byDue all requests that were sent, sorted
 * @param dropped number of requests that were due and not sent, by second since 1970
 */
record RequestTimeline(
    List<RecordedRequest> byEnd, List<RecordedRequest> byDue, Map<Long, Long> dropped) {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /**
   * Returns the timeline of these requests, without values that were written before, and without
   * the clients that wrote keys or warmed up: their last request ended before the load had begun.
   *
   * @param loadNanos time at which the load had begun
   */
  static RequestTimeline of(
      Collection<RecordedRequest> requests, Map<Long, Long> dropped, long loadNanos) {
    Set<Integer> clients =
        requests.stream()
            .filter(
                each ->
                    each.completedNanos() >= loadNanos
                        || each.completedNanos() == RecordedRequest.NEVER)
            .map(RecordedRequest::client)
            .collect(Collectors.toSet());
    List<RecordedRequest> sent =
        requests.stream()
            .filter(each -> each.completedNanos() != 0 && clients.contains(each.client()))
            .toList();
    return new RequestTimeline(
        sent.stream()
            .filter(each -> each.completedNanos() != RecordedRequest.NEVER)
            .sorted(Comparator.comparingLong(RecordedRequest::completedNanos))
            .toList(),
        sent.stream().sorted(Comparator.comparingLong(RecordedRequest::dueNanos)).toList(),
        dropped);
  }

  /** Returns the requests that ended in this time, without its end. */
  List<RecordedRequest> ended(long from, long until) {
    return between(byEnd, RecordedRequest::completedNanos, from, until);
  }

  /** Returns the requests that were due in this time, without its end. */
  List<RecordedRequest> due(long from, long until) {
    return between(byDue, RecordedRequest::dueNanos, from, until);
  }

  /**
   * Returns the number of requests that were due and not sent, in all seconds that overlap a time
   * since 1970.
   */
  long dropped(long fromUnixNanos, long untilUnixNanos) {
    return dropped.entrySet().stream()
        .filter(each -> (each.getKey() + 1) * NANOS_PER_SECOND > fromUnixNanos)
        .filter(each -> each.getKey() * NANOS_PER_SECOND < untilUnixNanos)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static List<RecordedRequest> between(
      List<RecordedRequest> sorted, ToLongFunction<RecordedRequest> time, long from, long until) {
    return sorted.subList(place(sorted, time, from), place(sorted, time, until));
  }

  /** Returns how many requests are before this time. */
  private static int place(
      List<RecordedRequest> sorted, ToLongFunction<RecordedRequest> time, long nanos) {
    int low = 0;
    int high = sorted.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (time.applyAsLong(sorted.get(middle)) < nanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
