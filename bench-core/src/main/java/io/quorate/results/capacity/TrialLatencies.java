// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.capacity;

import io.quorate.results.latency.Percentile;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * The response times of the requests of a trial that succeeded, in nanoseconds. A percentile with
 * fewer than ten requests beyond it is not known.
 *
 * @param p99Interval confidence interval of the p99 of long trials; empty for short ones
 */
public record TrialLatencies(
    OptionalLong p50Nanos,
    OptionalLong p99Nanos,
    Optional<PercentileInterval> p99Interval,
    OptionalLong p999Nanos) {
  /** Returns the percentiles that have enough requests. */
  public static TrialLatencies of(Histogram responses) {
    return new TrialLatencies(
        nanos(Percentile.P50, responses),
        nanos(Percentile.P99, responses),
        Percentile.P99.isCarriedBy(responses.getTotalCount())
            ? Optional.of(Percentile.P99.interval(responses))
            : Optional.empty(),
        nanos(Percentile.P99_9, responses));
  }

  private static OptionalLong nanos(Percentile percentile, Histogram responses) {
    return percentile.isCarriedBy(responses.getTotalCount())
        ? OptionalLong.of(percentile.of(responses))
        : OptionalLong.empty();
  }
}
