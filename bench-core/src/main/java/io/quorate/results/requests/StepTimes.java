// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.format.CsvFile;
import io.quorate.measure.StepMeasurement;
import java.util.OptionalLong;

/**
 * The times of a step that has ended: a row of {@code steps.csv}. The counts of its requests are in
 * {@code seconds.csv}.
 *
 * @param step number of the step, from 1
 * @param durationNanos time from the sending of the first request to the end of the last one
 * @param longestNanosWithoutSuccess longest uninterrupted time without a success; empty if it is
 *     not known, as in merged runs
 * @param stalledNanos the sum of such times of a second or more; empty if it is not known
 */
public record StepTimes(
    int step,
    long durationNanos,
    OptionalLong longestNanosWithoutSuccess,
    OptionalLong stalledNanos) {
  public static final CsvFile<StepTimes> FILE = new CsvFile<>("steps.csv", StepTimes.class);

  static StepTimes of(int step, StepMeasurement measured) {
    return new StepTimes(
        step,
        measured.elapsedNanos(),
        OptionalLong.of(measured.gaps().longestNanos()),
        OptionalLong.of(measured.gaps().stalledNanos()));
  }

  public static StepTimes ofDuration(int step, long nanos) {
    return new StepTimes(step, nanos, OptionalLong.empty(), OptionalLong.empty());
  }
}
