package io.quorate.run;

import io.quorate.QuorateException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reads what {@link ClientFiles} or the reference wrote. */
final class ClientResultsReader {
  /** No pause between steps is longer. */
  private static final long LONGEST_PAUSE_SECONDS = 24 * 60 * 60;

  private final Map<ClientFile, Path> files;

  /**
   * @param files those that there are; of files that are not there nothing is known
   */
  ClientResultsReader(Map<ClientFile, Path> files) {
    this.files = new EnumMap<>(files);
  }

  /**
   * @throws QuorateException with the first problem of each file
   */
  ClientResults read() {
    Problems problems = new Problems();
    Optional<Map<Percentile, Double>> percentiles = problems.attempt(this::percentiles);
    Optional<Summary> summary =
        problems.attempt(
            () ->
                summary(
                    percentiles.orElseGet(() -> new EnumMap<>(Percentile.class)),
                    percentiles.isPresent()));
    Optional<List<ClientResults.Bucket>> distribution =
        problems.attempt(
            () ->
                rows(ClientFile.DISTRIBUTION).stream()
                    .map(row -> new ClientResults.Bucket(row.integer(0), row.integer(1)))
                    .toList());
    Optional<List<ClientResults.Second>> seconds =
        problems.attempt(() -> seconds(rows(ClientFile.TIME_SERIES)));
    Optional<List<ClientResults.KeyNumber>> keyNumbers =
        problems.attempt(
            () ->
                rows(ClientFile.BY_KEY_NUMBER).stream()
                    .map(ClientResultsReader::keyNumber)
                    .toList());
    Optional<List<ClientResults.ErrorRow>> errors =
        problems.attempt(
            () -> rows(ClientFile.ERRORS).stream().map(ClientResultsReader::errorRow).toList());
    Optional<List<StepRow>> steps =
        problems.attempt(() -> StepRow.all(optionalRows(ClientFile.STEPS)));
    problems.throwIfAny();
    return new ClientResults(
        summary.get().totalSeconds(),
        summary.get().throughput(),
        summary.get().latency(),
        summary.get().errors(),
        distribution.get(),
        seconds.get(),
        keyNumbers.get(),
        errors.get(),
        steps.get());
  }

  /** What the first file says. */
  private record Summary(
      double totalSeconds,
      OptionalDouble throughput,
      Optional<ClientResults.Latency> latency,
      List<ClientResults.ErrorCount> errors) {}

  /**
   * @param known whether the percentiles could be read
   */
  private Summary summary(Map<Percentile, Double> percentiles, boolean known) {
    Deque<CsvTable.Row> rows = new ArrayDeque<>(CsvTable.readAll(files.get(ClientFile.SUMMARY), 2));
    double totalSeconds = required(rows, SummaryName.TOTAL_SECONDS);
    OptionalDouble throughput =
        isNext(rows, SummaryName.REQUESTS_PER_SECOND)
            ? OptionalDouble.of(rows.remove().number(1))
            : OptionalDouble.empty();
    return new Summary(
        totalSeconds, throughput, latency(rows, percentiles, known), errorCounts(rows));
  }

  private List<CsvTable.Row> rows(ClientFile file) {
    Path path = files.get(file);
    return path == null ? List.of() : CsvTable.read(path, file.columns());
  }

  /** Runs of earlier versions do not have the file. */
  private List<CsvTable.Row> optionalRows(ClientFile file) {
    Path path = files.get(file);
    return path == null || !Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        ? List.of()
        : CsvTable.read(path, file.columns());
  }

  private static boolean isNext(Deque<CsvTable.Row> rows, SummaryName name) {
    return !rows.isEmpty() && rows.element().text(0).equals(name.toString());
  }

  private double required(Deque<CsvTable.Row> rows, SummaryName name) {
    if (rows.isEmpty()) {
      throw new QuorateException(
          files.get(ClientFile.SUMMARY) + ": found its end, expected " + name);
    }
    CsvTable.Row row = rows.remove();
    if (!row.text(0).equals(name.toString())) {
      throw row.wrong(row.text(0), name.toString());
    }
    return row.number(1);
  }

  private Optional<ClientResults.Latency> latency(
      Deque<CsvTable.Row> summary, Map<Percentile, Double> percentiles, boolean known) {
    if (!isNext(summary, SummaryName.SLOWEST_LATENCY_MS)) {
      if (known && !percentiles.isEmpty()) {
        throw new QuorateException(
            files.get(ClientFile.SUMMARY)
                + ": found no latencies, expected some as there are percentiles");
      }
      return Optional.empty();
    }
    return Optional.of(
        new ClientResults.Latency(
            required(summary, SummaryName.SLOWEST_LATENCY_MS),
            required(summary, SummaryName.FASTEST_LATENCY_MS),
            required(summary, SummaryName.AVERAGE_LATENCY_MS),
            required(summary, SummaryName.STDDEV_LATENCY_MS),
            percentiles));
  }

  private Map<Percentile, Double> percentiles() {
    Map<Percentile, Double> percentiles = new EnumMap<>(Percentile.class);
    List<CsvTable.Row> rows = rows(ClientFile.PERCENTILES);
    Percentile[] all = Percentile.values();
    if (!rows.isEmpty() && rows.size() != all.length) {
      CsvTable.Row last = rows.get(rows.size() - 1);
      throw last.wrong(rows.size() + " percentiles", "none or " + all.length);
    }
    for (int i = 0; i < rows.size(); i++) {
      if (!rows.get(i).text(0).equals(all[i].label())) {
        throw rows.get(i).wrong(rows.get(i).text(0), all[i].label());
      }
      percentiles.put(all[i], rows.get(i).number(1));
    }
    return percentiles;
  }

  private List<ClientResults.ErrorCount> errorCounts(Deque<CsvTable.Row> rows) {
    List<ClientResults.ErrorCount> counts = new ArrayList<>();
    if (rows.isEmpty()) {
      throw new QuorateException(
          files.get(ClientFile.SUMMARY) + ": found its end, expected the number of errors");
    }
    for (CsvTable.Row row : rows) {
      String name = row.text(0);
      boolean none = name.equals(SummaryName.NO_ERROR) && row.integer(1) == 0 && rows.size() == 1;
      if (!none && !name.startsWith(SummaryName.ERROR_PREFIX + '"')) {
        throw row.wrong(name, "ERROR: \"...\" or ERROR,0 alone");
      }
      if (!none) {
        String message = name.substring(SummaryName.ERROR_PREFIX.length());
        counts.add(new ClientResults.ErrorCount(message, row.integer(1)));
      }
    }
    return counts;
  }

  /** A second may occur twice, where a step ends and the next one begins. */
  private static List<ClientResults.Second> seconds(List<CsvTable.Row> rows) {
    for (int i = 1; i < rows.size(); i++) {
      long before = rows.get(i - 1).integer(0);
      long second = rows.get(i).integer(0);
      if (second < before) {
        throw rows.get(i).wrong("second " + second, before + " or later (the clock went back)");
      }
      if (second - before > LONGEST_PAUSE_SECONDS) {
        throw rows.get(i)
            .wrong("second " + second, "one soon after " + before + " (was the clock set?)");
      }
    }
    return rows.stream().map(ClientResultsReader::second).toList();
  }

  private static ClientResults.Second second(CsvTable.Row row) {
    return new ClientResults.Second(
        row.integer(0),
        row.integer(1),
        row.number(2),
        row.number(3),
        row.number(4),
        row.integer(5));
  }

  private static ClientResults.KeyNumber keyNumber(CsvTable.Row row) {
    return new ClientResults.KeyNumber(row.integer(0), row.number(1), row.number(2), row.number(3));
  }

  private static ClientResults.ErrorRow errorRow(CsvTable.Row row) {
    return new ClientResults.ErrorRow(
        row.integer(0), row.integer(1), row.text(2), row.text(3), row.integer(4), row.number(5));
  }
}
