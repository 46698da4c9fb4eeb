// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.format.NumberFormats;
import io.quorate.report.judge.Sample;
import io.quorate.report.plot.Strip;
import io.quorate.report.plot.draw.LineStyle;
import io.quorate.report.plot.draw.LogScale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The picture of a matrix: a row for each kind of work, and a dot for each cell. Colors are values
 * of the axis that is compared; requests to the leader and to followers differ by the mark.
 *
 * @param title the value that is shown, with its unit
 * @param keys values of the compared axis, with their colors
 * @param hollow target whose dots are hollow; empty if there is none
 * @param pale whether a dot is pale, as its value is not compared
 * @param repeated whether a cell has several runs
 */
public record MatrixDots(
    String title,
    Strip strip,
    List<Key> keys,
    String hollow,
    boolean pale,
    boolean repeated,
    List<Row> rows) {
  /** Colors that people with any color vision distinguish, by Okabe and Ito. */
  private static final List<String> COLORS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#808080");

  private static final String LEADER = "leader";

  /** A value of the compared axis. */
  public record Key(String text, String color) {}

  /**
   * A row.
   *
   * @param words all values of the row
   */
  public record Row(String name, List<Dot> dots, String words) {}

  /**
   * A dot. Places are percentages of the width.
   *
   * @param from place of the lowest value of several runs
   * @param to place of the highest one
   * @param lane number of its color, from 0
   */
  public record Dot(
      double place,
      double from,
      double to,
      int lane,
      String color,
      boolean hollow,
      boolean pale,
      String text) {}

  /** Returns the picture; empty if there is no axis to compare, or if it has too many values. */
  static Optional<MatrixDots> of(MatrixResults results) {
    MatrixLayout layout = MatrixLayout.of(results);
    String axis = layout.compared().orElse("");
    List<CellResult> cells =
        results.cells().stream()
            .filter(cell -> !cell.runs().isEmpty() && cell.coordinates().containsKey(axis))
            .toList();
    List<String> values = MatrixLayout.values(cells, axis);
    if (cells.size() < 2 || values.size() < 2 || values.size() > COLORS.size()) {
      return Optional.empty();
    }
    CellValue figure =
        cells.stream().allMatch(cell -> cell.basis().givenRate())
            ? CellValue.MEAN
            : CellValue.THROUGHPUT;
    double[] all = cells.stream().flatMapToDouble(it -> Arrays.stream(figure.values(it))).toArray();
    Sample sample = new Sample(figure.sample(cells.get(0)).kind(), all);
    if (sample.least() <= 0) {
      return Optional.empty();
    }
    Strip strip = Strip.of(new LogScale(), sample.least(), sample.greatest());
    List<Key> keys = keys(axis, values);
    List<String> others =
        MatrixLayout.values(cells, MatrixLayout.ROUTING).stream()
            .filter(each -> !each.equals(LEADER))
            .toList();
    boolean byTarget = !axis.equals(MatrixLayout.ROUTING) && others.size() == 1;
    List<String> marked = byTarget ? List.of(axis, MatrixLayout.ROUTING) : List.of(axis);
    Map<List<String>, List<CellResult>> groups = layout.groups(cells, marked);
    List<Row> rows = new ArrayList<>();
    groups.forEach(
        (name, group) -> {
          List<Dot> dots =
              group.stream()
                  .map(
                      cell -> {
                        String value = Objects.requireNonNull(cell.coordinates().get(axis));
                        int lane = values.indexOf(value);
                        return dot(figure, cell, strip, lane, keys.get(lane), byTarget);
                      })
                  .toList();
          rows.add(
              new Row(
                  String.join(", ", name),
                  dots,
                  dots.stream().map(Dot::text).collect(Collectors.joining("; "))));
        });
    return Optional.of(
        new MatrixDots(
            figure == CellValue.MEAN ? "Mean latency (ms)" : "Requests per second",
            strip,
            keys,
            byTarget ? others.get(0) : "",
            rows.stream().flatMap(row -> row.dots.stream()).anyMatch(Dot::pale),
            results.manifest().repeats() > 1,
            rows));
  }

  private static List<Key> keys(String axis, List<String> values) {
    List<String> colors =
        axis.equals("database")
            ? LineStyle.of(values).stream().map(LineStyle::hex).toList()
            : COLORS;
    List<Key> keys = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      keys.add(new Key(MatrixLayout.words(axis, values.get(i)), colors.get(i)));
    }
    return keys;
  }

  private static Dot dot(
      CellValue figure, CellResult cell, Strip strip, int lane, Key key, boolean byTarget) {
    String target = cell.coordinates().getOrDefault(MatrixLayout.ROUTING, LEADER);
    double[] values = Arrays.stream(figure.values(cell)).sorted().toArray();
    double middle = figure.mean(cell);
    return new Dot(
        strip.place(middle),
        strip.place(values[0]),
        strip.place(values[values.length - 1]),
        lane,
        key.color,
        byTarget && !target.equals(LEADER),
        figure.basis(cell).own().stream().anyMatch(each -> !each.allowsRatio()),
        key.text
            + (byTarget ? ", " + target : "")
            + ": "
            + (figure == CellValue.MEAN
                ? StudyTables.ms(middle)
                : NumberFormats.rate(middle) + "/s"));
  }
}
