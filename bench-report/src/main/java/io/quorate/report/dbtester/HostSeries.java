// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.dbtester;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import io.quorate.report.figures.Aggregation;
import io.quorate.report.figures.ServerColumn;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The measurements of a machine for each second, from an interpolated file of system metrics. */
final class HostSeries implements Aggregation.Server {
  private static final String SECOND = "UNIX-SECOND";

  private final List<String> header;
  private final List<CsvTable.Row> rows;
  private final long[] seconds;

  private HostSeries(List<String> header, List<CsvTable.Row> rows) {
    this.header = header;
    this.rows = rows;
    int second = header.indexOf(SECOND);
    this.seconds = rows.stream().mapToLong(row -> row.integer(second)).toArray();
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
   * Reads a file, which may have further columns. The reference appends to an existing file, so
   * only the rows after the last header are read.
   *
   * @throws QuorateException with file, line, what was found and what was expected
   */
  static HostSeries read(Path file, List<String> columns) {
    List<CsvTable.Row> all = CsvTable.readAll(file);
    if (all.isEmpty()) {
      throw new QuorateException(file + ":1: found nothing, expected a header");
    }
    CsvTable.Row first = all.get(0);
    List<String> header = first.cells();
    first.requireHeader(
        Stream.concat(Stream.of(SECOND), columns.stream()).toList(),
        header,
        "the header of a system metrics file");
    int last = all.stream().map(CsvTable.Row::cells).toList().lastIndexOf(header);
    List<CsvTable.Row> rows = all.subList(last + 1, all.size());
    rows.forEach(row -> row.checkWidth(header.size()));
    if (rows.isEmpty()) {
      throw new QuorateException(file + ":2: found no row, expected one for each second");
    }
    return new HostSeries(header, rows);
  }

  /**
   * Returns the part from one second to another one, both included.
   *
   * @throws QuorateException if one of them has no row
   */
  HostSeries window(long first, long last) {
    int from = index(first);
    int to = index(last) + 1;
    for (int i = from; i < to; i++) {
      if (seconds[i] != first + (i - from)) {
        throw rows.get(i).wrong("second " + seconds[i], "second " + (first + (i - from)));
      }
    }
    return new HostSeries(header, rows.subList(from, to));
  }

  private int index(long second) {
    int index = Arrays.binarySearch(seconds, second);
    if (index < 0) {
      throw new QuorateException(
          "%s: found seconds %d to %d: second %d is not found in system metrics results"
              .formatted(rows.get(0).file(), seconds[0], seconds[seconds.length - 1], second));
    }
    return index;
  }

  double[] numbers(String column) {
    return IntStream.range(0, seconds.length).mapToDouble(row -> number(column, row)).toArray();
  }

  @Override
  public double number(ServerColumn column, int row) {
    return column.inFile(number(column.source(), row));
  }

  @Override
  public String cell(ServerColumn column, int row, double number) {
    return column == ServerColumn.MEMORY
        ? Aggregation.Server.super.cell(column, row, number)
        : text(column.source(), row);
  }

  private String text(String column, int row) {
    return rows.get(row).text(header.indexOf(column));
  }

  /**
   * Returns the number in a cell; NaN if it is empty, as it was not measured.
   *
   * @throws QuorateException if it contains something else
   */
  private double number(String column, int row) {
    return text(column, row).isEmpty() ? Double.NaN : rows.get(row).number(header.indexOf(column));
  }
}
