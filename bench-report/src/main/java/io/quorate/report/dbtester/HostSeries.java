// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.dbtester;

import io.quorate.QuorateException;
import io.quorate.report.figures.Aggregation;
import io.quorate.report.figures.ServerColumn;
import io.quorate.results.hosts.HostTimeline.NamedColumns;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The measurements of a machine for each second, from an interpolated file of system metrics. */
final class HostSeries implements Aggregation.Server {
  private static final String SECOND = "UNIX-SECOND";

  private final NamedColumns columns;
  private final long[] seconds;

  private HostSeries(NamedColumns columns) {
    this.columns = columns;
    int second = columns.place(SECOND);
    this.seconds = columns.rows().stream().mapToLong(row -> row.integer(second)).toArray();
    for (int i = 1; i < seconds.length; i++) {
      if (seconds[i] <= seconds[i - 1]) {
        throw columns
            .rows()
            .get(i)
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
    NamedColumns all = NamedColumns.read(file);
    all.require(Stream.concat(Stream.of(SECOND), columns.stream()).toArray(String[]::new));
    if (all.rows().isEmpty()) {
      throw new QuorateException(file + ":2: found no row, expected one for each second");
    }
    return new HostSeries(all);
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
        throw columns.rows().get(i).wrong("second " + seconds[i], "second " + (first + (i - from)));
      }
    }
    return new HostSeries(
        new NamedColumns(columns.file(), columns.header(), columns.rows().subList(from, to)));
  }

  private int index(long second) {
    int index = Arrays.binarySearch(seconds, second);
    if (index < 0) {
      throw new QuorateException(
          "%s: found seconds %d to %d: second %d is not found in system metrics results"
              .formatted(columns.file(), seconds[0], seconds[seconds.length - 1], second));
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
    return columns.rows().get(row).text(columns.place(column));
  }

  /**
   * Returns the number in a cell; NaN if it is empty, as it was not measured.
   *
   * @throws QuorateException if it contains something else
   */
  private double number(String column, int row) {
    return text(column, row).isEmpty()
        ? Double.NaN
        : columns.rows().get(row).number(columns.place(column));
  }
}
