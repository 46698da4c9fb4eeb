package io.quorate.measure;

import java.util.List;

/**
 * The requests that were <em>sent</em> in one second of a step, as far as they have ended.
 *
 * @param unixSecond seconds since 1970
 * @param successes of the requests that succeeded
 * @param errors of those that failed, in no order
 */
public record SecondMeasurement(long unixSecond, Latencies successes, List<ErrorTally> errors) {
  public SecondMeasurement {
    errors = List.copyOf(errors);
  }
}
