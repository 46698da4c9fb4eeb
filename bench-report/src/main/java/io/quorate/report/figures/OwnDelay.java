// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.measure.GeneratorDelay;
import java.util.OptionalInt;
import org.HdrHistogram.Histogram;

/**
 * What the load generator added to the values of requests: late sending, late receiving, and
 * requests that it dropped after its own stalls.
 *
 * @param dropped number of requests that were dropped after stalls of the load generator
 */
public record OwnDelay(RequestFigures requests, boolean isOpen, long dropped) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MEDIAN = 50;

  /** Returns the delay of the requests of a step, or of all steps. */
  static OwnDelay of(DatabaseFigures database, OptionalInt step, RequestFigures requests) {
    return new OwnDelay(
        requests,
        requests.service().getTotalCount() > 0,
        database.steps().stream()
            .filter(each -> step.isEmpty() || each.number() == step.getAsInt())
            .mapToLong(StepFigures::droppedAfterStalls)
            .sum());
  }

  /** Returns the latencies without late sending, where they were measured so. */
  Histogram latencies() {
    return isOpen && !isQueued() ? requests.service() : requests.response();
  }

  /** Returns whether requests waited for a connection, which is not a delay of the machine. */
  private boolean isQueued() {
    return requests.queue().getTotalCount() > 0;
  }

  /** Returns how late {@link #latencies} are, at a percentile from 0 to 100. */
  long lateNanos(double percent) {
    GeneratorDelay delay = requests.delay();
    return isOpen && isQueued() ? delay.nanos(percent) : percentile(delay.receiving(), percent);
  }

  private static long percentile(Histogram times, double percent) {
    return times.getTotalCount() == 0 ? 0 : times.getValueAtPercentile(percent);
  }

  /** Returns how much of a latency is from the load generator, at a percentile from 0 to 100. */
  public double nanos(double percent) {
    double sending =
        requests.response().getValueAtPercentile(percent)
            - (double) latencies().getValueAtPercentile(percent);
    return Math.max(0, sending) + lateNanos(percent);
  }

  /**
   * Returns the factor by which the throughput would be higher. The throughput of a closed loop is
   * its clients divided by their mean latency. That of an open loop lacks dropped requests, and a
   * load generator that falls behind by a constant rate ends later by twice its median lag.
   */
  public double throughputFactor() {
    if (requests.succeeded() == 0) {
      return 1;
    }
    GeneratorDelay delay = requests.delay();
    if (!isOpen) {
      double mean = requests.response().getMean();
      return mean / Math.max(1, mean - delay.receiving().getMean());
    }
    double seconds = requests.seconds().orElse(0);
    double late = 2 * delay.sending().getValueAtPercentile(MEDIAN) / NANOS_PER_SECOND;
    double all = (double) requests.succeeded() + dropped;
    return all / requests.succeeded() * (late < seconds ? seconds / (seconds - late) : 1);
  }
}
