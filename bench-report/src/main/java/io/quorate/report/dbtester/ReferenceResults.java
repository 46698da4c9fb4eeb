package io.quorate.report.dbtester;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import io.quorate.format.CsvTable.Row;
import io.quorate.format.Problems;
import io.quorate.report.dbtester.DbtesterFile.SummaryName;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults.ErrorCount;
import io.quorate.results.requests.ClientResults.KeyNumber;
import io.quorate.results.requests.ClientResults.Latency;
import io.quorate.results.requests.ClientResults.Second;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The content of the files about requests that dbtester's {@code control} wrote and its {@code
 * analyze} reads.
 *
 * @param requestsPerSecond empty if there was no request
 * @param latency empty if nothing succeeded
 * @param errors by message
 * @param seconds in their order
 * @param keyNumbers latency by the number of keys written
 */
record ReferenceResults(
    double totalSeconds,
    OptionalDouble requestsPerSecond,
    Optional<Latency> latency,
    List<ErrorCount> errors,
    List<Second> seconds,
    List<KeyNumber> keyNumbers) {
  /** Longest pause between two seconds: a longer one is a clock that was set. */
  private static final long MAX_PAUSE_SECONDS = 24 * 60 * 60;

  /**
   * Reads the files, which may lie anywhere.
   *
   * @throws QuorateException with the first problem of each file: file, line, what was found and
   *     what was expected
   */
  static ReferenceResults read(Path summary, Path percentiles, Path timeSeries, Path keyNumbers) {
    Problems problems = new Problems();
    Optional<Map<Percentile, Double>> byPercentile =
        problems.attempt(() -> percentiles(percentiles));
    Optional<List<Second>> seconds = problems.attempt(() -> seconds(timeSeries));
    Optional<List<KeyNumber>> numbers =
        problems.attempt(
            () ->
                CsvTable.read(keyNumbers, DbtesterFile.BY_KEY_NUMBER.columns()).stream()
                    .map(
                        row ->
                            new KeyNumber(
                                row.integer(0), row.number(1), row.number(2), row.number(3)))
                    .toList());
    Optional<ReferenceResults> results =
        problems.attempt(
            () ->
                summary(
                    summary,
                    byPercentile.orElse(Map.of()),
                    seconds.orElse(List.of()),
                    numbers.orElse(List.of())));
    problems.throwIfAny();
    return results.orElseThrow();
  }

  private static ReferenceResults summary(
      Path file,
      Map<Percentile, Double> percentiles,
      List<Second> seconds,
      List<KeyNumber> keyNumbers) {
    Map<String, Row> rows = new LinkedHashMap<>();
    List<ErrorCount> errors = new ArrayList<>();
    for (Row row : CsvTable.readAll(file)) {
      row.checkWidth(2);
      rows.put(row.text(0), row);
      if (row.text(0).startsWith(SummaryName.ERROR_PREFIX)) {
        String message = row.text(0).substring(SummaryName.ERROR_PREFIX.length());
        errors.add(new ErrorCount(message, row.integer(1)));
      }
    }
    boolean succeeded = rows.containsKey(SummaryName.SLOWEST_LATENCY_MS.toString());
    return new ReferenceResults(
        figure(file, rows, SummaryName.TOTAL_SECONDS),
        rows.containsKey(SummaryName.REQUESTS_PER_SECOND.toString())
            ? OptionalDouble.of(figure(file, rows, SummaryName.REQUESTS_PER_SECOND))
            : OptionalDouble.empty(),
        succeeded ? Optional.of(latency(file, rows, percentiles)) : Optional.empty(),
        errors,
        seconds,
        keyNumbers);
  }

  private static Latency latency(
      Path file, Map<String, Row> rows, Map<Percentile, Double> percentiles) {
    return new Latency(
        figure(file, rows, SummaryName.SLOWEST_LATENCY_MS),
        figure(file, rows, SummaryName.FASTEST_LATENCY_MS),
        figure(file, rows, SummaryName.AVERAGE_LATENCY_MS),
        figure(file, rows, SummaryName.STDDEV_LATENCY_MS),
        percentiles);
  }

  private static double figure(Path file, Map<String, Row> rows, SummaryName name) {
    if (!rows.containsKey(name.toString())) {
      throw new QuorateException(file + ": found no " + name + ", expected one");
    }
    return rows.get(name.toString()).number(1);
  }

  private static Map<Percentile, Double> percentiles(Path file) {
    Map<Percentile, Double> percentiles = new EnumMap<>(Percentile.class);
    for (Row row : CsvTable.read(file, DbtesterFile.PERCENTILES.columns())) {
      for (Percentile each : Percentile.values()) {
        if (each.label().equals(row.text(0))) {
          percentiles.put(each, row.number(1));
        }
      }
    }
    return percentiles;
  }

  private static List<Second> seconds(Path file) {
    List<Second> seconds = new ArrayList<>();
    for (Row row : CsvTable.read(file, DbtesterFile.TIME_SERIES.columns())) {
      long second = row.integer(0);
      long before = seconds.isEmpty() ? second : seconds.get(seconds.size() - 1).unixSecond();
      if (second < before) {
        throw row.wrong("second " + second, before + " or later (the clock went back)");
      }
      if (second - before > MAX_PAUSE_SECONDS) {
        throw row.wrong("second " + second, "one soon after " + before + " (was the clock set?)");
      }
      seconds.add(
          new Second(
              second, row.integer(1), row.number(2), row.number(3), row.number(4), row.integer(5)));
    }
    return seconds;
  }
}
