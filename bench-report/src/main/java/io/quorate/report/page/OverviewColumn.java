// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Ranking;
import io.quorate.report.figures.Ranking.Value;
import io.quorate.report.figures.RequestFigures;
import io.quorate.report.figures.Reservation;
import io.quorate.report.judge.Family.Limits;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.report.page.Page.Cell;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/** The columns; the best value is marked if it is better than the others by more than a tie. */
enum OverviewColumn {
  THROUGHPUT("throughput /s", Kind.RATE, OverviewRow::requestsPerSecond, NumberFormats::rate),
  P50("p50 ms", Kind.TIME, OverviewRow::p50Ms, NumberFormats::threeDigits),
  P99("p99 ms", Kind.TIME, OverviewRow::p99Ms, NumberFormats::threeDigits),
  ERRORS("errors", Kind.COUNT, row -> RequestFigures.number(row.errors()), Overview::count),
  DROPPED("dropped", Kind.COUNT, row -> RequestFigures.number(row.dropped()), Overview::count),
  SERVER_CPU("server CPU %", Kind.RESOURCE, OverviewRow::cpuPercent, Overview::count);

  final String title;
  final Kind kind;
  final Function<OverviewRow, OptionalDouble> figure;
  final Function<Double, String> format;

  OverviewColumn(
      String title,
      Kind kind,
      Function<OverviewRow, OptionalDouble> figure,
      Function<Double, String> format) {
    this.title = title;
    this.kind = kind;
    this.figure = figure;
    this.format = format;
  }

  boolean hasRatio() {
    return this == THROUGHPUT || this == P50 || this == P99;
  }

  /** Returns the marks of the values of some rows, each after a blank. */
  String marks(List<OverviewRow> rows) {
    return hasRatio() ? Reservation.marks(bases(rows)) : "";
  }

  List<Basis> bases(List<OverviewRow> rows) {
    return rows.stream()
        .filter(row -> figure.apply(row).isPresent())
        .map(row -> row.basis(this))
        .toList();
  }

  /** Returns the cell of a row. */
  Cell cell(OverviewRow row, Overview.Group group) {
    OptionalDouble value = figure.apply(row);
    if (value.isEmpty()) {
      return new Cell(Overview.MISSING, false);
    }
    return new Cell(
        format.apply(value.getAsDouble()) + marks(List.of(row)),
        winner(group).filter(row::equals).isPresent(),
        ratio(value.getAsDouble(), ranking(group), List.of(group)),
        leads(row, group));
  }

  /** Returns the cell of a database in repeated runs; without a value if a run has none. */
  Cell median(String database, List<Overview.Group> repeats) {
    Sample runs = sample(database, repeats);
    if (runs.count() < repeats.size()) {
      return new Cell(Overview.MISSING, false);
    }
    String lowest = format.apply(runs.least());
    String highest = format.apply(runs.greatest());
    String range = lowest.equals(highest) ? "" : " (%s to %s)".formatted(lowest, highest);
    Limits limits = repeats.get(0).run().limits(kind);
    Ranking<String> ranking =
        new Ranking<>(
            kind,
            limits,
            repeats.get(0).rows().stream()
                .map(OverviewRow::database)
                .map(name -> new Value<>(name, sample(name, repeats).values()))
                .filter(value -> value.runs().length > 0)
                .toList());
    OptionalDouble ratio = ratio(runs.median(), ranking, repeats);
    double distance = Math.max(ratio.orElse(1), 1 / ratio.orElse(1));
    return new Cell(
        format.apply(runs.median()) + marks(rows(database, repeats)) + range,
        false,
        ratio,
        ratio.isPresent() && distance <= 1 + limits.tie()
            || ranking.leaders().stream().anyMatch(value -> value.of().equals(database)));
  }

  /**
   * Returns the largest difference of two runs of one database with the same load, such as {@code
   * p50 3%}; empty without values of two runs.
   *
   * @param repeats repeated runs
   */
  Optional<String> band(List<Overview.Group> repeats) {
    return repeats.get(0).rows().stream()
        .map(row -> sample(row.database(), repeats))
        .filter(runs -> runs.count() > 1 && runs.least() > 0)
        .map(runs -> Math.round(100 * runs.spread()))
        .max(Comparator.naturalOrder())
        .map(percent -> "%s %s%%".formatted(title.replaceFirst(" .*", ""), percent));
  }

  /** Returns the median of each database in repeated runs, as a percentage of the highest one. */
  Map<String, Long> parts(List<Overview.Group> repeats) {
    Map<String, Double> medians = new LinkedHashMap<>();
    for (OverviewRow row : repeats.get(0).rows()) {
      Sample runs = sample(row.database(), repeats);
      if (runs.count() > 0) {
        medians.put(row.database(), runs.median());
      }
    }
    double most = medians.values().stream().mapToDouble(each -> each).max().orElse(0);
    Map<String, Long> parts = new LinkedHashMap<>();
    medians.forEach(
        (name, value) -> parts.put(name, most > 0 ? Math.round(100 * value / most) : 0));
    return parts;
  }

  private static List<OverviewRow> rows(String database, List<Overview.Group> repeats) {
    return repeats.stream()
        .flatMap(group -> group.rows().stream())
        .filter(row -> row.database().equals(database))
        .toList();
  }

  private Sample sample(String database, List<Overview.Group> repeats) {
    return new Sample(
        kind,
        rows(database, repeats).stream()
            .flatMapToDouble(row -> figure.apply(row).stream())
            .toArray());
  }

  /** Returns the ratio to the best value; empty if the values of some run may not be compared. */
  private OptionalDouble ratio(double value, Ranking<?> ranking, List<Overview.Group> runs) {
    double best = ranking.values().get(0).median();
    return hasRatio() && value > 0 && best > 0 && runs.stream().allMatch(this::isCompared)
        ? OptionalDouble.of(value / best)
        : OptionalDouble.empty();
  }

  private boolean isCompared(Overview.Group group) {
    return values(group).size() > 1 && Reservation.obstacle(reservations(ranking(group))).isEmpty();
  }

  /**
   * Returns the row with the best value; empty for counts, if a value is missing, or if the best
   * one had failed requests. For CPU the row also has to lead in throughput, as less work needs
   * less CPU.
   */
  private Optional<OverviewRow> winner(Overview.Group group) {
    List<Value<OverviewRow>> values = values(group);
    return values.size() < group.rows().size() || kind == Kind.COUNT
        ? Optional.empty()
        : ranking(group)
            .best(OverviewRow::database, row -> row.basis(this))
            .filter(
                best ->
                    this != SERVER_CPU
                        || THROUGHPUT.isCompared(group) && THROUGHPUT.leads(best, group));
  }

  private boolean leads(OverviewRow row, Overview.Group group) {
    return ranking(group).leaders().stream().anyMatch(value -> value.of() == row);
  }

  private Ranking<OverviewRow> ranking(Overview.Group group) {
    return new Ranking<>(kind, group.run().limits(kind), values(group));
  }

  Stream<String> reservations(Overview.Group group) {
    if (group.rows().size() < 2) {
      return Stream.empty();
    }
    Map<String, Basis> values = new LinkedHashMap<>();
    group.rows().stream()
        .filter(row -> figure.apply(row).isPresent())
        .forEach(row -> values.put(row.database(), row.basis(this)));
    return Reservation.about(values).stream()
        .filter(each -> !each.reservation().isMarked())
        // there is a column of errors
        .filter(each -> each.reservation() != Reservation.COVERAGE)
        .map(Reservation.Stated::text);
  }

  private List<Reservation.Stated> reservations(Ranking<OverviewRow> ranking) {
    return ranking.reservations(OverviewRow::database, row -> row.basis(this));
  }

  private List<Value<OverviewRow>> values(Overview.Group group) {
    return group.rows().stream()
        .flatMap(row -> figure.apply(row).stream().mapToObj(value -> new Value<>(row, value)))
        .toList();
  }
}
