package io.quorate.results.hosts;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Measurements of a machine, second by second: an interpolated system metrics file. */
public final class HostSeries {
  private static final String SECOND = "UNIX-SECOND";

  private final Path file;
  private final Map<String, Integer> columns;
  private final List<CsvTable.Row> rows;
  private final long[] seconds;

  private HostSeries(Path file, Map<String, Integer> columns, List<CsvTable.Row> rows) {
    this.file = file;
    this.columns = columns;
    this.rows = rows;
    this.seconds = rows.stream().mapToLong(row -> row.integer(columns.get(SECOND))).toArray();
    for (int i = 1; i < seconds.length; i++) {
      if (seconds[i] <= seconds[i - 1]) {
        throw rows.get(i)
            .wrong(
                "second " + seconds[i],
                "one after " + seconds[i - 1] + " (the clock went back, or a second is doubled)");
      }
    }
  }

  /**
   * Reads a file. It may have other columns too. The reference appends to an existing file, so that
   * a header may be repeated: rows before it belong to another run and are ignored.
   *
   * @throws QuorateException with file, line, what was found and what was expected
   */
  public static HostSeries read(Path file, List<String> columns) {
    List<CsvTable.Row> rows = CsvTable.readAll(file);
    if (rows.isEmpty()) {
      throw new QuorateException(file + ":1: found nothing, expected a header");
    }
    CsvTable.Row header = rows.get(0);
    List<String> missing =
        Stream.concat(Stream.of(SECOND), columns.stream())
            .filter(name -> !header.cells().contains(name))
            .toList();
    if (!missing.isEmpty()) {
      throw header.wrong(
          "a header without " + String.join(", ", missing),
          "the header of a system metrics " + "file");
    }
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < header.cells().size(); i++) {
      places.putIfAbsent(header.text(i), i);
    }
    int first = 0;
    for (int i = 1; i < rows.size(); i++) {
      if (rows.get(i).cells().equals(header.cells())) {
        first = i;
      }
    }
    List<CsvTable.Row> data = rows.subList(first + 1, rows.size());
    data.forEach(row -> row.checkWidth(header.cells().size()));
    if (data.isEmpty()) {
      throw new QuorateException(
          file + ":" + (header.line() + 1) + ": found no row, expected one for each second");
    }
    return new HostSeries(file, places, data);
  }

  /**
   * Returns the part from one second to another one, both included.
   *
   * @throws QuorateException if there is not a row for one of them
   */
  public HostSeries window(long first, long last) {
    int from = index(first);
    int to = index(last) + 1;
    for (int i = from; i < to; i++) {
      if (seconds[i] != first + (i - from)) {
        throw rows.get(i).wrong("second " + seconds[i], "second " + (first + (i - from)));
      }
    }
    return new HostSeries(file, columns, rows.subList(from, to));
  }

  private int index(long second) {
    int index = Arrays.binarySearch(seconds, second);
    if (index < 0) {
      throw new QuorateException(
          "%s: found seconds %d to %d: second %d is not found in system metrics results"
              .formatted(file, seconds[0], seconds[seconds.length - 1], second));
    }
    return index;
  }

  public int size() {
    return seconds.length;
  }

  public String text(String column, int row) {
    return rows.get(row).text(columns.get(column));
  }

  /**
   * Returns the number in a cell; NaN if it is empty, as it was not measured.
   *
   * @throws QuorateException if it contains something else
   */
  public double number(String column, int row) {
    int place = columns.get(column);
    return rows.get(row).text(place).isEmpty() ? Double.NaN : rows.get(row).number(place);
  }
}
