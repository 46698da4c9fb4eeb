// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.judge.Sample;
import io.quorate.report.study.MatrixPage.Table;
import io.quorate.results.MatrixManifest;
import io.quorate.results.MatrixManifest.Cell;
import io.quorate.results.SizePrediction;
import io.quorate.scenario.Metric;
import io.quorate.scenario.Requests;
import io.quorate.scenario.Scenario;
import io.quorate.store.Maintenance;
import io.quorate.stores.Stores;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What servers need and how fast they are, by the size of the data: a series for each database, and
 * for all values of the axes that do not change the size.
 */
record DataSizes(List<Series> all) {
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
    /** Returns the line; empty for fewer than {@value #MIN_SIZES} sizes. */
    static Optional<Trend> of(double[] x, double[] y) {
      if (x.length < MIN_SIZES) {
        return Optional.empty();
      }
      double slope = OutagesBySize.slope(x, y).orElseThrow();
      double[] left = IntStream.range(0, x.length).mapToDouble(i -> y[i] - slope * x[i]).toArray();
      return Optional.of(new Trend(slope, Sample.median(left), interval(x, y)));
    }

    private static Optional<double[]> interval(double[] x, double[] y) {
      double[] slopes =
          IntStream.range(0, x.length)
              .boxed()
              .flatMapToDouble(
                  i -> IntStream.range(0, i).mapToDouble(j -> (y[i] - y[j]) / (x[i] - x[j])))
              .sorted()
              .toArray();
      int outside = discordant(x.length);
      return outside < 0
          ? Optional.empty()
          : Optional.of(new double[] {slopes[outside], slopes[slopes.length - 1 - outside]});
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
      return number(slope)
          + interval
              .map(ends -> " (%s to %s)".formatted(number(ends[0]), number(ends[ends.length - 1])))
              .orElse("");
    }
  }

  /**
   * A series.
   *
   * @param values medians of the runs by the name of the value, with its unit, and by size
   * @param missing what was not measured, by size, with the reason
   */
  record Series(
      String name, Map<String, TreeMap<Double, Double>> values, Map<Double, List<String>> missing) {
    private void add(double size, List<RepeatFigures> runs) {
      Map<String, List<Double>> all = new LinkedHashMap<>();
      runs.forEach(
          run ->
              DataSizes.values(run)
                  .forEach(
                      (value, number) ->
                          all.computeIfAbsent(value, any -> new ArrayList<>()).add(number)));
      all.forEach(
          (value, numbers) ->
              values
                  .computeIfAbsent(value, any -> new TreeMap<>())
                  .put(size, Sample.median(numbers.stream().mapToDouble(each -> each).toArray())));
      runs.stream()
          .flatMap(run -> run.times().missing().stream())
          .forEach(why -> missing.computeIfAbsent(size, any -> new ArrayList<>()).add(why));
    }

    private TreeSet<Double> sizes() {
      return values.values().stream()
          .flatMap(each -> each.keySet().stream())
          .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the line through all sizes below one. */
    private static Optional<Trend> below(TreeMap<Double, Double> bySize, double size) {
      Map<Double, Double> smaller = bySize.headMap(size, false);
      return Trend.of(numbers(smaller.keySet().stream()), numbers(smaller.values().stream()));
    }

    private static double[] numbers(Stream<Double> all) {
      return all.mapToDouble(each -> each).toArray();
    }

    private Table table(List<SizePrediction> kept) {
      TreeSet<Double> sizes = sizes();
      List<String> columns = new ArrayList<>(List.of(""));
      sizes.forEach(size -> columns.add(OutagesBySize.Series.size(size)));
      columns.add("for each GB (95% interval)");
      columns.add("predicted for " + OutagesBySize.Series.size(sizes.last()));
      columns.add("error");
      List<List<String>> rows = new ArrayList<>();
      values.forEach((value, bySize) -> rows.add(row(value, bySize, sizes, kept)));
      return new Table(VisibleText.of(name), columns, rows);
    }

    private List<String> row(
        String value,
        TreeMap<Double, Double> bySize,
        TreeSet<Double> sizes,
        List<SizePrediction> kept) {
      List<String> row = new ArrayList<>(List.of(value));
      sizes.forEach(
          size ->
              row.add(Optional.ofNullable(bySize.get(size)).map(DataSizes::number).orElse("-")));
      row.add(
          Trend.of(numbers(bySize.keySet().stream()), numbers(bySize.values().stream()))
              .map(Trend::text)
              .orElse("-"));
      Optional<Double> predicted =
          kept.stream()
              .filter(each -> each.series().equals(name) && each.value().equals(value))
              .filter(each -> each.gigabytes() == sizes.last())
              .map(SizePrediction::predicted)
              .findFirst();
      row.add(predicted.map(DataSizes::number).orElse("-"));
      row.add(
          predicted
              .flatMap(
                  expected ->
                      Optional.ofNullable(bySize.get(sizes.last()))
                          .map(real -> "%+.0f%%".formatted((expected / real - 1) * 100)))
              .orElse("-"));
      return row;
    }

    private List<String> reasons() {
      return missing.entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .flatMap(
              size ->
                  size.getValue().stream()
                      .map(
                          why ->
                              VisibleText.of(
                                  "%s, %s: %s."
                                      .formatted(
                                          name, OutagesBySize.Series.size(size.getKey()), why))))
          .toList();
    }
  }

  /** Returns the values of a run by their names. */
  private static Map<String, Double> values(RepeatFigures run) {
    Map<String, Double> values = new LinkedHashMap<>();
    run.values().entrySet().stream()
        .filter(each -> LATENCIES.contains(each.getKey().metric()))
        .filter(each -> each.getKey().operation().isPresent())
        .sorted(Comparator.comparing(each -> each.getKey().operation().orElseThrow()))
        .forEach(
            each ->
                values.put(
                    each.getKey().operation().orElseThrow()
                        + " "
                        + each.getKey().metric().heading(),
                    each.getValue()));
    values.putAll(run.times().seconds());
    run.values().entrySet().stream()
        .filter(each -> isOfServers(each.getKey()))
        .forEach(each -> values.put(each.getKey().metric().heading(), each.getValue()));
    return values;
  }

  private static boolean isOfServers(Row row) {
    return MACHINES.contains(row.metric()) && row.step().isEmpty();
  }

  private static String number(double value) {
    int decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
    return NumberFormats.fixed(value, decimals);
  }

  /** Returns the series with two sizes or more, of runs with restarts or maintenance. */
  static DataSizes of(MatrixResults results) {
    Map<String, Series> all = new LinkedHashMap<>();
    Set<String> timed = new HashSet<>();
    for (CellResult cell : results.cells()) {
      double size = cell.facts().map(CellInfo::gigabytes).orElse(0.0);
      if (size > 0) {
        String series = OutagesBySize.name(cell);
        all.computeIfAbsent(
                series, name -> new Series(name, new LinkedHashMap<>(), new HashMap<>()))
            .add(size, cell.runs());
        if (cell.runs().stream().anyMatch(run -> !run.times().seconds().isEmpty())) {
          timed.add(series);
        }
      }
    }
    all.keySet().retainAll(timed);
    return new DataSizes(all.values().stream().filter(each -> each.sizes().size() > 1).toList());
  }

  List<Table> tables(List<SizePrediction> kept) {
    return all.stream().map(each -> each.table(kept)).toList();
  }

  /** Returns which sizes keep all limits, if the scenario has some, and why values are missing. */
  List<String> sentences(MatrixResults results) {
    Stream<String> within =
        results.limits().isEmpty()
            ? Stream.of()
            : all.stream().flatMap(series -> within(series, results).stream());
    return Stream.of(
            within, all.stream().flatMap(each -> each.reasons().stream()), lacking(results))
        .flatMap(each -> each)
        .toList();
  }

  /** Returns why the cells of a store lack maintenance that those of another one have. */
  private static Stream<String> lacking(MatrixResults results) {
    Map<String, Set<Maintenance>> byStore = new TreeMap<>();
    for (CellResult cell : results.cells()) {
      cell.runs().stream()
          .map(run -> run.times().kinds())
          .forEach(
              kinds ->
                  byStore
                      .computeIfAbsent(
                          cell.facts().map(CellInfo::store).orElse(""),
                          any -> EnumSet.noneOf(Maintenance.class))
                      .addAll(kinds));
    }
    Set<Maintenance> any = EnumSet.noneOf(Maintenance.class);
    byStore.values().forEach(any::addAll);
    return byStore.entrySet().stream()
        .flatMap(
            store ->
                Stores.byId(store.getKey()).stream()
                    .flatMap(known -> Stores.servers(known).kinds().stream().limit(1))
                    .map(kind -> kind.protocol())
                    .flatMap(
                        protocol ->
                            any.stream()
                                .filter(each -> !protocol.maintenance().contains(each))
                                .map(
                                    each ->
                                        "%s, %s: not measured, as %s."
                                            .formatted(
                                                store.getKey(),
                                                each.id(),
                                                protocol.whyNot(each)))));
  }

  private static Optional<String> within(Series series, MatrixResults results) {
    List<CellResult> ascending =
        results.cells().stream()
            .filter(cell -> cell.facts().filter(facts -> facts.gigabytes() > 0).isPresent())
            .filter(cell -> OutagesBySize.name(cell).equals(series.name))
            .sorted(Comparator.comparing(cell -> cell.facts().orElseThrow().gigabytes()))
            .toList();
    Function<CellResult, String> size =
        cell -> OutagesBySize.Series.size(cell.facts().orElseThrow().gigabytes());
    String last = "";
    for (CellResult cell : ascending) {
      String id = cell.cell().id() + ": ";
      Optional<String> why =
          Stream.of(results.brokenLimits(), results.undecided())
              .flatMap(List::stream)
              .filter(each -> each.startsWith(id))
              .map(each -> each.substring(id.length()))
              .findFirst();
      if (why.isPresent()) {
        return Optional.of(
            "%s: %s. With %s: %s."
                .formatted(
                    series.name,
                    last.isEmpty()
                        ? "no size keeps the limits"
                        : "up to " + last + " within the limits",
                    size.apply(cell),
                    why.get().replaceFirst("\\.$", "")));
      }
      last = size.apply(cell);
    }
    return Optional.of(
        "%s: up to %s, the most that was measured, within the limits."
            .formatted(series.name, last));
  }

  /**
   * Predicts the values of the next cell, if it has the most data of its series and at least
   * {@value #MIN_SIZES} smaller sizes were measured.
   *
   * @param scenario scenario of the cell, which was not measured
   */
  List<SizePrediction> predicted(MatrixManifest matrix, String id, Scenario scenario, Instant now) {
    return matrix.cells().stream()
        .filter(each -> each.id().equals(id))
        .flatMap(each -> predicted(each, scenario, now).stream())
        .toList();
  }

  private List<SizePrediction> predicted(Cell cell, Scenario scenario, Instant now) {
    Requests requests = scenario.requests();
    double size = (double) requests.keys().count() * requests.bytesPerKey() / BYTES_PER_GB;
    String store = scenario.databases().get(0).database().base().id();
    String name = OutagesBySize.name(store, cell.coordinates());
    List<SizePrediction> found = new ArrayList<>();
    all.stream()
        .filter(each -> each.name.equals(name) && each.sizes().last() < size)
        .forEach(
            series ->
                series.values.forEach(
                    (value, bySize) ->
                        Series.below(bySize, size)
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
                number(each.predicted())));
  }
}
