// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.Reservation.Stated;
import io.quorate.report.judge.Change;
import io.quorate.report.judge.Decision;
import io.quorate.report.judge.Decision.Verdict;
import io.quorate.report.judge.Family;
import io.quorate.report.judge.Family.Limits;
import io.quorate.report.judge.Family.Question;
import io.quorate.report.study.MatrixPage.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The ratios of cells that differ on one axis only. */
final class MatrixRatios {
  private static final int MOST = 3;

  /** Axes whose two values are the sides of a picture. */
  private static final Set<String> MAPPED = Set.of("version", "settings", "database");

  private static final List<CellValue> FIGURES =
      List.of(CellValue.MEAN, CellValue.P99, CellValue.THROUGHPUT);

  private final MatrixLayout layout;
  private final List<Row> rows = new ArrayList<>();

  /**
   * Two cells that differ on one axis only, with the names that distinguish them.
   *
   * @param same their values on the other axes
   * @param base cell whose values are 1
   * @param decisions what is decided, in the family of all pairs of the axis
   */
  private record Row(
      String axis,
      String same,
      String name,
      CellResult cell,
      String baseName,
      CellResult base,
      Map<CellValue, Decision> decisions) {
    static Row of(String axis, List<String> same, CellResult cell, CellResult base) {
      return new Row(
          axis,
          String.join(", ", same),
          name(axis, cell),
          cell,
          name(axis, base),
          base,
          new EnumMap<>(CellValue.class));
    }

    private static String name(String axis, CellResult cell) {
      return MatrixLayout.words(axis, Objects.requireNonNull(cell.coordinates().get(axis)));
    }

    List<String> cells() {
      return List.of(
          same,
          name + " / " + baseName,
          text(CellValue.MEAN),
          text(CellValue.P99),
          text(CellValue.THROUGHPUT),
          remarks());
    }

    private Change change(CellValue figure) {
      return Change.of(figure.sample(base), figure.sample(cell));
    }

    private Question question(CellValue figure) {
      Change change = change(figure);
      return new Question(change, change.band(figure.values(base)), obstacle(figure));
    }

    private Decision decision(CellValue figure) {
      return Objects.requireNonNull(decisions.get(figure));
    }

    /** Returns its place in a picture with a panel for each value of all axes but the last two. */
    RatioMap.Place place(List<String> others) {
      List<String> values =
          others.stream()
              .map(
                  each ->
                      each
                          + " "
                          + MatrixLayout.words(each, cell.coordinates().getOrDefault(each, "-")))
              .toList();
      int panel = values.size() - 2;
      CellValue figure = CellValue.THROUGHPUT;
      Change change = change(figure);
      return new RatioMap.Place(
          String.join(", ", values.subList(0, panel)),
          values.get(panel),
          values.get(panel + 1),
          isDecidable() ? number(change, change.estimate()) : "-",
          change.estimate(),
          isDecidable() && decision(figure).isDecided(),
          text(figure));
    }

    private List<Stated> reservations(CellValue figure) {
      return Reservation.aboutRatio(name, figure.basis(cell), baseName, figure.basis(base));
    }

    Optional<String> obstacle(CellValue figure) {
      return Reservation.obstacle(reservations(figure));
    }

    private String text(CellValue figure) {
      if (figure.isOtherRate(cell, base)) {
        return "-";
      }
      Change change = change(figure);
      Decision decision = decision(figure);
      return decision.verdict() == Verdict.NOT_COMPARABLE
          ? "-"
          : ratio(change, decision.word(change.kind()));
    }

    /** Returns whether its throughput may differ for certain. */
    boolean isDecidable() {
      return !text(CellValue.THROUGHPUT).equals("-") && change(CellValue.THROUGHPUT).hasInterval();
    }

    /** Returns whether some of its values may be compared. */
    boolean isCompared() {
      return FIGURES.stream().anyMatch(figure -> !text(figure).equals("-"));
    }

    /** Returns a ratio with a word, such as {@code 1.90 (1.86 to 1.95: slower)}. */
    private static String ratio(Change change, String word) {
      String range =
          change.low() == change.high()
              ? ""
              : number(change, change.low()) + " to " + number(change, change.high());
      String note = range + (range.isEmpty() || word.isEmpty() ? "" : ": ") + word;
      return number(change, change.estimate()) + (note.isEmpty() ? "" : " (" + note + ")");
    }

    private static String number(Change change, double estimate) {
      double ratio = 1 + estimate;
      return change.isRatio()
          ? NumberFormats.fixed(ratio, ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0)
          : Change.text(false, estimate);
    }

    /** Returns the reservations about all ratios; an axis of reads compares their guarantees. */
    private String remarks() {
      return reservations(CellValue.THROUGHPUT).stream()
          .filter(each -> each.reservation().allowsRatio())
          .filter(
              each -> each.reservation() != Reservation.GUARANTEES || !axis.equals("consistency"))
          .map(Stated::text)
          .collect(Collectors.joining("; "));
    }

    /** Returns by which factor the mean latencies differ; 1 if it is unknown which is greater. */
    double factor() {
      double log = Math.log1p(change(CellValue.MEAN).estimate());
      return decision(CellValue.MEAN).isDecided() ? Math.exp(Math.abs(log)) : 1;
    }

    /**
     * @param among which pairs are compared, if not all
     */
    String sentence(String among) {
      String with = same.isEmpty() ? "" : " (" + same + ")";
      String remarks = remarks().isEmpty() ? "" : "; " + remarks();
      return "Largest difference by %s%s: with %s the mean latency is %s times that with %s%s%s."
          .formatted(axis, among, name, ratio(change(CellValue.MEAN), ""), baseName, with, remarks);
    }
  }

  /** Compares each cell with the first that differs on an axis, and with the one before it. */
  MatrixRatios(MatrixResults results) {
    layout = MatrixLayout.of(results);
    for (String axis : layout.ways()) {
      List<CellResult> known =
          results.cells().stream()
              .filter(cell -> cell.coordinates().containsKey(axis) && !cell.runs().isEmpty())
              .toList();
      layout
          .groups(known, List.of(axis))
          .forEach(
              (same, cells) -> {
                for (int i = 1; i < cells.size(); i++) {
                  rows.add(Row.of(axis, same, cells.get(i), cells.get(0)));
                  if (i > 1) {
                    rows.add(Row.of(axis, same, cells.get(i), cells.get(i - 1)));
                  }
                }
              });
      decide(of(axis).toList());
    }
  }

  /**
   * Decides all values of all pairs of an axis together: the more pairs there are, the more of them
   * differ by chance.
   */
  private static void decide(List<Row> pairs) {
    List<Question> family =
        pairs.stream()
            .flatMap(row -> FIGURES.stream().map(figure -> row.question(figure)))
            .toList();
    Iterator<Decision> decisions = Family.decide(family, Limits.USUAL).iterator();
    pairs.forEach(row -> FIGURES.forEach(figure -> row.decisions.put(figure, decisions.next())));
  }

  /** Returns a table for each axis, with the pairs of cells of which some value is compared. */
  List<Table> tables() {
    List<String> columns =
        List.of("cells", "compared", "mean latency", "p99", "throughput", "remarks");
    return layout.ways().stream()
        .map(
            axis ->
                new Table(
                    "By " + axis,
                    columns,
                    of(axis).filter(Row::isCompared).map(Row::cells).toList()))
        .filter(table -> !table.rows().isEmpty())
        .map(Table::withoutEmptyColumns)
        .toList();
  }

  /** Returns sentences about pairs and values that are not compared, with the reasons. */
  List<String> omitted() {
    long without = rows.stream().filter(row -> !row.isCompared()).count();
    String reasons =
        rows.stream()
            .flatMap(row -> FIGURES.stream().flatMap(figure -> row.obstacle(figure).stream()))
            .distinct()
            .collect(Collectors.joining("; "));
    List<String> sentences = new ArrayList<>();
    if (!reasons.isEmpty()) {
      sentences.add("Not compared: " + reasons + ".");
    }
    if (without > 0) {
      sentences.add(
          without == rows.size()
              ? "No pair has a value that may be compared."
              : "%d of %s have no value that may be compared and are left out."
                  .formatted(without, NumberFormats.count(rows.size(), "pair")));
    }
    return sentences;
  }

  /**
   * Returns the largest difference on each axis in words, of the axes where it is largest, and axes
   * of which half of the pairs or more are not compared: the largest of the others may say the
   * opposite of all.
   */
  List<String> largest() {
    Comparator<Row> byFactor = Comparator.comparingDouble(Row::factor);
    Stream<String> named =
        layout.ways().stream()
            .filter(axis -> 2 * compared(axis) > of(axis).count())
            .flatMap(axis -> of(axis).max(byFactor).stream())
            .filter(row -> row.factor() > 1)
            .sorted(byFactor.reversed())
            .limit(MOST)
            .map(row -> row.sentence(among(row.axis)));
    List<String> unnamed =
        layout.ways().stream()
            .filter(axis -> of(axis).findAny().isPresent())
            .filter(axis -> 2 * compared(axis) <= of(axis).count())
            .toList();
    return Stream.concat(named, unnamed.isEmpty() ? Stream.of() : Stream.of(notCompared(unnamed)))
        .toList();
  }

  /**
   * Returns a picture of the throughput if two versions, settings or databases are compared, for at
   * least two values on each of two more axes, and some pair has enough runs to differ.
   */
  Optional<RatioMap> map() {
    List<String> others = layout.axes().stream().filter(each -> !layout.isCompared(each)).toList();
    List<Row> pairs =
        layout.compared().stream().filter(MAPPED::contains).flatMap(this::of).toList();
    boolean two =
        pairs.stream().map(row -> List.of(row.name, row.baseName)).distinct().count() == 1;
    boolean none = pairs.stream().noneMatch(Row::isDecidable);
    if (others.size() < 2 || !two || pairs.size() == 1 || none) {
      return Optional.empty();
    }
    return Optional.of(
        RatioMap.of(
            "Throughput of %s as a part of that of %s"
                .formatted(pairs.get(0).name, pairs.get(0).baseName),
            pairs.stream().map(row -> row.place(others)).toList()));
  }

  private long compared(String axis) {
    return of(axis).filter(row -> row.obstacle(CellValue.MEAN).isEmpty()).count();
  }

  private String among(String axis) {
    long all = of(axis).count();
    return compared(axis) == all
        ? ""
        : " among %d of %d pairs, as the others are not compared".formatted(compared(axis), all);
  }

  /** Returns a sentence about axes of which half of the pairs or more are not compared. */
  private String notCompared(List<String> axes) {
    List<String> obstacles =
        axes.stream()
            .flatMap(this::of)
            .flatMap(row -> row.obstacle(CellValue.MEAN).stream())
            .toList();
    long all = axes.stream().flatMap(this::of).count();
    boolean none = obstacles.size() == all;
    return "%s by %s %s mean latency that may be compared: %s."
        .formatted(
            none
                ? "No pair"
                : "%d of %s".formatted(obstacles.size(), NumberFormats.count(all, "pair")),
            String.join(", ", axes),
            none ? "has a" : "have no",
            obstacles.stream().distinct().collect(Collectors.joining("; ")));
  }

  private Stream<Row> of(String axis) {
    return rows.stream().filter(row -> row.axis.equals(axis));
  }
}
