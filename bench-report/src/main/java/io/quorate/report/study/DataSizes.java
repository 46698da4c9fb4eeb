// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import static io.quorate.format.NumberFormats.plainDigits;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.judge.Sample;
import io.quorate.report.study.MatrixPage.Table;
import io.quorate.results.MatrixManifest.Cell;
import io.quorate.results.SizePrediction;
import io.quorate.scenario.Metric;
import io.quorate.scenario.Requests;
import io.quorate.scenario.Scenario;
import io.quorate.store.Maintenance;
import io.quorate.stores.Stores;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What servers need and how fast they are, by the size of the data: a series for each database, and
 * for all values of the axes that do not change the size.
 */
record DataSizes(List<Series> all) {
  private static final String VALUES = "values";

  /** Least number of smaller sizes from which the value of a larger one is predicted. */
  private static final int MIN_SIZES = 3;

  private static final double BYTES_PER_GB = 1e9;
  private static final double TAIL = 0.025;

  private static final Set<Metric> LATENCIES = Set.of(Metric.P50, Metric.P99);
  private static final Set<Metric> MACHINES = Set.of(Metric.SERVER_MEMORY, Metric.DATA_ON_DISK);

  /**
   * A line through the medians of sizes: the slope of Theil and Sen, and the median of what is left
   * (Sen 1968).
   *
   * @param interval least and greatest slope with 95% confidence, by the distribution of Kendall's
   *     statistic; empty for fewer than five sizes, for which there is none
   */
  record Trend(double slope, double intercept, Optional<double[]> interval) {
    /**
     * Returns the line; empty for fewer than {@value #MIN_SIZES} sizes.
     *
     * @param values values by size
     */
    static Optional<Trend> of(Map<Double, Double> values) {
      double[] x = numbers(values.keySet());
      double[] y = numbers(values.values());
      if (x.length < MIN_SIZES) {
        return Optional.empty();
      }
      double[] slopes = OutagesBySize.slopes(x, y);
      double slope = Sample.median(slopes);
      double[] left = IntStream.range(0, x.length).mapToDouble(i -> y[i] - slope * x[i]).toArray();
      int outside = discordant(x.length);
      Optional<double[]> interval =
          outside < 0
              ? Optional.empty()
              : Optional.of(new double[] {slopes[outside], slopes[slopes.length - 1 - outside]});
      return Optional.of(new Trend(slope, Sample.median(left), interval));
    }

    /**
     * Returns how many of the least, and of the greatest, slopes are outside of the interval: the
     * most inversions of a random order that have at most the probability of a tail; -1 if even
     * none has more.
     */
    private static int discordant(int sizes) {
      double[] probability = {1};
      for (int n = 2; n <= sizes; n++) {
        double[] next = new double[n * (n - 1) / 2 + 1];
        for (int old = 0; old < probability.length; old++) {
          for (int added = 0; added < n; added++) {
            next[old + added] += probability[old] / n;
          }
        }
        probability = next;
      }
      double sum = 0;
      int inversions = 0;
      while (sum + probability[inversions] <= TAIL) {
        sum += probability[inversions++];
      }
      return inversions - 1;
    }

    double at(double gigabytes) {
      return intercept + slope * gigabytes;
    }

    private String text() {
      return plainDigits(slope)
          + interval
              .map(ends -> " (%s to %s)".formatted(plainDigits(ends[0]), plainDigits(ends[1])))
              .orElse("");
    }
  }

  /**
   * A series.
   *
   * @param cells its cells by size
   */
  record Series(String name, TreeMap<Double, List<CellResult>> cells) {
    /** Returns medians of the runs by the name of the value, with its unit, and by size. */
    private Map<String, TreeMap<Double, Double>> values() {
      Map<String, TreeMap<Double, Double>> values = new LinkedHashMap<>();
      cells.forEach(
          (size, same) -> {
            Map<String, List<Double>> all = new LinkedHashMap<>();
            runs(same)
                .forEach(
                    run ->
                        DataSizes.values(run)
                            .forEach(
                                (value, number) ->
                                    all.computeIfAbsent(value, any -> new ArrayList<>())
                                        .add(number)));
            all.forEach(
                (value, numbers) ->
                    values
                        .computeIfAbsent(value, any -> new TreeMap<>())
                        .put(size, Sample.median(numbers(numbers))));
          });
      return values;
    }

    private static Stream<RepeatFigures> runs(List<CellResult> cells) {
      return cells.stream().flatMap(cell -> cell.runs().stream());
    }

    private boolean isTimed() {
      return cells.values().stream()
          .flatMap(Series::runs)
          .anyMatch(run -> !run.times().seconds().isEmpty());
    }

    private Table table(List<SizePrediction> kept) {
      SortedSet<Double> sizes = cells.navigableKeySet();
      List<String> columns = new ArrayList<>(List.of(""));
      sizes.forEach(size -> columns.add(OutagesBySize.Series.size(size)));
      columns.add("for each GB (95% interval)");
      columns.add("predicted for " + OutagesBySize.Series.size(sizes.last()));
      columns.add("error");
      List<List<String>> rows = new ArrayList<>();
      values().forEach((value, bySize) -> rows.add(row(value, bySize, kept)));
      return new Table(VisibleText.of(name), columns, rows);
    }

    private List<String> row(
        String value, TreeMap<Double, Double> bySize, List<SizePrediction> kept) {
      SortedSet<Double> sizes = cells.navigableKeySet();
      List<String> row = new ArrayList<>(List.of(value));
      sizes.forEach(
          size ->
              row.add(
                  Optional.ofNullable(bySize.get(size))
                      .map(NumberFormats::plainDigits)
                      .orElse("-")));
      row.add(Trend.of(bySize).map(Trend::text).orElse("-"));
      Optional<Double> predicted =
          kept.stream()
              .filter(each -> each.series().equals(name) && each.value().equals(value))
              .filter(each -> each.gigabytes() == sizes.last())
              .map(SizePrediction::predicted)
              .reduce((earlier, later) -> later);
      row.add(predicted.map(NumberFormats::plainDigits).orElse("-"));
      row.add(
          predicted
              .flatMap(
                  expected ->
                      Optional.ofNullable(bySize.get(sizes.last()))
                          .map(real -> "%+.0f%%".formatted((expected / real - 1) * 100)))
              .orElse("-"));
      return row;
    }

    /** Returns what was not measured, with the reasons. */
    private Stream<String> reasons() {
      return cells.entrySet().stream()
          .flatMap(
              size ->
                  runs(size.getValue())
                      .flatMap(run -> run.times().missing().stream())
                      .map(
                          why ->
                              VisibleText.of(
                                  "%s, %s: %s."
                                      .formatted(
                                          name, OutagesBySize.Series.size(size.getKey()), why))));
    }
  }

  private static double[] numbers(Collection<Double> all) {
    return all.stream().mapToDouble(each -> each).toArray();
  }

  /** Returns the values of a run by their names. Latencies are those of all of its requests. */
  private static Map<String, Double> values(RepeatFigures run) {
    Map<String, Double> values = new LinkedHashMap<>();
    List<Row> latencies =
        run.values().keySet().stream()
            .filter(each -> LATENCIES.contains(each.metric()))
            .filter(each -> each.operation().isPresent())
            .sorted(Comparator.comparing(each -> each.operation().orElseThrow()))
            .toList();
    boolean steps = latencies.stream().map(Row::step).distinct().count() > 1;
    latencies.forEach(
        each ->
            values.put(
                "%s %s, with all faults"
                    .formatted(
                        steps ? each.group() : each.operation().orElseThrow(),
                        each.metric().heading()),
                Objects.requireNonNull(run.values().get(each))));
    values.putAll(run.times().seconds());
    run.values().entrySet().stream()
        .filter(each -> isOfServers(each.getKey()))
        .forEach(each -> values.put(each.getKey().metric().heading(), each.getValue()));
    return values;
  }

  private static boolean isOfServers(Row row) {
    return MACHINES.contains(row.metric()) && row.step().isEmpty();
  }

  /** Returns the series with two sizes or more, of runs with restarts or maintenance. */
  static DataSizes of(MatrixResults results) {
    Map<String, Series> all = new LinkedHashMap<>();
    for (CellResult cell : results.cells()) {
      double size = cell.facts().map(CellInfo::gigabytes).orElse(0.0);
      if (size > 0) {
        all.computeIfAbsent(OutagesBySize.name(cell), name -> new Series(name, new TreeMap<>()))
            .cells
            .computeIfAbsent(size, any -> new ArrayList<>())
            .add(cell);
      }
    }
    return new DataSizes(
        all.values().stream().filter(each -> each.cells.size() > 1 && each.isTimed()).toList());
  }

  List<Table> tables(List<SizePrediction> kept) {
    return all.stream().map(each -> each.table(kept)).toList();
  }

  /** Returns the largest size of each series that keeps all limits; none without limits. */
  List<String> within(MatrixResults results) {
    return results.limits().isEmpty()
        ? List.of()
        : all.stream().map(series -> VisibleText.of(within(series, results))).toList();
  }

  /** Returns why values are missing. */
  List<String> missing(MatrixResults results) {
    return Stream.concat(all.stream().flatMap(Series::reasons), lacking(results)).toList();
  }

  /** Returns why the cells of a store lack maintenance that those of another one have. */
  private static Stream<String> lacking(MatrixResults results) {
    Set<Maintenance> any = EnumSet.noneOf(Maintenance.class);
    results.cells().stream()
        .flatMap(cell -> cell.runs().stream())
        .forEach(run -> any.addAll(run.times().kinds()));
    return results.cells().stream()
        .filter(cell -> !cell.runs().isEmpty())
        .flatMap(cell -> cell.facts().map(CellInfo::store).stream())
        .distinct()
        .sorted()
        .flatMap(
            store ->
                Stores.byId(store).stream()
                    .flatMap(known -> Stores.servers(known).kinds().stream().limit(1))
                    .map(kind -> kind.protocol())
                    .flatMap(
                        protocol ->
                            any.stream()
                                .filter(each -> !protocol.maintenance().contains(each))
                                .map(
                                    each ->
                                        "%s, %s: not measured, as %s."
                                            .formatted(store, each.id(), protocol.whyNot(each)))));
  }

  private static String within(Series series, MatrixResults results) {
    String last = "";
    for (Map.Entry<Double, List<CellResult>> each : series.cells.entrySet()) {
      String size = OutagesBySize.Series.size(each.getKey());
      List<String> ids = each.getValue().stream().map(cell -> cell.cell().id() + ": ").toList();
      Optional<String> why =
          Stream.of(results.brokenLimits(), results.undecided())
              .flatMap(List::stream)
              .filter(broken -> ids.stream().anyMatch(broken::startsWith))
              .findFirst();
      if (why.isPresent()) {
        return "%s: %s. With %s: %s."
            .formatted(
                series.name,
                last.isEmpty()
                    ? "no size keeps the limits"
                    : "up to " + last + " within the limits",
                size,
                reason(why.get()));
      }
      last = size;
    }
    Map<String, String> one = series.cells.firstEntry().getValue().get(0).coordinates();
    Map<String, String> others = OutagesBySize.others(one);
    String notMeasured =
        results.cells().stream()
            .filter(cell -> cell.runs().isEmpty())
            .filter(cell -> OutagesBySize.others(cell.coordinates()).equals(others))
            .filter(cell -> Objects.equals(cell.coordinates().get(VALUES), one.get(VALUES)))
            .map(
                cell ->
                    "; %s was not measured: %s"
                        .formatted(
                            OutagesBySize.sizes(cell.coordinates()),
                            reason(cell.troubles().get(0))))
            .collect(Collectors.joining());
    return "%s: up to %s, the most that was measured, within the limits%s."
        .formatted(series.name, last, notMeasured);
  }

  /** Returns a sentence about a cell without the id of the cell and the period. */
  private static String reason(String sentence) {
    return sentence.replaceFirst("^[^:]*: ", "").replaceFirst("\\.$", "");
  }

  /**
   * Predicts the values of the next cell, if it has the most data of its series and at least
   * {@value #MIN_SIZES} smaller sizes were measured.
   *
   * @param scenario scenario of the cell, which was not measured
   */
  List<SizePrediction> predicted(Cell cell, Scenario scenario, Instant now) {
    Requests requests = scenario.requests();
    double size = (double) requests.keys().count() * requests.bytesPerPreloadedKey() / BYTES_PER_GB;
    String store = scenario.databases().get(0).database().base().id();
    String name = OutagesBySize.name(store, requests.values().meanBytes(), cell.coordinates());
    List<SizePrediction> found = new ArrayList<>();
    all.stream()
        .filter(each -> each.name.equals(name) && each.cells.lastKey() < size)
        .forEach(
            series ->
                series
                    .values()
                    .forEach(
                        (value, bySize) ->
                            Trend.of(bySize.headMap(size, false))
                                .filter(trend -> trend.at(size) > 0)
                                .map(
                                    trend ->
                                        new SizePrediction(
                                            now,
                                            cell.id(),
                                            name,
                                            value,
                                            size,
                                            trend.at(size),
                                            List.copyOf(bySize.keySet())))
                                .ifPresent(found::add)));
    return found;
  }

  /** Returns a prediction in words. */
  static String text(SizePrediction each) {
    return VisibleText.of(
        "predicted for %s: %s %s"
            .formatted(
                OutagesBySize.Series.size(each.gigabytes()),
                each.value(),
                plainDigits(each.predicted())));
  }
}
