// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

/**
 * A metric of {@link ServerInternals} that shows when a server had a cause of stalls.
 *
 * @param metric name; of a histogram without its endings
 * @param millis milliseconds of its unit; 0 for a number
 */
public record MetricEvidence(StallCause cause, Kind kind, String metric, double millis) {
  /** How a metric shows it. */
  public enum Kind {
    /** The highest bucket of a histogram has a long time. */
    HIGHEST,

    /** The sum of a summary grows by more than usual for as many values. */
    EXCESS,

    /** A sum of durations grows when work has ended. */
    WORK,

    /** A counter grows. */
    COUNT
  }

  public static MetricEvidence highest(StallCause cause, String histogram, double millis) {
    return new MetricEvidence(cause, Kind.HIGHEST, histogram, millis);
  }

  public static MetricEvidence excess(StallCause cause, String summary, double millis) {
    return new MetricEvidence(cause, Kind.EXCESS, summary, millis);
  }

  public static MetricEvidence work(StallCause cause, String sum, double millis) {
    return new MetricEvidence(cause, Kind.WORK, sum, millis);
  }

  public static MetricEvidence count(StallCause cause, String counter) {
    return new MetricEvidence(cause, Kind.COUNT, counter, 0);
  }
}
