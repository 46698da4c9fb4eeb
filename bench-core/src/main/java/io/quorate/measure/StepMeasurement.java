// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The measurement of one step, up to now or to its end.
 *
 * @param elapsedNanos time from the sending of the first request to the end of the last one
 * @param successes exact statistics of the latencies of successful requests
 * @param histogram histogram of the same latencies in nanoseconds, 3 significant digits
 * @param seconds every second from the first to the last in which a request was sent, ascending;
 *     seconds without requests have counts of 0
 * @param gaps times in which no request succeeded
 * @param watch events that the watchers of its puts received; empty without watchers
 */
public record StepMeasurement(
    int clients,
    long elapsedNanos,
    Latencies successes,
    Histogram histogram,
    List<SecondMeasurement> seconds,
    SuccessGaps gaps,
    List<OperationMeasurement> operations,
    Optional<WatchMeasurement> watch) {
  public StepMeasurement {
    seconds = List.copyOf(seconds);
    operations = List.copyOf(operations);
  }

  /** Returns the exact values alone, with empty histograms, which take little memory. */
  StepMeasurement withoutHistograms() {
    return new StepMeasurement(
        clients,
        elapsedNanos,
        successes,
        OperationMeasurement.NO_TIMES,
        seconds,
        gaps,
        operations.stream().map(OperationMeasurement::withoutHistograms).toList(),
        watch);
  }

  /** Returns all errors of the step, by kind and message, the most frequent first. */
  public List<ErrorTally> errors() {
    return ErrorTally.merged(seconds.stream().flatMap(second -> second.errors().stream()).toList());
  }
}
