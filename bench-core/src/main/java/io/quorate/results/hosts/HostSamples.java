// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.hosts;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The measured rows of a machine in their order, about one for each second, or one for each end of
 * a step. A column that the system does not report, or dbtester did not record, has no values.
 * Numbers are kept as such, which takes less memory than their texts; growths of others ({@code
 * -DELTA}) are not kept.
 */
public final class HostSamples {
  private static final String NANOSECOND = "UNIX-NANOSECOND";
  private static final String SECOND = "UNIX-SECOND";
  private static final String DELTA = "-DELTA";

  static final String STEP = "STEP";
  static final String BOUNDARY = "BOUNDARY";

  private static final List<String> COLUMNS =
      Stream.concat(Stream.of(STEP, BOUNDARY), HostFiles.COLUMNS.stream()).toList();

  /** Columns whose cells are texts. */
  private static final List<String> TEXTS =
      List.of(BOUNDARY, "DEVICE", "INTERFACE", "CPU-GOVERNOR", "PROCESS-CPU-OTHERS");

  private static final Pattern UNIX_NANOS = Pattern.compile("\\d{1,18}|[1-8]\\d{18}");
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** No rows. */
  public static final HostSamples NONE = new HostSamples(Path.of(""));

  private final Map<String, Numbers> numbers = new HashMap<>();
  private final Map<String, Texts> texts = new HashMap<>();

  private CsvTable.Row header;
  private long[] unixNanos = {};
  private int size;
  private boolean isTruncated;

  /** The values of each column that was not recorded. */
  private double[] unknown = {};

  /** The numbers of a column, up to the first cell that is not one. */
  private static final class Numbers {
    private final int place;
    private double[] values = {};
    private Optional<QuorateException> wrong = Optional.empty();

    Numbers(int place) {
      this.place = place;
    }

    void add(CsvTable.Row row, int index) {
      if (wrong.isPresent()) {
        return;
      }
      try {
        values[index] = row.text(place).isEmpty() ? Double.NaN : row.number(place);
      } catch (QuorateException noNumber) {
        wrong = Optional.of(noNumber);
        values = new double[0];
      }
    }

    void resize(int rows) {
      values = wrong.isPresent() ? values : Arrays.copyOf(values, rows);
    }
  }

  /** The texts of a column; consecutive equal ones are the same object. */
  private record Texts(int place, List<String> cells) {
    void add(CsvTable.Row row) {
      String text = row.text(place);
      String last = cells.isEmpty() ? "" : cells.get(cells.size() - 1);
      cells.add(last.equals(text) ? last : text);
    }
  }

  private HostSamples(Path file) {
    this.header = new CsvTable.Row(file, 1, List.of());
  }

  /**
   * Reads the measured rows. If the file is truncated, its last row is left out; so is a repeated
   * header.
   *
   * @param file file of the measured rows, see {@link HostFiles}
   * @return the rows; none if there is no file
   * @throws QuorateException with file, line, what was found and what was expected
   */
  public static HostSamples read(Path file) {
    if (!Files.exists(file)) {
      return NONE;
    }
    HostSamples samples = new HostSamples(file);
    samples.isTruncated = CsvTable.forEach(file, samples::add);
    if (samples.header.cells().isEmpty()) {
      String found = samples.isTruncated ? "a header without its end" : "nothing";
      throw new QuorateException("%s:1: found %s, expected a header".formatted(file, found));
    }
    samples.resize(samples.size);
    return samples;
  }

  private void add(CsvTable.Row row) {
    if (header.cells().isEmpty()) {
      begin(row);
      return;
    }
    if (row.cells().equals(header.cells())) {
      return;
    }
    row.checkWidth(header.cells().size());
    int boundary = place(BOUNDARY);
    if (boundary >= 0 && StepBoundary.of(row.text(boundary)).isEmpty()) {
      throw row.wrong("'" + row.text(boundary) + "'", "begin or end");
    }
    if (place(STEP) >= 0) {
      row.integer(place(STEP));
    }
    if (size == unixNanos.length) {
      resize(Math.max(64, size + size / 2));
    }
    unixNanos[size] = measured(row, place(NANOSECOND), place(SECOND));
    numbers.values().forEach(column -> column.add(row, size));
    texts.values().forEach(column -> column.add(row));
    size++;
  }

  private void begin(CsvTable.Row row) {
    header = row;
    for (int i = 0; i < row.cells().size(); i++) {
      String column = row.text(i);
      if (TEXTS.contains(column)) {
        texts.put(column, new Texts(i, new ArrayList<>()));
      } else if (!column.endsWith(DELTA)) {
        numbers.put(column, new Numbers(i));
      }
    }
    require(List.of());
  }

  private void resize(int rows) {
    unixNanos = Arrays.copyOf(unixNanos, rows);
    numbers.values().forEach(column -> column.resize(rows));
  }

  /** Refuses a file that lacks columns, or has unknown ones. */
  void require(Collection<String> columns) {
    header.requireHeader(
        Stream.concat(Stream.of(NANOSECOND, SECOND), columns.stream()).toList(),
        COLUMNS,
        "the header of a system metrics file");
  }

  private int place(String column) {
    return header.cells().indexOf(column);
  }

  /** Returns when a row was measured; in an interpolated row the beginning of its second. */
  private static long measured(CsvTable.Row row, int nanosecond, int second) {
    long nanos = unixNanos(row, nanosecond);
    return nanos > 0 ? nanos : row.integer(second) * NANOS_PER_SECOND;
  }

  private static long unixNanos(CsvTable.Row row, int place) {
    String text = row.text(place);
    if (!UNIX_NANOS.matcher(text).matches()) {
      throw row.wrong("'" + text + "'", "nanoseconds since 1970");
    }
    return Long.parseLong(text);
  }

  boolean isTruncated() {
    return isTruncated;
  }

  public int size() {
    return size;
  }

  /** Returns when a row was measured, in nanoseconds since 1970. */
  public long unixNanos(int row) {
    return unixNanos[row];
  }

  /**
   * Returns the value of a column in each row, which must not be changed; NaN where it is not
   * known.
   *
   * @throws QuorateException if a cell is not a number, with file, line and what was found
   * @throws IllegalArgumentException if no file has such a column
   */
  public double[] values(String column) {
    Numbers known = numbers.get(checked(column));
    if (known == null) {
      if (unknown.length != size) {
        unknown = new double[size];
        Arrays.fill(unknown, Double.NaN);
      }
      return unknown;
    }
    known.wrong.ifPresent(
        noNumber -> {
          throw noNumber;
        });
    return known.values;
  }

  private static String checked(String column) {
    if (!COLUMNS.contains(column)) {
      throw new IllegalArgumentException(column + " is not a column of system metrics");
    }
    return column;
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

  /** Returns the text of a device, an interface, a governor or a program; empty if not known. */
  public String text(String column, int row) {
    Texts known = texts.get(checked(column));
    return known == null ? "" : known.cells.get(row);
  }
}
