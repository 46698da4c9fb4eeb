// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.QuorateException;
import io.quorate.format.CsvText;
import io.quorate.format.NumberFormats;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;

/** Columns of numbers of equal length, in their order. NaN is a missing value. */
public final class Frame {
  private final int rows;
  private final Map<String, Column> columns = new LinkedHashMap<>();

  /**
   * A column.
   *
   * @param cell cell of the CSV file, by row; empty for a missing value
   */
  private record Column(double[] numbers, IntFunction<String> cell) {}

  public Frame(int rows) {
    this.rows = rows;
  }

  public int rows() {
    return rows;
  }

  public List<String> names() {
    return List.copyOf(columns.keySet());
  }

  void addCells(String name, double[] numbers, IntFunction<String> cell) {
    if (columns.putIfAbsent(name, new Column(numbers, cell)) != null) {
      throw new QuorateException("found two columns '" + name + "', expected one");
    }
  }

  Frame add(String name, double[] numbers, DoubleFunction<String> format) {
    addCells(name, numbers, row -> Double.isNaN(numbers[row]) ? "" : format.apply(numbers[row]));
    return this;
  }

  public Frame add(String name, double[] numbers, int decimals) {
    return add(name, numbers, number -> NumberFormats.fixed(number, decimals));
  }

  Frame and(Frame other) {
    Frame both = new Frame(rows);
    both.columns.putAll(columns);
    both.columns.putAll(other.columns);
    return both;
  }

  /** Returns this frame with another column, or with other numbers in it, to two decimals. */
  public Frame with(String name, double... numbers) {
    double[] rounded =
        DoubleStream.of(numbers)
            .map(each -> Double.isNaN(each) ? each : Math.round(each * 100) / 100.0)
            .toArray();
    Frame other = and(new Frame(rows));
    other.columns.put(
        name,
        new Column(
            rounded,
            row -> Double.isNaN(rounded[row]) ? "" : NumberFormats.shortest(rounded[row])));
    return other;
  }

  /** Rounds a number half to even, as its exact binary value is. */
  static double rounded(double number, int decimals) {
    return Double.isFinite(number)
        ? new BigDecimal(number).setScale(decimals, RoundingMode.HALF_EVEN).doubleValue()
        : number;
  }

  public boolean has(String name) {
    return columns.containsKey(name);
  }

  public double[] numbers(String name) {
    return Objects.requireNonNull(columns.get(name), name).numbers();
  }

  /** Returns the numbers of a column; empty if there is none, or all values are missing. */
  public Optional<double[]> known(String name) {
    return Optional.ofNullable(columns.get(name))
        .map(Column::numbers)
        .filter(numbers -> DoubleStream.of(numbers).anyMatch(number -> !Double.isNaN(number)));
  }

  public Frame only(Collection<String> names) {
    Frame part = new Frame(rows);
    names.forEach(name -> part.columns.put(name, columns.get(name)));
    return part;
  }

  public Frame withSuffix(String suffix) {
    Frame renamed = new Frame(rows);
    columns.forEach((name, column) -> renamed.columns.put(name + suffix, column));
    return renamed;
  }

  public String csv() {
    return csv(List.of(this));
  }

  /** Returns frames side by side as CSV; below the end of a shorter one the cells are empty. */
  public static String csv(List<Frame> frames) {
    CsvText csv = new CsvText();
    csv.row(frames.stream().flatMap(frame -> frame.names().stream()).toArray(String[]::new));
    int longest = frames.stream().mapToInt(Frame::rows).max().orElse(0);
    for (int i = 0; i < longest; i++) {
      int row = i;
      csv.row(
          frames.stream()
              .flatMap(
                  frame ->
                      frame.columns.values().stream()
                          .map(column -> row < frame.rows ? column.cell().apply(row) : ""))
              .toArray(String[]::new));
    }
    return csv.toString();
  }
}
