// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The measurement of the requests of one operation of a step, up to now or to its end.
 *
 * @param histogram response times in nanoseconds, 3 significant digits
 * @param service service times in nanoseconds; empty in a closed loop, where they equal the
 *     response times
 * @param seconds every second from the first to the last in which a request was due, ascending;
 *     seconds without requests have counts of 0
 * @param conflicts number of attempts that failed because another client has written the key
 *     meanwhile, for requests that are repeated until they succeed
 */
public record OperationMeasurement(
    String operation,
    Histogram histogram,
    Optional<Histogram> service,
    List<SecondMeasurement> seconds,
    long conflicts) {
  static final Histogram NO_TIMES = new Histogram(1);

  public OperationMeasurement {
    seconds = List.copyOf(seconds);
  }

  OperationMeasurement withoutHistograms() {
    return new OperationMeasurement(
        operation, NO_TIMES, service.map(any -> NO_TIMES), seconds, conflicts);
  }

  /** Returns the exact statistics of the requests that succeeded. */
  public Latencies successes() {
    return seconds.stream()
        .map(SecondMeasurement::successes)
        .reduce(Latencies.NONE, Latencies::plus);
  }

  /** Returns the number of requests that were due but not sent. */
  public long dropped() {
    return seconds.stream().mapToLong(SecondMeasurement::dropped).sum();
  }

  /** Returns all errors, by kind and message, the most frequent first. */
  public List<ErrorTally> errors() {
    return ErrorTally.merged(seconds.stream().flatMap(second -> second.errors().stream()).toList());
  }

  public long errorCount() {
    return errors().stream().mapToLong(ErrorTally::count).sum();
  }
}
