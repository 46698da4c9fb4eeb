// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The number of requests that failed in one way.
 *
 * @param kind kind such as {@code timeout}, as the driver defines them
 * @param message message of the client library or the server; one line, not escaped
 * @param totalNanos total time of these requests, from sending to failing
 */
public record ErrorTally(String kind, String message, long count, long totalNanos) {
  public ErrorTally {
    if (count < 0 || totalNanos < 0) {
      throw new IllegalArgumentException(
          "found %d requests in %d ns, expected 0 or more".formatted(count, totalNanos));
    }
  }

  /** The kind and message by which failures are counted together. */
  record Way(String kind, String message) {}

  /** Returns one tally for each kind and message, the most frequent first, ties by text. */
  public static List<ErrorTally> merged(Collection<ErrorTally> tallies) {
    Map<Way, ErrorTally> byWay = new LinkedHashMap<>();
    for (ErrorTally tally : tallies) {
      byWay.merge(new Way(tally.kind, tally.message), tally, ErrorTally::plus);
    }
    return byWay.values().stream()
        .sorted(
            Comparator.comparingLong(ErrorTally::count)
                .reversed()
                .thenComparing(ErrorTally::kind)
                .thenComparing(ErrorTally::message))
        .toList();
  }

  /** Returns the increase of the tallies over earlier ones. */
  static List<ErrorTally> since(Collection<ErrorTally> tallies, Collection<ErrorTally> before) {
    Map<Way, ErrorTally> known = new LinkedHashMap<>();
    before.forEach(tally -> known.put(new Way(tally.kind, tally.message), tally));
    return tallies.stream()
        .map(tally -> tally.minus(known.get(new Way(tally.kind, tally.message))))
        .filter(tally -> tally.count > 0 || tally.totalNanos > 0)
        .toList();
  }

  private ErrorTally minus(@Nullable ErrorTally before) {
    return before == null
        ? this
        : new ErrorTally(kind, message, count - before.count, totalNanos - before.totalNanos);
  }

  private ErrorTally plus(ErrorTally other) {
    return new ErrorTally(kind, message, count + other.count, totalNanos + other.totalNanos);
  }
}
