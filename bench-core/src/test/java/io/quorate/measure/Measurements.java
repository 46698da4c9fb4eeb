// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Measurements for tests. */
public final class Measurements {
  private Measurements() {}

  /** Returns the measurement of a closed loop of puts. */
  public static StepMeasurement ofPuts(
      int clients,
      long elapsedNanos,
      Latencies successes,
      Histogram histogram,
      List<SecondMeasurement> seconds,
      SuccessGaps gaps) {
    return new StepMeasurement(
        clients,
        elapsedNanos,
        successes,
        histogram,
        seconds,
        gaps,
        List.of(new OperationMeasurement("put", histogram, Optional.empty(), seconds, 0)),
        Optional.empty());
  }
}
