// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.hosts;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import io.quorate.results.hosts.HostTimeline.NamedColumns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The measured rows of a machine in their order, about one for each second. A column that the
 * system does not report, or dbtester did not record, has no values.
 */
public final class HostSamples {
  /** No rows. */
  public static final HostSamples NONE =
      new HostSamples(new NamedColumns(Path.of(""), List.of(), List.of()));

  private static final double NANOS_PER_MILLI = 1e6;

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
      return NONE;
    }
    return new HostSamples(NamedColumns.readOfRun(file, List.of("UNIX-NANOSECOND", "UNIX-SECOND")));
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
   * The growth of a counter.
   *
   * @param millis the time in which it was measured, in milliseconds
   */
  public record Growth(double amount, double millis) {
    /** Returns the growth in another time at the same rate. */
    public double in(double otherMillis) {
      return amount * otherMillis / millis;
    }
  }

  /**
   * Returns the growth of a counter within a time, between the first and the last known row. Levels
   * between two rows are interpolated linearly. Empty if no time in it was measured.
   */
  public Optional<Growth> growth(String column, double fromUnixNanos, double toUnixNanos) {
    double[] values = values(column);
    int[] known =
        IntStream.range(0, values.length).filter(row -> !Double.isNaN(values[row])).toArray();
    if (known.length == 0) {
      return Optional.empty();
    }
    double from = Math.max(fromUnixNanos, unixNanos[known[0]]);
    double to = Math.min(toUnixNanos, unixNanos[known[known.length - 1]]);
    return from < to
        ? Optional.of(
            new Growth(
                Math.max(0, level(values, known, to) - level(values, known, from)),
                (to - from) / NANOS_PER_MILLI))
        : Optional.empty();
  }

  private double level(double[] values, int[] known, double at) {
    int upper = 0;
    while (unixNanos[known[upper]] < at) {
      upper++;
    }
    double to = values[known[upper]];
    if (upper == 0) {
      return to;
    }
    double start = unixNanos[known[upper - 1]];
    double from = values[known[upper - 1]];
    return from + (to - from) * (at - start) / (unixNanos[known[upper]] - start);
  }

  /** Returns the text of a column in a row; empty if it is not known. */
  public String text(String column, int row) {
    int place = columns.place(column);
    return place < 0 ? "" : columns.rows().get(row).text(place);
  }
}
