// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RequestFigures;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.figures.TotalFigures;
import io.quorate.report.page.Page.RatioGroup;
import io.quorate.report.page.Page.RatioTable;
import io.quorate.report.page.Page.Row;
import io.quorate.report.page.Page.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The table of ratios at the top of the page. A group of rows has the databases with the same load,
 * with the same operation, or over the whole run. Ratios compare a value with the best one of its
 * group.
 */
final class Overview {
  /** Title of the group of runs that were interrupted, failed, or go on. */
  static final String INCOMPLETE = "not complete, so not compared";

  static final String MISSING = "-";

  /** Title of the group of all requests, next to those of operations. */
  static final String ALL = "all requests";

  private static final String WATCHES = "watch latency until the last watcher";

  /**
   * Rows that are compared with each other.
   *
   * @param run of all rows
   * @param title title of the group; empty if there is only one
   */
  record Group(RunFigures run, String title, List<OverviewRow> rows) {
    private Group disturbed() {
      return new Group(
          run,
          title,
          rows.stream().map(row -> row.with(row.database(), Reservation.DISTURBED)).toList());
    }
  }

  private final List<Group> groups = new ArrayList<>();
  private final List<Group> steps;

  /** Number of the group that a page shows first: the last load, the watches, or all requests. */
  private final int selected;

  Overview(RunFigures run) {
    List<DatabaseFigures> databases = run.compared();
    Map<Long, List<OverviewRow>> byLoad = new TreeMap<>();
    Map<Long, String> loads = new TreeMap<>();
    Map<String, List<OverviewRow>> byOperation = new LinkedHashMap<>();
    List<OverviewRow> all = new ArrayList<>();
    for (DatabaseFigures each : databases) {
      Set<Long> late =
          each.steps().stream()
              .filter(StepFigures::isLate)
              .map(StepFigures::load)
              .collect(Collectors.toSet());
      each.steps().forEach(step -> loads.put(step.load(), step.loadText()));
      if (databases.stream().anyMatch(it -> it.byLoad().size() > 1)) {
        each.byLoad()
            .forEach(
                (load, of) ->
                    byLoad
                        .computeIfAbsent(load, any -> new ArrayList<>())
                        .add(
                            OverviewRow.of(
                                each,
                                of,
                                each.serverCpuPercent(load),
                                atRate(of.basis(), late.contains(load)))));
      }
      for (RequestFigures of : each.operations()) {
        if (each.operations().size() > 1) {
          byOperation
              .computeIfAbsent(of.operation().orElseThrow(), any -> new ArrayList<>())
              .add(
                  OverviewRow.of(
                      each,
                      of,
                      OptionalDouble.empty(),
                      atRate(of.basis().withClients(each.run()), !late.isEmpty())
                          .with(Reservation.SHARE_OF_MIX)));
        }
      }
      TotalFigures total = each.total().orElseThrow();
      all.add(OverviewRow.of(each.name(), total, atRate(total.basis(), !late.isEmpty())));
    }
    run.imports()
        .forEach(
            each ->
                all.add(OverviewRow.of(VisibleText.of(each.tag()), each, each.basis().atRate())));
    List<OverviewRow> watched =
        databases.stream().flatMap(each -> OverviewRow.ofWatches(each).stream()).toList();
    if (!watched.isEmpty()) {
      groups.add(new Group(run, WATCHES + DatabaseFigures.watchers(databases), watched));
    }
    byLoad.forEach((load, rows) -> groups.add(new Group(run, title(load, loads), rows)));
    int loadGroups = groups.size();
    byOperation.forEach((name, rows) -> groups.add(new Group(run, name, rows)));
    // a mean over unequal steps describes none of them
    if (!all.isEmpty() && (byLoad.isEmpty() || !run.imports().isEmpty())) {
      groups.add(new Group(run, groups.isEmpty() ? "" : ALL, all));
    }
    if (run.doNotUse().isPresent()) {
      groups.replaceAll(Group::disturbed);
    }
    steps = List.copyOf(byLoad.isEmpty() ? groups : groups.subList(0, loadGroups));
    selected = byLoad.isEmpty() && !watched.isEmpty() ? 1 : steps.size();
    List<OverviewRow> incomplete =
        run.databases().stream()
            .filter(each -> each.total().isEmpty() && each.requests().counts().isPresent())
            .map(OverviewRow::ofIncomplete)
            // nothing is known before a step has ended
            .filter(row -> row.requestsPerSecond().isPresent() || row.errors().orElse(0) > 0)
            .toList();
    if (!incomplete.isEmpty()) {
      groups.add(new Group(run, INCOMPLETE, incomplete));
    }
  }

  /** Returns a load in words; of phases with the same load, with its number. */
  private static String title(long load, Map<Long, String> loads) {
    String text = Objects.requireNonNull(loads.get(load));
    return Collections.frequency(loads.values(), text) > 1 ? "phase " + load + ": " + text : text;
  }

  /** Returns whether a group with this title has latencies of watches, which are not a load. */
  static boolean isOfWatches(String title) {
    return title.startsWith(WATCHES);
  }

  /** Returns the rows of each load or, of a single load, those of each operation and of all. */
  List<Group> comparable() {
    return steps;
  }

  RatioTable table() {
    boolean dropped =
        groups.stream()
            .flatMap(each -> each.rows().stream())
            .anyMatch(row -> row.dropped().orElse(0) > 0);
    List<OverviewColumn> columns =
        groups.isEmpty()
            ? List.of()
            : Arrays.stream(OverviewColumn.values())
                .filter(each -> dropped || each != OverviewColumn.DROPPED)
                .toList();
    return new RatioTable(
        columns.stream().map(column -> column.title).toList(),
        groups.stream().map(group -> shown(group, columns)).toList(),
        selected,
        notes());
  }

  /**
   * Returns the table of repeated runs: medians, with the lowest and the highest value of several
   * runs, and the ratios of the medians. It has all columns, names no best values, and omits values
   * of several loads together if there were several loads. Its notes only explain marks.
   *
   * @param runs runs of the same scenario, at least one
   */
  static RatioTable ofSteps(List<Overview> runs) {
    return new RatioTable(
        columns(),
        loads(runs).stream()
            .map(repeats -> new RatioGroup(repeats.get(0).title(), medians(repeats)))
            .toList(),
        0,
        runs.stream().flatMap(run -> run.marks().stream()).distinct().toList());
  }

  /** Returns the titles of all columns. */
  static List<String> columns() {
    return Stream.of(OverviewColumn.values()).map(column -> column.title).toList();
  }

  /**
   * Returns the A/A band of each load of repeated runs: the largest difference between two runs of
   * one database, such as {@code throughput 4%, p50 3%, p99 21%}; empty for a single run.
   */
  static List<String> bands(List<Overview> runs) {
    return loads(runs).stream().map(Overview::band).toList();
  }

  /** Returns the percentage of the highest throughput with one of the loads, by database. */
  static Map<String, Long> parts(List<Overview> runs, int load) {
    return OverviewColumn.THROUGHPUT.parts(loads(runs).get(load));
  }

  private static String band(List<Group> repeats) {
    return Stream.of(OverviewColumn.THROUGHPUT, OverviewColumn.P50, OverviewColumn.P99)
        .flatMap(column -> column.band(repeats).stream())
        .collect(Collectors.joining(", "));
  }

  /** Returns the groups of repeated runs with the same load. */
  private static List<List<Group>> loads(List<Overview> runs) {
    return runs.get(0).steps.stream().map(group -> repeats(group, runs)).toList();
  }

  private static List<Group> repeats(Group group, List<Overview> runs) {
    return runs.stream()
        .flatMap(run -> run.steps.stream())
        .filter(each -> each.title().equals(group.title()))
        .toList();
  }

  private static List<Row> medians(List<Group> repeats) {
    return repeats.get(0).rows().stream()
        .map(
            row ->
                new Row(
                    row.database(),
                    Stream.of(OverviewColumn.values())
                        .map(column -> column.median(row.database(), repeats))
                        .toList()))
        .toList();
  }

  private static RatioGroup shown(Group group, List<OverviewColumn> columns) {
    return new RatioGroup(
        group.title(),
        group.rows().stream()
            .map(
                row ->
                    new Row(
                        row.database(),
                        columns.stream().map(column -> column.cell(row, group)).toList()))
            .toList());
  }

  /** Returns what the comparison lacks, with the groups if that does not concern all of them. */
  private List<String> notes() {
    Map<String, Set<String>> places = new LinkedHashMap<>();
    for (OverviewColumn column : OverviewColumn.values()) {
      for (Group group : groups) {
        column
            .reservations(group)
            .forEach(
                text ->
                    places.computeIfAbsent(text, any -> new LinkedHashSet<>()).add(group.title()));
      }
    }
    places.replaceAll((text, titles) -> titles.size() < groups.size() ? titles : Set.of());
    List<String> notes = new ArrayList<>(Table.notes(places));
    notes.addAll(marks());
    return notes;
  }

  private List<String> marks() {
    List<OverviewRow> rows = groups.stream().flatMap(each -> each.rows().stream()).toList();
    return Reservation.legends(
        Stream.of(OverviewColumn.values())
            .filter(OverviewColumn::hasRatio)
            .flatMap(column -> column.bases(rows).stream())
            .toList());
  }

  private static Basis atRate(Basis basis, boolean late) {
    return late ? basis.atRate().with(Reservation.LATE) : basis.atRate();
  }

  static String count(double value) {
    return NumberFormats.commas(Math.round(value));
  }
}
