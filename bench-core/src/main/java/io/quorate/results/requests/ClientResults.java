package io.quorate.results.requests;

import io.quorate.results.ClientFile;
import io.quorate.results.latency.Percentile;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The content of the files about the client's requests: see {@code src/site/markdown/results.md}.
 *
 * @param totalSeconds sum over the steps, from the first sending to the last end
 * @param requestsPerSecond successes by that time; empty if there was no request
 * @param latency empty if nothing succeeded
 * @param errors by message, the most frequent first
 * @param distribution buckets of 10 ms, ascending
 * @param seconds every second of every step, in order
 * @param keyNumbers latency by the number of keys written
 * @param errorRows errors by step, operation, second, kind and message
 * @param steps in their order, as far as they have begun, each with the requests of its operations
 * @param requests every second of every step and operation, in this order
 * @param attempts of the operations that are tried until they succeed, of each step that has begun
 */
public record ClientResults(
    double totalSeconds,
    OptionalDouble requestsPerSecond,
    Optional<Latency> latency,
    List<ErrorCount> errors,
    List<Bucket> distribution,
    List<Second> seconds,
    List<KeyNumber> keyNumbers,
    List<ErrorRow> errorRows,
    List<StepRow> steps,
    List<OperationSecond> requests,
    List<AttemptCounts> attempts) {
  public ClientResults {
    errors = List.copyOf(errors);
    distribution = List.copyOf(distribution);
    seconds = List.copyOf(seconds);
    keyNumbers = List.copyOf(keyNumbers);
    errorRows = List.copyOf(errorRows);
    steps = List.copyOf(steps);
    requests = List.copyOf(requests);
    attempts = List.copyOf(attempts);
  }

  /** Creates results without the seconds of each operation. */
  public ClientResults(
      double totalSeconds,
      OptionalDouble requestsPerSecond,
      Optional<Latency> latency,
      List<ErrorCount> errors,
      List<Bucket> distribution,
      List<Second> seconds,
      List<KeyNumber> keyNumbers,
      List<ErrorRow> errorRows,
      List<StepRow> steps) {
    this(
        totalSeconds,
        requestsPerSecond,
        latency,
        errors,
        distribution,
        seconds,
        keyNumbers,
        errorRows,
        steps,
        List.of(),
        List.of());
  }

  /**
   * Reads the files that the reference's {@code control} wrote and its {@code analyze} reads, which
   * may lie anywhere. The reference has no errors per second, and its distribution is not read.
   *
   * @throws io.quorate.QuorateException with file, line, what was found and what was expected
   */
  public static ClientResults readReference(
      Path summary, Path percentiles, Path timeSeries, Path keyNumbers) {
    return new ClientResultsReader(
            Map.of(
                ClientFile.SUMMARY, summary,
                ClientFile.PERCENTILES, percentiles,
                ClientFile.TIME_SERIES, timeSeries,
                ClientFile.BY_KEY_NUMBER, keyNumbers))
        .read();
  }

  /** Latencies of the successes, in milliseconds. */
  public record Latency(
      double slowestMs,
      double fastestMs,
      double averageMs,
      double standardDeviationMs,
      Map<Percentile, Double> percentilesMs) {
    public Latency {
      percentilesMs = Collections.unmodifiableMap(new EnumMap<>(percentilesMs));
    }
  }

  /**
   * @param quotedMessage in double quotes, escaped
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

  /** The number of latencies from {@code fromMs} to less than 10 ms more. */
  public record Bucket(long fromMs, long count) {}

  /**
   * A second of a step, all operations together.
   *
   * @param clients of a closed loop; of an open loop the number of connections
   * @param throughput how many of the requests sent in it succeeded; when 0, the latencies mean
   *     nothing
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

  /**
   * The errors of one kind and message of one second of an operation of a step.
   *
   * @param step from 1
   * @param clients of a closed loop; of an open loop the number of connections
   * @param message as the client library gave it, not escaped
   * @param totalMs how long these requests took together
   */
  public record ErrorRow(
      int step,
      String operation,
      long unixSecond,
      long clients,
      String kind,
      String message,
      long count,
      double totalMs) {}

  /**
   * The requests of an operation of a step that were due in one second. Their response times are in
   * milliseconds and empty if none of them succeeded.
   *
   * @param step from 1
   * @param shed how many were not sent, because too many were under way
   */
  public record OperationSecond(
      int step,
      String operation,
      long unixSecond,
      long shed,
      long succeeded,
      long failed,
      OptionalDouble minMs,
      OptionalDouble averageMs,
      OptionalDouble maxMs) {}

  /** Returns the seconds of an operation of a step, in their order. */
  public List<OperationSecond> requests(int step, String operation) {
    return requests.stream()
        .filter(second -> second.step == step && second.operation.equals(operation))
        .toList();
  }

  /** Returns these results without those of the steps. */
  public ClientResults withoutSteps() {
    return new ClientResults(
        totalSeconds,
        requestsPerSecond,
        latency,
        errors,
        distribution,
        seconds,
        keyNumbers,
        errorRows,
        List.of());
  }

  /** Returns the number of requests that succeeded. */
  public long successCount() {
    return seconds.stream().mapToLong(Second::throughput).sum();
  }

  /** Returns the number of requests that were due but not sent. */
  public long shedCount() {
    return steps.stream().mapToLong(StepRow::shed).sum();
  }

  /** Returns the number of requests that were due, whether they were sent, succeeded or failed. */
  public long requestCount() {
    return successCount() + errorCount() + shedCount();
  }

  /** Returns the number of requests that failed. */
  public long errorCount() {
    return errors.stream().mapToLong(ErrorCount::count).sum();
  }

  /** Returns the exact shortest latency; empty if nothing succeeded. */
  public OptionalLong fastestNanos() {
    return seconds.stream()
        .filter(second -> second.throughput > 0)
        .mapToLong(second -> Math.round(second.minMs * 1e6))
        .min();
  }

  /** Returns the exact longest latency; empty if nothing succeeded. */
  public OptionalLong slowestNanos() {
    return seconds.stream()
        .filter(second -> second.throughput > 0)
        .mapToLong(second -> Math.round(second.maxMs * 1e6))
        .max();
  }
}
