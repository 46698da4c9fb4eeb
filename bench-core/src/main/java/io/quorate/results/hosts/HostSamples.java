// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.hosts;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import io.quorate.results.hosts.HostTimeline.NamedColumns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The measured rows of a machine in their order, about one for each second. A column that the
 * system does not report, or dbtester did not record, has no values.
 */
public final class HostSamples {
  private final NamedColumns columns;
  private final long[] unixNanos;

  private HostSamples(NamedColumns columns) {
    this.columns = columns;
    this.unixNanos =
        columns.rows().stream().mapToLong(row -> HostTimeline.measured(columns, row)).toArray();
  }

  /**
   * Reads the measured rows, or the interpolated ones if only they were kept.
   *
   * @param raw file of the measured rows, see {@link HostFiles}
   * @return the rows; none if there is no file
   * @throws QuorateException with file, line, what was found and what was expected
   */
  public static HostSamples read(Path raw) {
    Path file = Files.exists(raw) ? raw : HostFiles.interpolated(raw);
    if (!Files.exists(file)) {
      return new HostSamples(new NamedColumns(file, List.of(), List.of()));
    }
    NamedColumns columns = NamedColumns.read(file);
    columns.require("UNIX-NANOSECOND", "UNIX-SECOND");
    return new HostSamples(columns);
  }

  public int size() {
    return unixNanos.length;
  }

  /** Returns when a row was measured, in nanoseconds since 1970. */
  public long unixNanos(int row) {
    return unixNanos[row];
  }

  /** Returns the value of a column in each row; NaN where it is not known. */
  public double[] values(String column) {
    double[] values = new double[size()];
    int place = columns.place(column);
    Arrays.setAll(values, row -> place < 0 ? Double.NaN : number(columns.rows().get(row), place));
    return values;
  }

  private static double number(CsvTable.Row row, int place) {
    return row.text(place).isEmpty() ? Double.NaN : row.number(place);
  }

  /** Returns the growth of a counter since the row before; NaN in the first row. */
  public double[] growth(String column) {
    double[] values = values(column);
    double[] growth = new double[values.length];
    Arrays.setAll(
        growth, row -> row == 0 ? Double.NaN : Math.max(0, values[row] - values[row - 1]));
    return growth;
  }

  /**
   * Returns the value of a column in the last row until a time; NaN if there is none, or if it is
   * not known.
   */
  public double latest(String column, long untilUnixNanos) {
    int place = columns.place(column);
    int found = Arrays.binarySearch(unixNanos, untilUnixNanos);
    int row = found >= 0 ? found : -found - 2;
    return place < 0 || row < 0 ? Double.NaN : number(columns.rows().get(row), place);
  }

  /** Returns the text of a column in a row; empty if it is not known. */
  public String text(String column, int row) {
    int place = columns.place(column);
    return place < 0 ? "" : columns.rows().get(row).text(place);
  }
}
