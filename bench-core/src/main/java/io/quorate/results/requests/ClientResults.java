// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.format.GoText;
import io.quorate.measure.Latencies;
import io.quorate.results.latency.Percentile;
import io.quorate.results.manifest.LoadInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The results of the client's requests: counts, sums and durations from the CSV files, percentiles
 * from {@code latency.hlog}. {@code src/site/markdown/reference/files.md} defines every value.
 *
 * @param steps steps that have begun, in their order; the duration of an incomplete step is the
 *     time of its seconds
 * @param requests requests of each second, by step and operation
 * @param errorRows errors by step, operation, second, kind and message
 * @param attempts attempts of operations that are repeated until they succeed, for each step that
 *     has ended
 * @param latency latency of all successes; empty if nothing succeeded
 * @param truncated names of files whose last line was incomplete and is left out
 */
public record ClientResults(
    LoadInfo load,
    List<StepTimes> steps,
    List<SecondRow> requests,
    List<ErrorRow> errorRows,
    List<AttemptCounts> attempts,
    Optional<Latency> latency,
    List<String> truncated) {
  private static final double NANOS_PER_MS = 1e6;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /**
   * Creates the results of a load.
   *
   * @param rows rows of its seconds, in any order
   * @param times times of the steps that have ended
   * @param histogram histogram of all response times in nanoseconds
   */
  public static ClientResults of(
      LoadInfo load,
      List<SecondRow> rows,
      List<ErrorRow> errors,
      List<StepTimes> times,
      List<AttemptCounts> attempts,
      Histogram histogram,
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
                          number, seconds(load, number, requests).size() * NANOS_PER_SECOND)));
    }
    Latencies sum =
        requests.stream().map(SecondRow::successes).reduce(Latencies.NONE, Latencies::plus);
    return new ClientResults(
        load,
        steps,
        requests,
        errors,
        attempts,
        sum.count() == 0 ? Optional.empty() : Optional.of(Latency.of(sum, histogram)),
        truncated);
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

  /** Returns every second of a step from its first to its last, all operations together. */
  public List<Second> seconds(int step) {
    return seconds(load, step, requests);
  }

  private static List<Second> seconds(LoadInfo load, int step, List<SecondRow> requests) {
    int clients = load.steps().get(step - 1).clients();
    TreeMap<Long, Latencies> bySecond = new TreeMap<>();
    requests.stream()
        .filter(row -> row.step() == step)
        .forEach(row -> bySecond.merge(row.unixSecond(), row.successes(), Latencies::plus));
    return bySecond.isEmpty()
        ? List.of()
        : LongStream.rangeClosed(bySecond.firstKey(), bySecond.lastKey())
            .mapToObj(each -> second(each, clients, bySecond.getOrDefault(each, Latencies.NONE)))
            .toList();
  }

  /** Returns a second; its mean is truncated to whole nanoseconds, as dbtester does. */
  private static Second second(long unixSecond, long clients, Latencies successes) {
    boolean none = successes.count() == 0;
    return new Second(
        unixSecond,
        clients,
        none ? 0 : successes.minNanos() / NANOS_PER_MS,
        none ? 0 : successes.sumNanos() / successes.count() / NANOS_PER_MS,
        successes.maxNanos() / NANOS_PER_MS,
        successes.count());
  }

  /** Latencies of the successes, in milliseconds. */
  public record Latency(
      double slowestMs,
      double fastestMs,
      double averageMs,
      double standardDeviationMs,
      Map<Percentile, Double> percentilesMs) {

    /**
     * Returns the latencies.
     *
     * @param histogram histogram of the same latencies; without it the percentiles are unknown
     */
    private static Latency of(Latencies sum, Histogram histogram) {
      return new Latency(
          1000 * inSeconds(sum.maxNanos()),
          1000 * inSeconds(sum.minNanos()),
          sum.meanNanos() / NANOS_PER_MS,
          sum.standardDeviationNanos() / NANOS_PER_MS,
          Percentile.ms(histogram, sum.minNanos(), sum.maxNanos()));
    }

    /** Returns a percentile, of which all are known if there was a histogram. */
    public double percentileMs(Percentile percentile) {
      return Objects.requireNonNull(percentilesMs.get(percentile));
    }
  }

  /** Converts nanoseconds to seconds as dbtester does, with the same last digit. */
  private static double inSeconds(long nanos) {
    return nanos / NANOS_PER_SECOND + nanos % NANOS_PER_SECOND / 1e9;
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

  /**
   * A second of a step, all operations together.
   *
   * @param clients number of clients of a closed loop; for an open loop the number of connections
   * @param throughput number of successful requests that were sent in it; if it is 0, the latencies
   *     are meaningless
   */
  public record Second(
      long unixSecond,
      long clients,
      double minMs,
      double averageMs,
      double maxMs,
      long throughput) {}

  /** The latencies in the second in which a number of keys was reached. */
  public record KeyNumber(long keys, double minMs, double averageMs, double maxMs) {}

  /** Returns the duration of all steps together, from the first sending to the last end. */
  public double totalSeconds() {
    return inSeconds(steps.stream().mapToLong(StepTimes::durationNanos).sum());
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

  public List<KeyNumber> keyNumbers() {
    List<Second> ordered =
        seconds().stream().sorted(Comparator.comparingLong(Second::unixSecond)).toList();
    List<KeyNumber> numbers = new ArrayList<>();
    KeyNumbers.seconds(ordered.stream().mapToLong(Second::throughput).toArray())
        .forEach(
            (keys, index) -> {
              Second second = ordered.get(index);
              numbers.add(new KeyNumber(keys, second.minMs(), second.averageMs(), second.maxMs()));
            });
    return numbers;
  }

  public List<Second> seconds() {
    return steps.stream().flatMap(step -> seconds(step.step()).stream()).toList();
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

  /** Returns the exact shortest latency; empty if nothing succeeded. */
  public OptionalLong fastestNanos() {
    return requests.stream().flatMapToLong(row -> row.minNanos().stream()).min();
  }

  /** Returns the exact longest latency; empty if nothing succeeded. */
  public OptionalLong slowestNanos() {
    return requests.stream().flatMapToLong(row -> row.maxNanos().stream()).max();
  }
}
