// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.HostFigure;
import io.quorate.report.figures.Ranking;
import io.quorate.report.figures.Ranking.Value;
import io.quorate.report.figures.RequestFigures;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.figures.TotalFigures;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.report.page.Page.Cell;
import io.quorate.report.page.Page.RatioGroup;
import io.quorate.report.page.Page.RatioTable;
import io.quorate.report.page.Page.Row;
import io.quorate.report.page.Page.Table;
import io.quorate.results.latency.Percentile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
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

  private static final String MISSING = "-";
  private final List<Group> groups = new ArrayList<>();
  private final List<Group> steps;

  /**
   * Rows that are compared with each other.
   *
   * @param title title of the group; empty if there is only one
   * @param where name of the group in notes; may be empty
   */
  private record Group(String title, String where, List<Figures> rows) {
    private Group disturbed() {
      return new Group(
          title,
          where,
          rows.stream().map(row -> row.with(row.database, Reservation.DISTURBED)).toList());
    }
  }

  /**
   * The values of a row.
   *
   * @param errors number of errors; empty if unknown
   * @param dropped number of requests that were due but never sent; empty if unknown
   */
  private record Figures(
      String database,
      long requests,
      OptionalDouble requestsPerSecond,
      OptionalDouble p50Ms,
      OptionalDouble p99Ms,
      OptionalLong errors,
      OptionalLong dropped,
      OptionalDouble cpuPercent,
      Basis basis,
      Basis rateBasis) {
    static Figures of(DatabaseFigures database, RequestFigures of, Basis rateBasis) {
      return new Figures(
          database.name(),
          of.succeeded(),
          of.requestsPerSecond(),
          of.percentileMs(Percentile.P50),
          of.percentileMs(Percentile.P99),
          of.failed(),
          of.dropped(),
          OptionalDouble.empty(),
          of.basis(),
          rateBasis);
    }

    /** Returns the values of all requests of a run that was interrupted, failed, or goes on. */
    static Figures ofIncomplete(DatabaseFigures database) {
      String status = database.run().manifest().statusText();
      RequestFigures of = database.requests();
      return of(database, of, of.basis().atRate())
          .with(database.name() + " (" + status + ")", Reservation.INCOMPLETE);
    }

    static Figures of(String name, TotalFigures of, Basis rateBasis) {
      boolean known = of.errors().isPresent();
      return new Figures(
          name,
          of.requests().orElse(0) - of.errorCount(),
          of.requestsPerSecond(),
          of.percentileMs(Percentile.P50),
          of.percentileMs(Percentile.P99),
          known ? OptionalLong.of(of.errorCount()) : OptionalLong.empty(),
          known ? OptionalLong.of(of.dropped()) : OptionalLong.empty(),
          of.host(HostFigure.SERVER_MEAN_CPU_PERCENT),
          of.basis(),
          rateBasis);
    }

    /** Returns the latency of watches until the last watcher; empty if there were none. */
    static Optional<Figures> ofWatches(DatabaseFigures database) {
      TotalFigures total = database.total().orElseThrow();
      Basis basis =
          total.watch().filter(watch -> !watch.hasAllEvents()).isPresent()
              ? total.basis().with(Reservation.EVENTS)
              : total.basis();
      return total
          .watch()
          .map(
              watch ->
                  new Figures(
                      database.name(),
                      total.requests().orElse(0) - total.errorCount(),
                      OptionalDouble.empty(),
                      RequestFigures.known(watch.lastMs(), Percentile.P50),
                      RequestFigures.known(watch.lastMs(), Percentile.P99),
                      OptionalLong.empty(),
                      OptionalLong.empty(),
                      OptionalDouble.empty(),
                      basis,
                      basis));
    }

    /** Returns the same values with a reservation about all of them. */
    private Figures with(String name, Reservation reservation) {
      return new Figures(
          name,
          requests,
          requestsPerSecond,
          p50Ms,
          p99Ms,
          errors,
          dropped,
          cpuPercent,
          basis.with(reservation),
          rateBasis.with(reservation));
    }

    Basis basis(Column column) {
      return switch (column) {
        case THROUGHPUT -> rateBasis;
        case ERRORS -> basis.withoutReads();
        case P50 -> basis.at(Percentile.P50, requests);
        case P99 -> basis.at(Percentile.P99, requests);
        default -> basis;
      };
    }
  }

  /** The columns; the best value is marked if it is better than the others by more than a tie. */
  private enum Column {
    THROUGHPUT("throughput /s", Kind.RATE, Figures::requestsPerSecond, NumberFormats::rate),
    P50("p50 ms", Kind.TIME, Figures::p50Ms, Overview::ms),
    P99("p99 ms", Kind.TIME, Figures::p99Ms, Overview::ms),
    ERRORS("errors", Kind.COUNT, row -> number(row.errors()), Overview::count),
    DROPPED("dropped", Kind.COUNT, row -> number(row.dropped()), Overview::count),
    SERVER_CPU("server CPU %", Kind.RESOURCE, Figures::cpuPercent, Overview::count);

    private final String title;
    private final Kind kind;
    private final Function<Figures, OptionalDouble> figure;
    private final Function<Double, String> format;

    Column(
        String title,
        Kind kind,
        Function<Figures, OptionalDouble> figure,
        Function<Double, String> format) {
      this.title = title;
      this.kind = kind;
      this.figure = figure;
      this.format = format;
    }

    private boolean hasRatio() {
      return this == THROUGHPUT || this == P50 || this == P99;
    }

    /** Returns the marks of the values of some rows, each after a blank. */
    private String marks(List<Figures> rows) {
      return hasRatio() ? Reservation.marks(bases(rows)) : "";
    }

    private List<Basis> bases(List<Figures> rows) {
      return rows.stream()
          .filter(row -> figure.apply(row).isPresent())
          .map(row -> row.basis(this))
          .toList();
    }

    /** Returns the cell of a row. */
    Cell cell(Figures row, Group group) {
      OptionalDouble value = figure.apply(row);
      if (value.isEmpty()) {
        return new Cell(MISSING, false);
      }
      return new Cell(
          format.apply(value.getAsDouble()) + marks(List.of(row)),
          winner(group).filter(row::equals).isPresent(),
          ratio(value.getAsDouble(), ranking(group), List.of(group)),
          leads(row, group));
    }

    /** Returns the cell of a database in repeated runs; without a value if a run has none. */
    Cell median(String database, List<Group> repeats) {
      Sample runs = sample(database, repeats);
      if (runs.count() < repeats.size()) {
        return new Cell(MISSING, false);
      }
      String lowest = format.apply(runs.least());
      String highest = format.apply(runs.greatest());
      String range = lowest.equals(highest) ? "" : " (%s to %s)".formatted(lowest, highest);
      Ranking<String> ranking =
          new Ranking<>(
              kind,
              repeats.get(0).rows().stream()
                  .map(Figures::database)
                  .map(name -> new Value<>(name, sample(name, repeats).values()))
                  .filter(value -> value.runs().length > 0)
                  .toList());
      return new Cell(
          format.apply(runs.median()) + marks(rows(database, repeats)) + range,
          false,
          ratio(runs.median(), ranking, repeats),
          ranking.leaders().stream().anyMatch(value -> value.of().equals(database)));
    }

    /**
     * Returns the largest difference of two runs of one database with the same load, such as {@code
     * p50 3%}; empty without values of two runs.
     *
     * @param loads repeated runs of each load
     */
    Optional<String> band(List<List<Group>> loads) {
      return loads.stream()
          .flatMap(
              repeats -> repeats.get(0).rows().stream().map(row -> sample(row.database(), repeats)))
          .filter(runs -> runs.count() > 1 && runs.least() > 0)
          .map(runs -> Math.round(100 * (runs.greatest() / runs.least() - 1)))
          .max(Comparator.naturalOrder())
          .map(percent -> "%s %s%%".formatted(title.replaceFirst(" .*", ""), percent));
    }

    private static List<Figures> rows(String database, List<Group> repeats) {
      return repeats.stream()
          .flatMap(group -> group.rows().stream())
          .filter(row -> row.database().equals(database))
          .toList();
    }

    private Sample sample(String database, List<Group> repeats) {
      return new Sample(
          kind,
          rows(database, repeats).stream()
              .flatMapToDouble(row -> figure.apply(row).stream())
              .toArray());
    }

    /** Returns the ratio to the best value; empty if the values of some run may not be compared. */
    private OptionalDouble ratio(double value, Ranking<?> ranking, List<Group> runs) {
      double best = ranking.values().get(0).median();
      return hasRatio() && value > 0 && best > 0 && runs.stream().allMatch(this::isCompared)
          ? OptionalDouble.of(value / best)
          : OptionalDouble.empty();
    }

    private boolean isCompared(Group group) {
      return values(group).size() > 1
          && Reservation.obstacle(reservations(ranking(group))).isEmpty();
    }

    /**
     * Returns the row with the best value; empty if a value is missing, or the best one had failed
     * requests. For CPU the row also has to lead in throughput, as less work needs less CPU.
     */
    private Optional<Figures> winner(Group group) {
      List<Value<Figures>> values = values(group);
      return values.size() < group.rows().size()
          ? Optional.empty()
          : ranking(group)
              .best(Figures::database, row -> row.basis(this))
              .filter(
                  best ->
                      this != SERVER_CPU
                          || THROUGHPUT.isCompared(group) && THROUGHPUT.leads(best, group));
    }

    private boolean leads(Figures row, Group group) {
      return ranking(group).leaders().stream().anyMatch(value -> value.of() == row);
    }

    private Ranking<Figures> ranking(Group group) {
      return new Ranking<>(kind, values(group));
    }

    private Stream<String> reservations(Group group) {
      if (group.rows().size() < 2) {
        return Stream.empty();
      }
      return reservations(ranking(group)).stream()
          .filter(each -> !each.reservation().isMarked())
          .map(Reservation.Stated::text);
    }

    private List<Reservation.Stated> reservations(Ranking<Figures> ranking) {
      return ranking.reservations(Figures::database, row -> row.basis(this));
    }

    private List<Value<Figures>> values(Group group) {
      return group.rows().stream()
          .flatMap(row -> figure.apply(row).stream().mapToObj(value -> new Value<>(row, value)))
          .toList();
    }
  }

  Overview(RunFigures run) {
    List<DatabaseFigures> databases = run.compared();
    Map<Long, List<Figures>> byLoad = new TreeMap<>();
    Map<Long, String> loads = new TreeMap<>();
    Map<String, List<Figures>> byOperation = new LinkedHashMap<>();
    List<Figures> all = new ArrayList<>();
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
                        .add(Figures.of(each, of, atRate(of.basis(), late.contains(load)))));
      }
      for (RequestFigures of : each.operations()) {
        if (each.operations().size() > 1) {
          byOperation
              .computeIfAbsent(of.operation().orElseThrow(), any -> new ArrayList<>())
              .add(
                  Figures.of(
                      each,
                      of,
                      atRate(of.basis(), !late.isEmpty()).with(Reservation.SHARE_OF_MIX)));
        }
      }
      TotalFigures total = each.total().orElseThrow();
      all.add(Figures.of(each.name(), total, atRate(total.basis(), !late.isEmpty())));
    }
    run.imports()
        .forEach(
            each -> all.add(Figures.of(VisibleText.of(each.tag()), each, each.basis().atRate())));
    List<Figures> watched =
        databases.stream().flatMap(each -> Figures.ofWatches(each).stream()).toList();
    if (!watched.isEmpty()) {
      groups.add(new Group("watch latency until the last watcher", " of watch latency", watched));
    }
    byLoad.forEach(
        (load, rows) -> {
          String name = Objects.requireNonNull(loads.get(load));
          groups.add(new Group(name, (name.endsWith("/s") ? " at " : " with ") + name, rows));
        });
    int loadGroups = groups.size();
    byOperation.forEach((name, rows) -> groups.add(new Group(name, " of " + name, rows)));
    if (!all.isEmpty()) {
      groups.add(
          new Group(
              groups.isEmpty() ? "" : "all requests", groups.isEmpty() ? "" : " of all", all));
    }
    if (run.doNotUse().isPresent()) {
      groups.replaceAll(Group::disturbed);
    }
    steps = List.copyOf(byLoad.isEmpty() ? groups : groups.subList(0, loadGroups));
    List<Figures> incomplete =
        run.databases().stream()
            .filter(each -> each.total().isEmpty() && each.requests().counts().isPresent())
            .map(Figures::ofIncomplete)
            .toList();
    if (!incomplete.isEmpty()) {
      groups.add(new Group(INCOMPLETE, " of incomplete runs", incomplete));
    }
  }

  RatioTable table() {
    boolean dropped =
        groups.stream()
            .flatMap(each -> each.rows().stream())
            .anyMatch(row -> row.dropped().orElse(0) > 0);
    List<Column> columns =
        groups.isEmpty()
            ? List.of()
            : Arrays.stream(Column.values())
                .filter(each -> dropped || each != Column.DROPPED)
                .toList();
    return table(groups, columns, notes());
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
        runs.stream().flatMap(run -> run.marks().stream()).distinct().toList());
  }

  /** Returns the titles of all columns. */
  static List<String> columns() {
    return Stream.of(Column.values()).map(column -> column.title).toList();
  }

  /**
   * Returns the A/A band of each load of repeated runs: the largest difference between two runs of
   * one database, such as {@code throughput 4%, p50 3%, p99 21%}; empty for a single run.
   */
  static List<String> bands(List<Overview> runs) {
    return loads(runs).stream().map(repeats -> bandOf(List.of(repeats))).toList();
  }

  /** Returns the A/A band of several repeated runs together, see {@link #bands}. */
  static String band(List<List<Overview>> repeated) {
    return bandOf(repeated.stream().flatMap(runs -> loads(runs).stream()).toList());
  }

  private static String bandOf(List<List<Group>> loads) {
    return Stream.of(Column.THROUGHPUT, Column.P50, Column.P99)
        .flatMap(column -> column.band(loads).stream())
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
                    Stream.of(Column.values())
                        .map(column -> column.median(row.database(), repeats))
                        .toList()))
        .toList();
  }

  private static RatioTable table(List<Group> shown, List<Column> columns, List<String> notes) {
    return new RatioTable(
        columns.stream().map(column -> column.title).toList(),
        shown.stream().map(group -> shown(group, columns)).toList(),
        notes);
  }

  private static RatioGroup shown(Group group, List<Column> columns) {
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

  private List<String> notes() {
    Map<String, Set<String>> places = new LinkedHashMap<>();
    for (Column column : Column.values()) {
      Map<String, Set<String>> groupsOf = new LinkedHashMap<>();
      groups.forEach(
          group ->
              column
                  .reservations(group)
                  .forEach(
                      text ->
                          groupsOf
                              .computeIfAbsent(text, any -> new LinkedHashSet<>())
                              .add(column.title + group.where())));
      groupsOf.forEach(
          (text, where) ->
              places
                  .computeIfAbsent(text, any -> new LinkedHashSet<>())
                  .addAll(where.size() < groups.size() ? where : Set.of(column.title)));
    }
    List<String> notes = new ArrayList<>(Table.notes(places));
    notes.addAll(marks());
    return notes;
  }

  private List<String> marks() {
    List<Figures> rows = groups.stream().flatMap(each -> each.rows().stream()).toList();
    return Reservation.legends(
        Stream.of(Column.values())
            .filter(Column::hasRatio)
            .flatMap(column -> column.bases(rows).stream())
            .toList());
  }

  private static Basis atRate(Basis basis, boolean late) {
    return late ? basis.atRate().with(Reservation.LATE) : basis.atRate();
  }

  private static OptionalDouble number(OptionalLong value) {
    return value.isPresent() ? OptionalDouble.of(value.getAsLong()) : OptionalDouble.empty();
  }

  private static String ms(double value) {
    int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    return decimals == 0 ? count(value) : NumberFormats.fixed(value, decimals);
  }

  private static String count(double value) {
    return NumberFormats.commas(Math.round(value));
  }
}
