// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

/** Metrics of {@link ServerInternals} that one value is computed from, for each second. */
public sealed interface MetricSource {
  /**
   * The growth of a sum divided by the growth of a count, over all members.
   *
   * @param factor factor from the unit of the sum to the unit of the value
   */
  record Mean(String sum, String count, double factor) implements MetricSource {
    /** Returns the mean of a histogram or summary of Prometheus. */
    public static Mean of(String name, double factor) {
      return new Mean(name + "_sum", name + "_count", factor);
    }
  }

  /** The greatest value of a metric among the members. */
  record Most(String metric) implements MetricSource {}

  /** The greatest growth of a counter among the members. */
  record Growth(String metric, double factor) implements MetricSource {}
}
