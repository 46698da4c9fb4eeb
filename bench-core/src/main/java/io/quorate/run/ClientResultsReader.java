package io.quorate.run;

import io.quorate.QuorateException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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
import java.util.function.BiFunction;

/** Reads files written by {@link ClientFiles} or by the reference. */
final class ClientResultsReader {
  private final Map<ClientFile, Path> files;
  private final Optional<AskedLoad> steps;

  /**
   * @param files those that there are; of files that are not there nothing is known
   */
  ClientResultsReader(Map<ClientFile, Path> files) {
    this(files, Optional.empty());
  }

  /**
   * @param steps that were asked for; empty if that is not known
   */
  ClientResultsReader(Map<ClientFile, Path> files, Optional<AskedLoad> steps) {
    this.files = new EnumMap<>(files);
    this.steps = steps;
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
        problems.attempt(() -> RowOrder.distribution(rows(ClientFile.DISTRIBUTION)));
    Optional<List<ClientResults.Second>> seconds =
        problems.attempt(() -> RowOrder.seconds(rows(ClientFile.TIME_SERIES), steps));
    Optional<List<ClientResults.KeyNumber>> keyNumbers =
        problems.attempt(
            () -> RowOrder.keyNumbers(rows(ClientFile.BY_KEY_NUMBER), steps.isPresent()));
    Optional<List<ClientResults.ErrorRow>> errors =
        problems.attempt(() -> asked(ClientFile.ERRORS, ErrorsCsv::read));
    Optional<List<StepRow>> stepRows =
        problems.attempt(() -> asked(ClientFile.STEPS, StepsCsv::read));
    Optional<List<ClientResults.OperationSecond>> requests =
        isEarlier()
            ? Optional.of(List.of())
            : problems.attempt(() -> asked(ClientFile.REQUESTS, RequestsCsv::read));
    Optional<List<AttemptCounts>> attempts =
        steps.filter(asked -> asked.operations().stream().anyMatch(AttemptsCsv::isOf)).isPresent()
            ? problems.attempt(() -> asked(ClientFile.ATTEMPTS, AttemptsCsv::read))
            : Optional.of(List.of());
    problems.throwIfAny();
    ClientResults results =
        new ClientResults(
            summary.get().totalSeconds(),
            summary.get().throughput(),
            summary.get().latency(),
            summary.get().errors(),
            distribution.get(),
            seconds.get(),
            keyNumbers.get(),
            errors.get(),
            stepRows.get(),
            requests.get(),
            attempts.get());
    return isEarlier() ? withRequests(results) : results;
  }

  private ClientResults withRequests(ClientResults results) {
    EarlierRun earlier = new EarlierRun(steps.get(), results.seconds(), results.steps());
    List<ClientResults.ErrorRow> errors = earlier.errors(results.errorRows());
    return results.with(errors, earlier.requests(errors));
  }

  private boolean isEarlier() {
    return steps.filter(AskedLoad::isEarlier).isPresent();
  }

  /** Returns the content of a file that only runs of ours have. */
  private <T> List<T> asked(
      ClientFile file, BiFunction<List<CsvTable.Row>, AskedLoad, List<T>> reading) {
    return steps.map(asked -> reading.apply(rows(file), asked)).orElse(List.of());
  }

  /** The content of the first file. */
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
    // the earliest runs of format version 1 have no steps.csv
    boolean absent =
        path == null
            || (file == ClientFile.STEPS
                && isEarlier()
                && !Files.exists(path, LinkOption.NOFOLLOW_LINKS));
    return absent
        ? List.of()
        : CsvTable.read(path, isEarlier() ? file.earlierColumns() : file.columns());
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
    CsvTable.Row first = summary.element();
    ClientResults.Latency latency =
        new ClientResults.Latency(
            required(summary, SummaryName.SLOWEST_LATENCY_MS),
            required(summary, SummaryName.FASTEST_LATENCY_MS),
            required(summary, SummaryName.AVERAGE_LATENCY_MS),
            required(summary, SummaryName.STDDEV_LATENCY_MS),
            percentiles);
    if (steps.isPresent()) {
      checkOrder(first, latency);
    }
    return Optional.of(latency);
  }

  private static void checkOrder(CsvTable.Row first, ClientResults.Latency latency) {
    RowOrder.check(first, latency.fastestMs(), latency.averageMs(), latency.slowestMs());
    double highest =
        latency.percentilesMs().values().stream().mapToDouble(ms -> ms).max().orElse(0);
    if (highest > latency.slowestMs() + RowOrder.ROUNDING_MS) {
      throw first.wrong(
          first.text(1) + " ms", "at least the highest percentile, " + highest + " ms");
    }
  }

  private Map<Percentile, Double> percentiles() {
    Map<Percentile, Double> percentiles = new EnumMap<>(Percentile.class);
    List<CsvTable.Row> rows = rows(ClientFile.PERCENTILES);
    Percentile[] all = Percentile.values();
    if (!rows.isEmpty() && rows.size() != all.length) {
      CsvTable.Row last = rows.get(rows.size() - 1);
      throw last.wrong(rows.size() + " percentiles", "none or " + all.length);
    }
    double highest = 0;
    for (int i = 0; i < rows.size(); i++) {
      if (!rows.get(i).text(0).equals(all[i].label())) {
        throw rows.get(i).wrong(rows.get(i).text(0), all[i].label());
      }
      double ms = rows.get(i).number(1);
      if (steps.isPresent() && ms < highest) {
        throw rows.get(i).wrong(ms + " ms", "at least " + highest + " ms as in the row before");
      }
      highest = Math.max(highest, ms);
      percentiles.put(all[i], ms);
    }
    return percentiles;
  }

  private List<ClientResults.ErrorCount> errorCounts(Deque<CsvTable.Row> rows) {
    List<ClientResults.ErrorCount> counts = new ArrayList<>();
    if (rows.isEmpty()) {
      throw new QuorateException(
          files.get(ClientFile.SUMMARY) + ": found its end, expected the number of errors");
    }
    Set<String> names = new HashSet<>();
    long sum = 0;
    for (CsvTable.Row row : rows) {
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
        sum = RowOrder.sum(row, sum, RowOrder.count(row, 1));
        counts.add(new ClientResults.ErrorCount(message, row.integer(1)));
      }
    }
    return counts;
  }
}
