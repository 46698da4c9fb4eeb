package io.quorate.measure;

import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The measurement of the requests of one operation of a step, up to now or to its end.
 *
 * @param operation its name
 * @param histogram of the response times in nanoseconds, 3 significant digits
 * @param service of the service times in nanoseconds; empty in a closed loop, where they are the
 *     response times
 * @param seconds every second from the first to the last in which a request was due, ascending; a
 *     second without requests is there with counts of 0
 * @param conflicts how many tries of requests that are made until they succeed were undone by
 *     another client's write
 */
public record OperationMeasurement(
    String operation,
    Histogram histogram,
    Optional<Histogram> service,
    List<SecondMeasurement> seconds,
    long conflicts) {
  public OperationMeasurement {
    seconds = List.copyOf(seconds);
  }

  /** Returns the exact statistics of the requests that succeeded. */
  public Latencies successes() {
    return seconds.stream()
        .map(SecondMeasurement::successes)
        .reduce(Latencies.NONE, Latencies::plus);
  }

  /** Returns the number of requests that were due but not sent. */
  public long shed() {
    return seconds.stream().mapToLong(SecondMeasurement::shed).sum();
  }

  /** Returns all errors, by kind and message, the most frequent first. */
  public List<ErrorTally> errors() {
    return ErrorTally.merged(seconds.stream().flatMap(second -> second.errors().stream()).toList());
  }

  public long errorCount() {
    return errors().stream().mapToLong(ErrorTally::count).sum();
  }
}
