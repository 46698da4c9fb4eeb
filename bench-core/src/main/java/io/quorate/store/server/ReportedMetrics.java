// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.util.OptionalDouble;

/**
 * What a member reported about itself while requests were measured, by metrics of {@link
 * ServerInternals}. Values are empty for a metric that it did not report.
 */
public interface ReportedMetrics {
  /** Returns the measured time in milliseconds. */
  double millis();

  OptionalDouble last(String metric);

  OptionalDouble most(String metric);

  /** Returns the growth of a counter; also empty if the member was started again. */
  OptionalDouble growth(String metric);

  /** Returns the median over all seconds. */
  OptionalDouble usual(String metric);
}
