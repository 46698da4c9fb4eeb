package io.quorate.results.requests;

import io.quorate.format.CsvFile;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.SuccessGaps;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The times of a step that has ended: a row of {@code steps.csv}. The counts of its requests are in
 * {@code seconds.csv}.
 *
 * @param step number of the step, from 1
 * @param durationNanos time from the sending of the first request to the end of the last one
 * @param longestNanosWithoutSuccess longest uninterrupted time without a success; empty if it was
 *     not recorded
 * @param stalledNanos the sum of such times of a second or more; empty if they were not recorded
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
        gap(measured, SuccessGaps::longestNanos),
        gap(measured, SuccessGaps::stalledNanos));
  }

  private static OptionalLong gap(StepMeasurement step, ToLongFunction<SuccessGaps> figure) {
    return step.gaps().stream().mapToLong(figure).findFirst();
  }

  public static StepTimes ofDuration(int step, long nanos) {
    return new StepTimes(step, nanos, OptionalLong.empty(), OptionalLong.empty());
  }
}
