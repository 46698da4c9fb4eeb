package io.quorate.results.requests;

import io.quorate.measure.ErrorTally;
import io.quorate.measure.Latencies;
import io.quorate.measure.LatencyRecorder;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * The totals of all steps.
 *
 * @param elapsedNanos the sum over the steps, so that pauses between them do not count
 * @param errorCounts number of errors by message, the most frequent first
 */
record RunTotals(
    long elapsedNanos,
    Latencies successes,
    Histogram histogram,
    List<Map.Entry<String, Long>> errorCounts) {
  static RunTotals of(List<StepMeasurement> steps) {
    Histogram histogram = new Histogram(LatencyRecorder.SIGNIFICANT_DIGITS);
    steps.forEach(step -> histogram.add(step.histogram()));
    return new RunTotals(
        steps.stream().mapToLong(StepMeasurement::elapsedNanos).sum(),
        steps.stream().map(StepMeasurement::successes).reduce(Latencies.NONE, Latencies::plus),
        histogram,
        errorCounts(steps));
  }

  private static List<Map.Entry<String, Long>> errorCounts(List<StepMeasurement> steps) {
    Map<String, Long> counts =
        steps.stream()
            .flatMap(step -> step.seconds().stream())
            .map(SecondMeasurement::errors)
            .flatMap(List::stream)
            .collect(
                Collectors.groupingBy(
                    ErrorTally::message, Collectors.summingLong(ErrorTally::count)));
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .toList();
  }

  boolean hasSuccesses() {
    return successes.count() > 0;
  }
}
