// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The requests that were due to be sent in one second of a step, as far as they have ended.
 *
 * @param errors errors of the requests that failed, in no order
 * @param dropped number of requests that were not sent, because too many were in flight
 */
public record SecondMeasurement(
    long unixSecond, Latencies successes, List<ErrorTally> errors, long dropped) {
  public SecondMeasurement {
    errors = List.copyOf(errors);
  }

  /** Creates a second in which every request was sent. */
  public SecondMeasurement(long unixSecond, Latencies successes, List<ErrorTally> errors) {
    this(unixSecond, successes, errors, 0);
  }

  /**
   * Returns one measurement of each second, ascending, including the seconds without requests
   * between them.
   */
  static List<SecondMeasurement> withoutGaps(Stream<SecondMeasurement> parts) {
    TreeMap<Long, SecondMeasurement> all = new TreeMap<>();
    parts.forEach(part -> all.merge(part.unixSecond, part, SecondMeasurement::plus));
    return all.isEmpty()
        ? List.of()
        : LongStream.rangeClosed(all.firstKey(), all.lastKey())
            .mapToObj(second -> all.getOrDefault(second, none(second)))
            .toList();
  }

  private static SecondMeasurement none(long unixSecond) {
    return new SecondMeasurement(unixSecond, Latencies.NONE, List.of());
  }

  /** Returns the sum of two measurements of the same second. */
  public SecondMeasurement plus(SecondMeasurement other) {
    List<ErrorTally> all = new ArrayList<>(errors);
    all.addAll(other.errors);
    return new SecondMeasurement(
        unixSecond, successes.plus(other.successes), all, dropped + other.dropped);
  }

  /** Returns the requests after an earlier state of the same second. */
  SecondMeasurement since(SecondMeasurement before) {
    return new SecondMeasurement(
        unixSecond,
        successes.since(before.successes),
        ErrorTally.since(errors, before.errors),
        dropped - before.dropped);
  }

  boolean isEmpty() {
    return successes.equals(Latencies.NONE) && errors.isEmpty() && dropped == 0;
  }
}
