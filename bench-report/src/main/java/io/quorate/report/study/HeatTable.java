package io.quorate.report.study;

import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Reservation;
import io.quorate.report.study.MatrixPage.Heat;
import io.quorate.report.study.MatrixPage.HeatCell;
import io.quorate.report.study.MatrixPage.HeatRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The mean latencies of all cells: the ways in which things were done down, the things across.
 * Colours compare the values of a column that compare without a {@link Reservation}; a cell with a
 * reservation of its own has none.
 */
final class HeatTable {
  private static final int LEVELS = 8;

  /** Levels to each doubling of the latency. */
  private static final double PER_DOUBLING = 2;

  private final MatrixResults results;
  private final MatrixLayout layout;
  private final Map<String, Map<String, CellResult>> cells = new LinkedHashMap<>();

  HeatTable(MatrixResults results) {
    this.results = results;
    this.layout = MatrixLayout.of(results);
  }

  /** Returns the table; without rows if there is one row or column only. */
  Heat table() {
    List<String> ways = layout.ways();
    List<String> down = ways.isEmpty() ? layout.compared().stream().toList() : ways;
    List<String> across = layout.axes().stream().filter(axis -> !down.contains(axis)).toList();
    Set<String> columns = new LinkedHashSet<>();
    for (CellResult cell : results.cells()) {
      String row = String.join(", ", layout.rest(cell, across));
      String column = String.join(", ", layout.rest(cell, down));
      columns.add(column);
      cells.computeIfAbsent(row, any -> new LinkedHashMap<>()).put(column, cell);
    }
    if (cells.size() < 2 || columns.isEmpty()) {
      return new Heat(List.of(), List.of());
    }
    List<HeatRow> rows = new ArrayList<>();
    cells.forEach(
        (name, row) ->
            rows.add(
                new HeatRow(
                    name, columns.stream().map(column -> cell(row.get(column), column)).toList())));
    return new Heat(columns.stream().map(each -> each.isEmpty() ? "mean" : each).toList(), rows);
  }

  private HeatCell cell(CellResult cell, String column) {
    if (mean(cell).isEmpty()) {
      return new HeatCell(cell == null ? "" : "-", -1);
    }
    double ms = mean(cell).get();
    Basis basis = cell.basis().atMean();
    String text = StudyTables.ms(ms) + Reservation.incomplete(basis) + Reservation.mark(basis);
    OptionalDouble least = least(column, basis);
    return new HeatCell(text, least.isPresent() ? level(ms / least.getAsDouble()) : -1);
  }

  /**
   * Returns the least value of a column among those that compare without a reservation; empty if
   * there is a reservation about the value itself.
   */
  private OptionalDouble least(String column, Basis basis) {
    if (!Reservation.none(basis, basis)) {
      return OptionalDouble.empty();
    }
    return cells.values().stream()
        .map(row -> row.get(column))
        .filter(cell -> cell != null && Reservation.none(basis, cell.basis().atMean()))
        .flatMap(cell -> mean(cell).stream())
        .mapToDouble(Double::doubleValue)
        .min();
  }

  private static Optional<Double> mean(CellResult cell) {
    return Optional.ofNullable(cell).flatMap(CellResult::meanMs).map(Spread::mean);
  }

  /** Returns the level of a value by how many times it is the best one. */
  static int level(double times) {
    double doublings = Math.log(Math.max(1, times)) / Math.log(2);
    return (int) Math.min(LEVELS - 1.0, Math.floor(doublings * PER_DOUBLING + 1e-9));
  }
}
