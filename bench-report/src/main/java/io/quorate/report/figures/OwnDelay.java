// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.measure.GeneratorDelay;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What the load generator added to the values of requests: late sending, late receiving, and
 * requests that it dropped after its own stalls.
 *
 * @param isOpen whether all of the steps are open loops
 * @param dropped greatest number of these requests that were dropped after stalls of the load
 *     generator, which does not know their operations
 */
public record OwnDelay(RequestFigures requests, boolean isOpen, long dropped) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MEDIAN = 50;

  /** Greatest factor of a closed loop, whose requests were mostly delay. */
  private static final double MOST_FACTOR = 100;

  /** Returns the delay of requests of these steps. */
  public static OwnDelay of(List<StepFigures> steps, RequestFigures requests) {
    return new OwnDelay(
        requests,
        steps.stream().allMatch(step -> step.asked().isOpen()),
        Math.min(
            requests.dropped().orElse(0),
            steps.stream().mapToLong(StepFigures::droppedAfterStalls).sum()));
  }

  /** Returns the latencies without late sending, where they were measured so. */
  Histogram latencies() {
    return isWithoutSending() ? requests.service() : requests.response();
  }

  /**
   * Returns whether all requests have a service time. It lacks the wait for a connection, which is
   * not a delay of the machine.
   */
  private boolean isWithoutSending() {
    return requests.queue().getTotalCount() == 0
        && requests.service().getTotalCount() == requests.response().getTotalCount();
  }

  /** Returns how late {@link #latencies} are, at a percentile from 0 to 100. */
  long lateNanos(double percent) {
    GeneratorDelay delay = requests.delay();
    return isWithoutSending() ? delay.receivingNanos(percent) : delay.nanos(percent);
  }

  /** Returns how late {@link #latencies} are on average. */
  double meanLateNanos() {
    GeneratorDelay delay = requests.delay();
    return isWithoutSending() ? delay.receiving().getMean() : delay.meanNanos();
  }

  /** Returns how much of a latency is from the load generator, at a percentile from 0 to 100. */
  public double nanos(double percent) {
    double sending =
        isWithoutSending()
            ? requests.response().getValueAtPercentile(percent)
                - (double) requests.service().getValueAtPercentile(percent)
            : 0;
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
      return mean / Math.max(mean / MOST_FACTOR, mean - delay.meanNanos());
    }
    double seconds = requests.seconds().orElse(0);
    double late = 2 * delay.sending().getValueAtPercentile(MEDIAN) / NANOS_PER_SECOND;
    double all = (double) requests.succeeded() + dropped;
    return all / requests.succeeded() * (late < seconds ? seconds / (seconds - late) : 1);
  }
}
