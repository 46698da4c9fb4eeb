// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.dbtester;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import io.quorate.format.CsvTable.Row;
import io.quorate.format.Problems;
import io.quorate.report.dbtester.DbtesterConfig.Store;
import io.quorate.report.dbtester.DbtesterFile.SummaryName;
import io.quorate.report.figures.AggregatedColumn;
import io.quorate.report.figures.Aggregation;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.ClientSecond;
import io.quorate.report.figures.ClientTimeline;
import io.quorate.report.figures.Frame;
import io.quorate.report.figures.HostFigure;
import io.quorate.report.figures.HostFigures;
import io.quorate.report.figures.KeyNumberFiles;
import io.quorate.report.figures.ServerColumn;
import io.quorate.report.figures.TotalFigures;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults.ErrorCount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The reference's analysis of the files of one database.
 *
 * @param result column of the table
 * @param plotted columns that are plotted
 */
record DbtesterDatabase(TotalFigures result, DatabaseSeries plotted) {
  private static final long KEYS_UNIT = 1000;

  /** Columns that are read from the load generator's metrics. */
  private static final List<String> CLIENT_COLUMNS =
      List.of("CPU-NUM", "VMRSS-NUM", "RECEIVE-BYTES-NUM-DELTA", "TRANSMIT-BYTES-NUM-DELTA");

  /**
   * Reads and analyzes the files.
   *
   * @param input returns the file of a path in the configuration
   * @param output receives each output file, by its path in the configuration
   * @throws QuorateException with file, line, what was found and what was expected
   */
  static DbtesterDatabase read(
      Store store,
      Function<String, Path> input,
      List<String> columns,
      boolean asPublished,
      BiConsumer<String, String> output) {
    Function<DbtesterPath, Path> files = path -> input.apply(store.paths().get(path));
    Path series = files.apply(DbtesterPath.CLIENT_LATENCY_THROUGHPUT_TIMESERIES);
    Problems problems = new Problems();
    Optional<ReferenceResults> read =
        problems.attempt(
            () ->
                ReferenceResults.read(
                    files.apply(DbtesterPath.CLIENT_LATENCY_DISTRIBUTION_SUMMARY),
                    files.apply(DbtesterPath.CLIENT_LATENCY_DISTRIBUTION_PERCENTILE),
                    series,
                    files.apply(DbtesterPath.CLIENT_LATENCY_BY_KEY_NUMBER),
                    asPublished));
    List<HostSeries> servers =
        store.servers().stream()
            .map(input)
            .map(file -> problems.attempt(() -> HostSeries.read(file, ServerColumn.sources())))
            .flatMap(Optional::stream)
            .toList();
    Optional<HostSeries> client =
        problems.attempt(
            () ->
                HostSeries.read(
                    files.apply(DbtesterPath.CLIENT_SYSTEM_METRICS_INTERPOLATED), CLIENT_COLUMNS));
    Optional<List<Long>> disk =
        problems.attempt(
            () -> HostFiles.diskBytes(files.apply(DbtesterPath.SERVER_DISK_SPACE_USAGE_SUMMARY)));
    problems.throwIfAny();
    ReferenceResults results = read.get();
    ClientTimeline clients = timeline(series, results);
    double missing = asPublished ? 0 : Double.NaN;
    Aggregation all =
        Aggregation.of(
            clients,
            servers.stream().map(each -> each.window(clients.first(), clients.last())).toList(),
            missing);
    Frame frame = all.frame();
    Frame byKey =
        KeyNumberFiles.servers(
            all, frame, keyNumbers(KEYS_UNIT, store.requests(), clients.throughputs()));
    output.accept(store.paths().get(DbtesterPath.ALL_AGGREGATED_OUTPUT), frame.csv());
    Map.of(
            DbtesterPath.SERVER_MEMORY_BY_KEY_NUMBER, KeyNumberFiles.MEMORY,
            DbtesterPath.SERVER_READ_BYTES_DELTA_BY_KEY_NUMBER, KeyNumberFiles.READ,
            DbtesterPath.SERVER_WRITE_BYTES_DELTA_BY_KEY_NUMBER, KeyNumberFiles.WRITTEN)
        .forEach((path, names) -> output.accept(store.paths().get(path), byKey.only(names).csv()));
    HostFigures host = host(client.get(), frame, servers.size());
    host.disk(disk.get());
    if (asPublished) { // the reference sums the read sectors from columns with other names
      host.put(HostFigure.SERVER_SECTORS_READ, 0.0);
    }
    return new DbtesterDatabase(
        result(store, results, host.toMap()),
        new DatabaseSeries(
            store.id(),
            store.tag(),
            store.tag(),
            List.of(),
            clients.first(),
            clients.seconds(),
            List.of(),
            frame.only(plotted(frame, columns)),
            KeyNumberFiles.latency(results.keyNumbers()),
            byKey,
            List.of(),
            List.of(),
            List.of(),
            List.of()));
  }

  /**
   * Returns the values of the table rows about machines: sums over all servers and seconds, and
   * maxima over the seconds of the servers' mean. Missing values are left out.
   */
  private static HostFigures host(HostSeries client, Frame frame, int servers) {
    HostFigures host = new HostFigures();
    host.put(HostFigure.CLIENT_MAX_CPU_PERCENT, HostFigures.max(client.numbers("CPU-NUM")));
    host.put(HostFigure.CLIENT_MAX_MEMORY_BYTES, HostFigures.max(client.numbers("VMRSS-NUM")));
    host.put(HostFigure.CLIENT_RECEIVED_BYTES, sum(client.numbers("RECEIVE-BYTES-NUM-DELTA")));
    host.put(HostFigure.CLIENT_SENT_BYTES, sum(client.numbers("TRANSMIT-BYTES-NUM-DELTA")));
    HostFigures.COUNTERS.forEach(
        (figure, counter) ->
            host.put(
                figure,
                sum( // in the order of the files, so that the last digit equals the reference's
                    IntStream.rangeClosed(1, servers)
                        .mapToObj(server -> frame.numbers(counter.delta().title(server)))
                        .flatMapToDouble(DoubleStream::of)
                        .toArray())));
    host.put(
        HostFigure.SERVER_MAX_CPU_PERCENT,
        HostFigures.max(frame.numbers(AggregatedColumn.AVG_CPU.title())));
    host.memory(frame);
    return host;
  }

  private static double sum(double... values) {
    return DoubleStream.of(values).reduce(0, Double::sum);
  }

  private static ClientTimeline timeline(Path file, ReferenceResults results) {
    int rows = results.seconds().size();
    if (rows < 2) {
      throw new QuorateException(
          file + ":" + (rows + 1) + ": found seconds: " + rows + ", expected at least 2");
    }
    return ClientTimeline.of(results.seconds(), DbtesterDatabase::both, DbtesterDatabase::pause);
  }

  private static TotalFigures result(
      Store store, ReferenceResults results, Map<HostFigure, Double> host) {
    Optional<List<ErrorCount>> errors = Optional.of(results.errors());
    return new TotalFigures(
        store.id(),
        store.tag(),
        1,
        OptionalDouble.of(results.totalSeconds()),
        OptionalLong.of(store.requests()),
        OptionalLong.of(results.seconds().stream().mapToLong(ClientSecond::count).max().orElse(0)),
        results.requestsPerSecond(),
        results.seconds().stream().mapToLong(ClientSecond::count).min(),
        results.latency(),
        errors,
        host,
        Optional.empty(),
        Optional.empty(),
        Basis.failing(errors));
  }

  private static Set<String> plotted(Frame frame, List<String> columns) {
    Set<String> names = new LinkedHashSet<>(columns);
    names.add(AggregatedColumn.CONTROL_CLIENT_NUM.title());
    for (String name : names) {
      if (!frame.has(name)) {
        throw new QuorateException(
            "analyze_plot_list: found the column '%s', expected one of %s"
                .formatted(name, String.join(", ", frame.names())));
      }
    }
    return names;
  }

  /** Returns a missing second: in the reference all of its values are 0. */
  private static ClientSecond pause(long unixSecond, long clients) {
    return new ClientSecond(unixSecond, clients, 0, 0, 0, OptionalLong.of(0), 1, false);
  }

  /**
   * Merges two rows of a second; the average is the mean of both averages, whatever the numbers of
   * requests.
   */
  private static ClientSecond both(ClientSecond earlier, ClientSecond later) {
    return new ClientSecond(
        earlier.unixSecond(),
        later.clients(),
        Math.min(earlier.minMs(), later.minMs()),
        (earlier.averageMs() + later.averageMs()) / 2,
        Math.max(earlier.maxMs(), later.maxMs()),
        OptionalLong.of(earlier.count() + later.count()),
        1,
        true);
  }

  /**
   * Assigns seconds to numbers of keys by the reference's rule: the index of a second for each
   * number, empty for a row of zeros of the reference.
   *
   * @param unit difference between two numbers of keys
   * @param total number of requests of the whole run
   */
  static SortedMap<Long, Optional<Integer>> keyNumbers(long unit, long total, long... throughputs) {
    SortedMap<Long, Optional<Integer>> rows = new TreeMap<>();
    long written = 0;
    long label = 0;
    for (int second = 0; second < throughputs.length; second++) {
      written += throughputs[second];
      while (written >= unit && written > label) {
        label += unit;
        rows.put(label, Optional.of(second));
      }
    }
    for (long zero = label; zero < total; zero += unit) {
      rows.putIfAbsent(zero, Optional.empty());
    }
    rows.putIfAbsent(total, Optional.empty());
    rows.remove(0L);
    return rows;
  }

  /**
   * The content of the files about requests that dbtester's {@code control} writes and its {@code
   * analyze} reads.
   *
   * @param requestsPerSecond requests per second; empty without requests
   * @param latency latency of the successes; empty if nothing succeeded
   * @param seconds seconds in their order
   */
  record ReferenceResults(
      double totalSeconds,
      OptionalDouble requestsPerSecond,
      Optional<LatencySummary> latency,
      List<ErrorCount> errors,
      List<ClientSecond> seconds,
      SortedMap<Long, ClientSecond> keyNumbers) {
    /** Longest pause between two seconds; a longer one means that the clock was set. */
    private static final long MAX_PAUSE_SECONDS = 24 * 60 * 60;

    /**
     * Reads the files, which may be in any directory.
     *
     * @param asPublished whether with the reference's defects: percentiles of 0 if there are too
     *     few latencies, and error messages without texts that equal the mark of an error
     * @throws QuorateException with the first problem of each file: file, line, what was found and
     *     what was expected
     */
    static ReferenceResults read(
        Path summary, Path percentiles, Path timeSeries, Path keyNumbers, boolean asPublished) {
      Problems problems = new Problems();
      Optional<Map<Percentile, Double>> byPercentile =
          problems.attempt(() -> percentiles(percentiles, asPublished));
      Optional<List<ClientSecond>> seconds = problems.attempt(() -> seconds(timeSeries));
      Optional<SortedMap<Long, ClientSecond>> numbers =
          problems.attempt(() -> keyNumbers(keyNumbers));
      Optional<ReferenceResults> results =
          problems.attempt(
              () ->
                  summary(
                      summary,
                      asPublished,
                      byPercentile.orElse(Map.of()),
                      seconds.orElse(List.of()),
                      numbers.orElse(new TreeMap<>())));
      problems.throwIfAny();
      return results.orElseThrow();
    }

    private static ReferenceResults summary(
        Path file,
        boolean asPublished,
        Map<Percentile, Double> percentiles,
        List<ClientSecond> seconds,
        SortedMap<Long, ClientSecond> keyNumbers) {
      Map<String, Row> rows = new LinkedHashMap<>();
      List<ErrorCount> errors = new ArrayList<>();
      for (Row row : CsvTable.readAll(file)) {
        row.checkWidth(2);
        rows.put(row.text(0), row);
        if (row.text(0).startsWith(SummaryName.ERROR_PREFIX)) {
          String message = row.text(0).substring(SummaryName.ERROR_PREFIX.length());
          errors.add(
              new ErrorCount(
                  asPublished ? message.replace("ERROR:", "") : message, row.integer(1)));
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

    private static LatencySummary latency(
        Path file, Map<String, Row> rows, Map<Percentile, Double> percentiles) {
      return new LatencySummary(
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

    private static Map<Percentile, Double> percentiles(Path file, boolean zeros) {
      Map<Percentile, Double> percentiles = new EnumMap<>(Percentile.class);
      for (Row row : CsvTable.read(file, DbtesterFile.PERCENTILES.columns())) {
        for (Percentile each : Percentile.values()) {
          if (each.label().equals(row.text(0))) {
            percentiles.put(each, row.number(1));
          }
        }
      }
      percentiles.values().removeIf(ms -> ms == 0 && !zeros);
      return percentiles;
    }

    private static SortedMap<Long, ClientSecond> keyNumbers(Path file) {
      SortedMap<Long, ClientSecond> numbers = new TreeMap<>();
      for (Row row : CsvTable.read(file, DbtesterFile.BY_KEY_NUMBER.columns())) {
        numbers.put(row.integer(0), second(0, 0, row, 1, 0));
      }
      return numbers;
    }

    /** Returns a second with the latencies in three columns of a row. */
    private static ClientSecond second(
        long unixSecond, long clients, Row row, int column, long throughput) {
      return new ClientSecond(
          unixSecond,
          clients,
          row.number(column),
          row.number(column + 1),
          row.number(column + 2),
          OptionalLong.of(throughput),
          1,
          true);
    }

    private static List<ClientSecond> seconds(Path file) {
      List<ClientSecond> seconds = new ArrayList<>();
      for (Row row : CsvTable.read(file, DbtesterFile.TIME_SERIES.columns())) {
        long second = row.integer(0);
        long before = seconds.isEmpty() ? second : seconds.get(seconds.size() - 1).unixSecond();
        if (second < before) {
          throw row.wrong("second " + second, before + " or later (the clock went back)");
        }
        if (second - before > MAX_PAUSE_SECONDS) {
          throw row.wrong("second " + second, "one soon after " + before + " (was the clock set?)");
        }
        seconds.add(second(second, row.integer(1), row, 2, row.integer(5)));
      }
      return seconds;
    }
  }
}
