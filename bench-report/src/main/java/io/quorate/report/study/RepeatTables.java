// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.VisibleText;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Reservation;
import io.quorate.report.judge.Sample;
import io.quorate.report.study.MatrixPage.Table;
import io.quorate.scenario.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The values of repeated runs: a table for each step and operation, with a column for each cell.
 */
record RepeatTables(MatrixResults results) {
  List<Table> all() {
    Map<String, List<Row>> groups = new LinkedHashMap<>();
    rows().forEach(row -> groups.computeIfAbsent(row.group(), any -> new ArrayList<>()).add(row));
    return groups.entrySet().stream()
        .map(group -> table(group.getKey(), group.getValue()))
        .toList();
  }

  /**
   * Returns the times without writes after faults, with a row for each cell and a column for each
   * fault; without rows if there are no faults.
   */
  Table outages() {
    List<CellResult> cells = complete();
    List<Row> faults = rows().filter(row -> row.metric() == Metric.OUTAGE).toList();
    return new Table(
        "Longest time without an acknowledged write (ms)",
        line("cell", faults, row -> VisibleText.of(row.group())),
        faults.isEmpty()
            ? List.of()
            : cells.stream()
                .map(cell -> line(cell.name(), faults, row -> text(cell, row)))
                .toList());
  }

  private Stream<RepeatFigures> runs() {
    return results.cells().stream().flatMap(cell -> cell.runs().stream());
  }

  private Stream<Row> rows() {
    return runs().flatMap(run -> run.values().keySet().stream()).distinct();
  }

  /** Returns the cells with a complete run. */
  private List<CellResult> complete() {
    return results.cells().stream().filter(cell -> !cell.runs().isEmpty()).toList();
  }

  private Table table(String title, List<Row> rows) {
    List<CellResult> cells = complete();
    return new Table(
        VisibleText.of(title),
        line("", cells, CellResult::name),
        rows.stream()
            .map(row -> line(row.metric().heading(), cells, cell -> text(cell, row)))
            .toList());
  }

  private static <T> List<String> line(String first, List<T> others, Function<T, String> text) {
    return Stream.concat(Stream.of(first), others.stream().map(text)).toList();
  }

  /** Returns the bases of a value in all runs; none if it is always comparable. */
  static List<Basis> bases(CellResult cell, Row row) {
    return cell.runs().stream().flatMap(run -> Stream.ofNullable(run.bases().get(row))).toList();
  }

  /** Returns the sentences that explain the marks of all values. */
  List<String> legends() {
    return Reservation.legends(runs().flatMap(run -> run.bases().values().stream()).toList());
  }

  /** Returns the median, with its marks, and the lowest and the highest value of several. */
  private static String text(CellResult cell, Row row) {
    Sample sample = cell.sample(row);
    if (sample.count() == 0) {
      return "-";
    }
    String median = row.metric().number(sample.median()) + Reservation.marks(bases(cell, row));
    return sample.least() == sample.greatest()
        ? median
        : "%s (%s to %s)"
            .formatted(
                median,
                row.metric().number(sample.least()),
                row.metric().number(sample.greatest()));
  }
}
