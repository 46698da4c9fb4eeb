package io.quorate.results.requests;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import io.quorate.format.GoText;
import io.quorate.format.Problems;
import io.quorate.results.ClientFile;
import io.quorate.results.latency.Percentile;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** Reads files written by {@link ClientFiles} or by the reference. */
public final class ClientResultsReader {
  private final Map<ClientFile, Path> files;
  private final Optional<AskedLoad> steps;

  /**
   * @param files those that there are; of files that are not there nothing is known
   */
  public ClientResultsReader(Map<ClientFile, Path> files) {
    this(files, Optional.empty());
  }

  /**
   * @param steps that were asked for; empty if that is not known
   */
  public ClientResultsReader(Map<ClientFile, Path> files, Optional<AskedLoad> steps) {
    this.files = new EnumMap<>(files);
    this.steps = steps;
  }

  /**
   * @throws QuorateException with the first problem of each file
   */
  public ClientResults read() {
    Problems problems = new Problems();
    Optional<ClientResults> results = read(problems);
    problems.throwIfAny();
    return results.orElseThrow();
  }

  /**
   * Reads what can be read. Values of other files are taken from those that hold the same; empty if
   * there is no such file.
   *
   * @param problems gets the first problem of each file, and each line of errors.csv
   */
  public Optional<ClientResults> read(Problems problems) {
    Optional<Map<Percentile, Double>> percentiles =
        attempt(
            problems,
            ClientFile.PERCENTILES,
            "the percentiles of all steps are left out",
            this::percentiles);
    Optional<Summary> written =
        attempt(
            problems,
            ClientFile.SUMMARY,
            "mean and standard deviation are left out",
            () ->
                summary(
                    percentiles.orElseGet(() -> new EnumMap<>(Percentile.class)),
                    percentiles.isPresent()));
    Optional<List<ClientResults.Bucket>> distribution =
        attempt(
            problems,
            ClientFile.DISTRIBUTION,
            "Gatling's statistics are left out",
            () -> RowOrder.distribution(rows(ClientFile.DISTRIBUTION)));
    Optional<List<ClientResults.Second>> series =
        attempt(
            problems,
            ClientFile.TIME_SERIES,
            "seconds are taken from " + ClientFile.REQUESTS.fileName(),
            () -> RowOrder.seconds(rows(ClientFile.TIME_SERIES), steps));
    Optional<List<ClientResults.KeyNumber>> keyNumbers =
        attempt(
            problems,
            ClientFile.BY_KEY_NUMBER,
            "latencies by number of keys are left out",
            () -> RowOrder.keyNumbers(rows(ClientFile.BY_KEY_NUMBER), steps.isPresent()));
    Optional<List<ClientResults.ErrorRow>> errors =
        attempt(
            problems,
            ClientFile.ERRORS,
            "errors by kind and second are left out",
            () -> asked(ClientFile.ERRORS, (rows, asked) -> errors(rows, asked, problems)));
    Optional<List<StepRow>> stepRows =
        attempt(
            problems,
            ClientFile.STEPS,
            "counts and durations of the steps are left out",
            () -> asked(ClientFile.STEPS, StepsCsv::read));
    Optional<List<ClientResults.OperationSecond>> requests =
        attempt(
            problems,
            ClientFile.REQUESTS,
            "seconds of each operation are left out",
            () -> asked(ClientFile.REQUESTS, RequestsCsv::read));
    Optional<List<AttemptCounts>> attempts =
        steps.filter(asked -> asked.operations().stream().anyMatch(AttemptsCsv::isOf)).isPresent()
            ? attempt(
                problems,
                ClientFile.ATTEMPTS,
                "the conflicts of transactions are left out",
                () -> asked(ClientFile.ATTEMPTS, AttemptsCsv::read))
            : Optional.of(List.of());
    Optional<List<ClientResults.Second>> seconds =
        series.or(() -> requests.filter(each -> !each.isEmpty()).map(this::seconds));
    List<ClientResults.ErrorRow> errorRows = errors.orElse(List.of());
    List<StepRow> known = stepRows.orElse(List.of());
    Optional<Summary> summary =
        written.or(
            () ->
                known.isEmpty()
                    ? Optional.empty()
                    : seconds.map(all -> summary(all, known, errorRows, percentiles)));
    if (seconds.isEmpty() || summary.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new ClientResults(
            summary.get().totalSeconds(),
            summary.get().throughput(),
            summary.get().latency(),
            summary.get().errors(),
            distribution.orElse(List.of()),
            seconds.get(),
            keyNumbers.orElse(List.of()),
            errorRows,
            known,
            requests.orElse(List.of()),
            attempts.orElse(List.of())));
  }

  private <T> Optional<T> attempt(
      Problems problems, ClientFile file, String consequence, Supplier<T> reading) {
    return problems.attempt(files.get(file), consequence, reading);
  }

  private List<ClientResults.ErrorRow> errors(
      List<CsvTable.Row> rows, AskedLoad asked, Problems problems) {
    return ErrorsCsv.read(
        rows,
        asked,
        wrong ->
            problems.add(
                files.get(ClientFile.ERRORS),
                wrong,
                "this line is missing in the errors by kind and second"));
  }

  /** Returns the time series, which is the sum of the operations of each step. */
  private List<ClientResults.Second> seconds(List<ClientResults.OperationSecond> requests) {
    Map<Integer, SortedMap<Long, ClientResults.Second>> bySteps = new TreeMap<>();
    for (ClientResults.OperationSecond each : requests) {
      int clients = steps.orElseThrow().steps().get(each.step() - 1).clients();
      bySteps
          .computeIfAbsent(each.step(), absent -> new TreeMap<>())
          .merge(
              each.unixSecond(),
              new ClientResults.Second(
                  each.unixSecond(),
                  clients,
                  each.minMs().orElse(0),
                  each.averageMs().orElse(0),
                  each.maxMs().orElse(0),
                  each.succeeded()),
              ClientResultsReader::together);
    }
    return bySteps.values().stream().flatMap(step -> step.values().stream()).toList();
  }

  private static ClientResults.Second together(ClientResults.Second a, ClientResults.Second b) {
    if (a.throughput() == 0 || b.throughput() == 0) {
      return a.throughput() == 0 ? b : a;
    }
    long all = a.throughput() + b.throughput();
    return new ClientResults.Second(
        a.unixSecond(),
        a.clients(),
        Math.min(a.minMs(), b.minMs()),
        (a.averageMs() * a.throughput() + b.averageMs() * b.throughput()) / all,
        Math.max(a.maxMs(), b.maxMs()),
        all);
  }

  /** Returns the summary as far as other files have it: without mean and standard deviation. */
  private static Summary summary(
      List<ClientResults.Second> seconds,
      List<StepRow> steps,
      List<ClientResults.ErrorRow> errorRows,
      Optional<Map<Percentile, Double>> percentiles) {
    double total = steps.stream().mapToLong(StepRow::durationNanos).sum() / 1e9;
    List<ClientResults.Second> some =
        seconds.stream().filter(second -> second.throughput() > 0).toList();
    long successes = some.stream().mapToLong(ClientResults.Second::throughput).sum();
    Map<String, Long> errors = new LinkedHashMap<>();
    errorRows.forEach(row -> errors.merge(GoText.quoted(row.message()), row.count(), Long::sum));
    long failed = steps.stream().mapToLong(StepRow::failed).sum();
    long known = errorRows.stream().mapToLong(ClientResults.ErrorRow::count).sum();
    if (failed > known) {
      errors.merge(GoText.quoted("(unreadable message)"), failed - known, Long::sum);
    }
    return new Summary(
        total,
        total > 0 ? OptionalDouble.of(successes / total) : OptionalDouble.empty(),
        some.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new ClientResults.Latency(
                    some.stream().mapToDouble(ClientResults.Second::maxMs).max().orElseThrow(),
                    some.stream().mapToDouble(ClientResults.Second::minMs).min().orElseThrow(),
                    Double.NaN,
                    Double.NaN,
                    percentiles.orElseGet(() -> new EnumMap<>(Percentile.class)))),
        errors.entrySet().stream()
            .map(each -> new ClientResults.ErrorCount(each.getKey(), each.getValue()))
            .sorted(Comparator.comparingLong(ClientResults.ErrorCount::count).reversed())
            .toList());
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
    return path == null ? List.of() : CsvTable.read(path, file.columns());
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
