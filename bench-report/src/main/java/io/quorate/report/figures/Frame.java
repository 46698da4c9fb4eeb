package io.quorate.report.figures;

import io.quorate.QuorateException;
import io.quorate.format.CsvText;
import io.quorate.format.NumberFormats;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Columns of text of equal length, in their order. An empty cell is a missing value. */
public final class Frame {
  private final int rows;
  private final Map<String, String[]> columns = new LinkedHashMap<>();

  Frame(int rows) {
    this.rows = rows;
  }

  public int rows() {
    return rows;
  }

  public List<String> names() {
    return List.copyOf(columns.keySet());
  }

  /** Adds a column whose cells the function gives for 0, 1, ... */
  public void add(String name, IntFunction<String> cell) {
    String[] cells = IntStream.range(0, rows).mapToObj(cell).toArray(String[]::new);
    if (columns.putIfAbsent(name, cells) != null) {
      throw new QuorateException("found two columns '" + name + "', expected one");
    }
  }

  /** Returns this frame with other numbers in a column; NaN is a missing one. */
  Frame with(String name, double... numbers) {
    Frame other = new Frame(rows);
    other.columns.putAll(columns);
    other.columns.put(
        name,
        Arrays.stream(numbers)
            .mapToObj(number -> Double.isNaN(number) ? "" : rounded(number))
            .toArray(String[]::new));
    return other;
  }

  private static String rounded(double number) {
    return NumberFormats.shortest(Math.round(number * 100) / 100.0);
  }

  public boolean has(String name) {
    return columns.containsKey(name);
  }

  String text(String name, int row) {
    return columns.get(name)[row];
  }

  /** Returns the numbers of a column; NaN where there is none. */
  public double[] numbers(String name) {
    return Arrays.stream(columns.get(name)).mapToDouble(Frame::number).toArray();
  }

  static double number(String cell) {
    return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
  }

  /** Returns some of its columns, in the order of the names. */
  public Frame only(Collection<String> names) {
    Frame part = new Frame(rows);
    names.forEach(name -> part.columns.put(name, columns.get(name)));
    return part;
  }

  /** Returns this frame with a suffix to the name of each column. */
  public Frame withSuffix(String suffix) {
    Frame renamed = new Frame(rows);
    columns.forEach((name, cells) -> renamed.columns.put(name + suffix, cells));
    return renamed;
  }

  /** Returns the frame as CSV, with a header. */
  public String csv() {
    return csv(List.of(this));
  }

  /** Returns frames side by side as CSV; below the end of a shorter one the cells are empty. */
  public static String csv(List<Frame> frames) {
    CsvText csv = new CsvText();
    csv.row(frames.stream().flatMap(frame -> frame.names().stream()).toArray(String[]::new));
    List<String[]> columns =
        frames.stream().flatMap(frame -> frame.columns.values().stream()).toList();
    int longest = frames.stream().mapToInt(Frame::rows).max().orElse(0);
    String[] row = new String[columns.size()];
    for (int i = 0; i < longest; i++) {
      for (int column = 0; column < row.length; column++) {
        String[] cells = columns.get(column);
        row[column] = i < cells.length ? cells[i] : "";
      }
      csv.row(row);
    }
    return csv.toString();
  }
}
