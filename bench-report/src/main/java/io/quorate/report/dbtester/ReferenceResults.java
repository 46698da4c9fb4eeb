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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

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
    Optional<List<KeyNumber>> numbers = problems.attempt(() -> keyNumbers(keyNumbers));
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
    Deque<Row> rows = new ArrayDeque<>(CsvTable.readAll(file));
    rows.forEach(row -> row.checkWidth(2));
    return new ReferenceResults(
        required(file, rows, SummaryName.TOTAL_SECONDS),
        isNext(rows, SummaryName.REQUESTS_PER_SECOND)
            ? OptionalDouble.of(rows.remove().number(1))
            : OptionalDouble.empty(),
        isNext(rows, SummaryName.SLOWEST_LATENCY_MS)
            ? Optional.of(latency(file, rows, percentiles))
            : Optional.empty(),
        errors(file, rows),
        seconds,
        keyNumbers);
  }

  private static boolean isNext(Deque<Row> rows, SummaryName name) {
    return !rows.isEmpty() && rows.element().text(0).equals(name.toString());
  }

  private static double required(Path file, Deque<Row> rows, SummaryName name) {
    if (rows.isEmpty()) {
      throw new QuorateException(file + ": found its end, expected " + name);
    }
    Row row = rows.remove();
    if (!row.text(0).equals(name.toString())) {
      throw row.wrong(row.text(0), name.toString());
    }
    return row.number(1);
  }

  private static Latency latency(Path file, Deque<Row> rows, Map<Percentile, Double> percentiles) {
    return new Latency(
        required(file, rows, SummaryName.SLOWEST_LATENCY_MS),
        required(file, rows, SummaryName.FASTEST_LATENCY_MS),
        required(file, rows, SummaryName.AVERAGE_LATENCY_MS),
        required(file, rows, SummaryName.STDDEV_LATENCY_MS),
        percentiles);
  }

  private static List<ErrorCount> errors(Path file, Deque<Row> rows) {
    if (rows.isEmpty()) {
      throw new QuorateException(file + ": found its end, expected the number of errors");
    }
    List<ErrorCount> errors = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Row row : rows) {
      String name = row.text(0);
      if (!names.add(name)) {
        throw row.wrong(name, "each error once");
      }
      boolean none = name.equals(SummaryName.NO_ERROR) && row.integer(1) == 0 && rows.size() == 1;
      if (!none && !name.startsWith(SummaryName.ERROR_PREFIX + '"')) {
        throw row.wrong(name, "ERROR: \"...\" or ERROR,0 alone");
      }
      if (!none) {
        String message = name.substring(SummaryName.ERROR_PREFIX.length());
        errors.add(new ErrorCount(message, row.integer(1)));
      }
    }
    return errors;
  }

  private static Map<Percentile, Double> percentiles(Path file) {
    Map<Percentile, Double> percentiles = new EnumMap<>(Percentile.class);
    List<Row> rows = CsvTable.read(file, DbtesterFile.PERCENTILES.columns());
    Percentile[] all = Percentile.values();
    if (!rows.isEmpty() && rows.size() != all.length) {
      throw rows.get(rows.size() - 1).wrong(rows.size() + " percentiles", "none or " + all.length);
    }
    for (int i = 0; i < rows.size(); i++) {
      if (!rows.get(i).text(0).equals(all[i].label())) {
        throw rows.get(i).wrong(rows.get(i).text(0), all[i].label());
      }
      percentiles.put(all[i], rows.get(i).number(1));
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

  private static List<KeyNumber> keyNumbers(Path file) {
    List<KeyNumber> numbers = new ArrayList<>();
    for (Row row : CsvTable.read(file, DbtesterFile.BY_KEY_NUMBER.columns())) {
      long before = numbers.isEmpty() ? -1 : numbers.get(numbers.size() - 1).keys();
      if (row.integer(0) <= before) {
        throw row.wrong(row.integer(0) + " keys", "more than " + before + " as in the row before");
      }
      numbers.add(new KeyNumber(row.integer(0), row.number(1), row.number(2), row.number(3)));
    }
    return numbers;
  }
}
