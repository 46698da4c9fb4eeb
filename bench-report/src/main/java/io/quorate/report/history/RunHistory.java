// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import io.quorate.format.NumberFormats;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.history.RunSeries.LevelChange;
import io.quorate.scenario.Metric;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The series of all runs of a history. A series never contains runs of different loads.
 *
 * @param entries runs of databases, in the order of their start
 */
record RunHistory(List<HistoryEntry> entries, List<RunSeries> series) {
  private static final List<String> WORDS = List.of("slower", "more", "faster", "less");

  /** Number of runs of a series from which its change points are reliable. */
  static final int ENOUGH_RUNS = 2 * RunSeries.CONFIRMED;

  private record Database(String scenario, String id) {
    static Database of(HistoryEntry entry) {
      return new Database(entry.scenario(), entry.database());
    }
  }

  /**
   * Divides runs into series.
   *
   * @param metrics metrics of interest
   * @param databases ids of databases of interest; empty for all
   */
  static RunHistory of(List<HistoryEntry> all, Set<Metric> metrics, Set<String> databases) {
    List<HistoryEntry> entries =
        all.stream()
            .filter(each -> databases.isEmpty() || databases.contains(each.database()))
            .toList();
    Map<Database, Map<Map<String, String>, List<HistoryEntry>>> loads = new LinkedHashMap<>();
    for (HistoryEntry entry : entries) {
      loads
          .computeIfAbsent(Database.of(entry), any -> new LinkedHashMap<>())
          .computeIfAbsent(entry.load(), any -> new ArrayList<>())
          .add(entry);
    }
    List<RunSeries> series = new ArrayList<>();
    loads.forEach(
        (database, byLoad) ->
            byLoad.forEach(
                (load, runs) ->
                    series.addAll(
                        series(database, variant(load, byLoad.keySet()), runs, metrics))));
    return new RunHistory(entries, series);
  }

  private static List<RunSeries> series(
      Database database, String variant, List<HistoryEntry> runs, Set<Metric> metrics) {
    Map<Row, Map<HistoryEntry, Double>> rows = new LinkedHashMap<>();
    for (HistoryEntry run : runs) {
      run.rows()
          .forEach(
              (row, value) -> {
                if (metrics.contains(row.metric())) {
                  rows.computeIfAbsent(row, any -> new IdentityHashMap<>()).put(run, value);
                }
              });
    }
    List<RunSeries> series = new ArrayList<>();
    rows.forEach(
        (row, values) -> {
          List<HistoryEntry> known = runs.stream().filter(values::containsKey).toList();
          double[] numbers = known.stream().mapToDouble(values::get).toArray();
          series.add(
              new RunSeries(
                  database.scenario,
                  database.id,
                  variant,
                  row,
                  known,
                  numbers,
                  ChangePoints.of(numbers)));
        });
    return series;
  }

  /** Returns what differs between a load and others; empty if there are no others. */
  private static String variant(Map<String, String> load, Set<Map<String, String>> all) {
    return load.entrySet().stream()
        .filter(
            each ->
                all.stream().anyMatch(other -> !each.getValue().equals(other.get(each.getKey()))))
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining("; "));
  }

  /** Returns the number of runs. */
  long runs() {
    return entries.stream().map(HistoryEntry::runKey).distinct().count();
  }

  /** Returns the number of runs of the longest series. */
  int longest() {
    return series.stream().mapToInt(each -> each.values().length).max().orElse(0);
  }

  /** Returns all changes, the newest first. */
  List<LevelChange> changes() {
    return series.stream()
        .flatMap(each -> each.changes().stream())
        .sorted(Comparator.comparing((LevelChange each) -> each.to().start()).reversed())
        .toList();
  }

  /** Counts series by their newest change: {@code 2 slower, 1 faster, 9 without change}. */
  String counts() {
    if (longest() < HistoryPlots.LEAST_RUNS) {
      return NumberFormats.count(longest(), "run") + ": nothing to compare yet";
    }
    Map<String, Long> counts = new LinkedHashMap<>();
    WORDS.forEach(word -> counts.put(word, 0L));
    counts.put("without change", 0L);
    series.forEach(each -> counts.merge(each.direction().orElse("without change"), 1L, Long::sum));
    return counts.entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }
}
