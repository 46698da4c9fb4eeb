// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.format.GoText;
import io.quorate.measure.Latencies;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.manifest.LoadInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The results of the client's requests: counts, sums and durations from the CSV files. {@code
 * src/site/markdown/reference/files.md} defines every value.
 *
 * @param steps steps that have begun, in their order; the duration of an incomplete step is the
 *     time of its seconds
 * @param requests requests of each second, by step and operation
 * @param errorRows errors by step, operation, second, kind and message
 * @param attempts attempts of operations that are repeated until they succeed, for each step that
 *     has ended
 * @param truncated names of files whose last line was incomplete and is left out
 */
public record ClientResults(
    LoadInfo load,
    List<StepTimes> steps,
    List<SecondRow> requests,
    List<ErrorRow> errorRows,
    List<AttemptCounts> attempts,
    List<String> truncated) {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /**
   * Creates the results of a load.
   *
   * @param rows rows of its seconds, in any order
   * @param times times of the steps that have ended
   */
  public static ClientResults of(
      LoadInfo load,
      List<SecondRow> rows,
      List<ErrorRow> errors,
      List<StepTimes> times,
      List<AttemptCounts> attempts,
      List<String> truncated) {
    List<SecondRow> requests = SecondRow.merged(rows);
    int begun =
        Stream.concat(requests.stream().map(SecondRow::step), times.stream().map(StepTimes::step))
            .max(Comparator.naturalOrder())
            .orElse(0);
    List<StepTimes> steps = new ArrayList<>();
    for (int step = 1; step <= begun; step++) {
      int number = step;
      steps.add(
          times.stream()
              .filter(each -> each.step() == number)
              .findFirst()
              .orElseGet(
                  () ->
                      StepTimes.ofDuration(
                          number, seconds(number, requests).size() * NANOS_PER_SECOND)));
    }
    return new ClientResults(load, steps, requests, errors, attempts, truncated);
  }

  /** Returns the counts of each operation of a step, in the order of the manifest. */
  public List<OperationCounts> operations(int step) {
    return load.mix().operations().stream()
        .map(
            each ->
                OperationCounts.sum(
                    each.id(),
                    requests.stream()
                        .filter(row -> row.step() == step && row.operation().equals(each.id()))
                        .map(SecondRow::counts)
                        .toList()))
        .toList();
  }

  /**
   * Returns the sum of the response times of the successes of some steps.
   *
   * @param steps numbers of the steps, from 1
   * @param operation name of the operation; empty for all
   */
  public Latencies latencies(IntPredicate steps, Optional<String> operation) {
    return requests.stream()
        .filter(row -> steps.test(row.step()))
        .filter(row -> operation.map(row.operation()::equals).orElse(true))
        .map(SecondRow::successes)
        .reduce(Latencies.NONE, Latencies::plus);
  }

  /**
   * Returns the response times of the successes of every second of a step from its first to its
   * last, all operations together.
   */
  public SortedMap<Long, Latencies> seconds(int step) {
    return seconds(step, requests);
  }

  private static SortedMap<Long, Latencies> seconds(int step, List<SecondRow> requests) {
    SortedMap<Long, Latencies> seconds = new TreeMap<>();
    requests.stream()
        .filter(row -> row.step() == step)
        .forEach(row -> seconds.merge(row.unixSecond(), row.successes(), Latencies::plus));
    if (!seconds.isEmpty()) {
      LongStream.range(seconds.firstKey(), seconds.lastKey())
          .forEach(second -> seconds.putIfAbsent(second, Latencies.NONE));
    }
    return seconds;
  }

  /**
   * The number of errors with a message.
   *
   * @param quotedMessage message in double quotes, escaped
   */
  public record ErrorCount(String quotedMessage, long count) {
    /**
     * Returns the message without the quotes around it and the escapes before those in it;
     * invisible characters stay escaped.
     */
    public String message() {
      String inner =
          quotedMessage.length() < 2
              ? quotedMessage
              : quotedMessage.substring(1, quotedMessage.length() - 1);
      return inner.replaceAll("\\\\([\"\\\\])", "$1");
    }
  }

  /** Returns the duration of all steps together, from the first sending to the last end. */
  public double totalSeconds() {
    return LatencySummary.inSeconds(steps.stream().mapToLong(StepTimes::durationNanos).sum());
  }

  /** Returns the successes divided by {@link #totalSeconds}; empty without requests. */
  public OptionalDouble requestsPerSecond() {
    double total = totalSeconds();
    return total > 0 ? OptionalDouble.of(successCount() / total) : OptionalDouble.empty();
  }

  /**
   * Returns the errors by message, the most frequent first. Failures without a row of {@code
   * errors.csv} are one entry.
   */
  public List<ErrorCount> errors() {
    Map<String, Long> counts =
        errorRows.stream()
            .collect(
                Collectors.groupingBy(ErrorRow::message, Collectors.summingLong(ErrorRow::count)));
    long unknown = errorCount() - errorRows.stream().mapToLong(ErrorRow::count).sum();
    if (unknown > 0) {
      counts.merge("(unknown message)", unknown, Long::sum);
    }
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .map(each -> new ErrorCount(GoText.quoted(each.getKey()), each.getValue()))
        .toList();
  }

  public OperationCounts counts() {
    return OperationCounts.sum("", requests.stream().map(SecondRow::counts).toList());
  }

  public long successCount() {
    return counts().succeeded();
  }

  public long errorCount() {
    return counts().failed();
  }
}
