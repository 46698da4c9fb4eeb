// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.QuorateException;
import io.quorate.format.AtomicFile;
import io.quorate.format.CsvTable;
import io.quorate.format.CsvText;
import io.quorate.format.NumberFormats;
import io.quorate.results.hosts.HostFiles;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Interpolates host metrics to exactly one row for each second. Rows that are already complete stay
 * unchanged. Otherwise rows of the same second are combined, and missing seconds are interpolated
 * linearly. Every delta is the difference of the levels of two consecutive rows, and
 * UNIX-NANOSECOND is 0. So the sum of the deltas is the last level minus the first one, whatever
 * seconds were missed.
 */
public final class SecondGrid {
  /** Largest gap that is interpolated; a larger one means that the clock was set. */
  private static final long MAX_GAP_SECONDS = 86_400;

  private static final List<String> TIMES =
      List.of(HostMetric.UNIX_NANOSECOND.column(), HostMetric.UNIX_SECOND.column());
  private static final Pattern SECOND = Pattern.compile("\\d{1,11}");

  /** Whole numbers, short enough that no sum, difference or product overflows a long. */
  private static final Pattern WHOLE = Pattern.compile("\\d{0,16}");

  private static final Pattern ANYTHING = Pattern.compile("(?s).*");
  private static final Pattern DECIMAL = Pattern.compile("|\\d{1,16}(\\.\\d{1,16})?");

  private SecondGrid() {}

  /**
   * Writes the interpolated file of a raw one; replaces an existing file.
   *
   * @throws QuorateException if the raw file cannot be read or is invalid, or if more than a day is
   *     missing in it
   */
  public static void write(Path raw, Path interpolated) {
    Seconds seconds = new Seconds();
    List<HostMetric> columns = forEach(raw, seconds);
    String[] header = HostMetric.header(columns);
    CsvText text = new CsvText().row(header);
    if (seconds.areComplete()) {
      List<String> repeated = List.of(header);
      CsvTable.forEach(
          raw,
          line -> {
            if (!line.cells().equals(repeated)) {
              text.row(line.cells().toArray(String[]::new));
            }
          });
    } else {
      Interpolation interpolation = new Interpolation(row -> text.row(row.cells(columns)));
      forEach(raw, interpolation);
      interpolation.end();
    }
    AtomicFile.write(interpolated, text.toString());
  }

  /** Counts rows, which are in ascending order. */
  private static final class Seconds implements Consumer<MetricRow> {
    private long first;
    private long last;
    private long rows;
    private boolean areRepeated;

    @Override
    public void accept(MetricRow row) {
      long second = second(row);
      first = rows == 0 ? second : first;
      areRepeated |= rows > 0 && second == last;
      last = second;
      rows++;
    }

    /** Returns whether there is one row for each second, or none at all. */
    boolean areComplete() {
      return rows == 0 || !areRepeated && last - first == rows - 1;
    }
  }

  /** Passes on a row for each second of rows in ascending order, the last ones at its end. */
  private static final class Interpolation implements Consumer<MetricRow> {
    private final Consumer<MetricRow> rows;
    private final List<MetricRow> same = new ArrayList<>();
    private Optional<MetricRow> before = Optional.empty();
    private Map<HostMetric, String> lower = Map.of();
    private OptionalLong lowerSecond = OptionalLong.empty();

    Interpolation(Consumer<MetricRow> rows) {
      this.rows = rows;
    }

    @Override
    public void accept(MetricRow row) {
      if (!same.isEmpty() && second(same.get(0)) != second(row)) {
        end();
      }
      same.add(row);
    }

    /** Ends a second with one or more rows. */
    void end() {
      long second = second(same.get(0));
      if (lowerSecond.isEmpty() && same.size() > 1) {
        before = Optional.of(same.get(0)); // the first second's delta is within it
      }
      long from = lowerSecond.orElse(second - 1);
      long gap = second - from;
      if (gap > MAX_GAP_SECONDS) {
        throw new QuorateException(
            "no host metrics between second " + from + " and second " + second);
      }
      Map<HostMetric, String> upper = combined(same);
      for (long i = 1; i <= gap; i++) {
        Map<HostMetric, String> cells = rounded(i < gap ? between(lower, upper, i, gap) : upper);
        cells.put(HostMetric.UNIX_NANOSECOND, "0");
        cells.put(HostMetric.UNIX_SECOND, Long.toString(from + i));
        MetricRow row = MetricRow.derived(cells, before);
        rows.accept(row);
        before = Optional.of(row);
      }
      lower = upper;
      lowerSecond = OptionalLong.of(second);
      same.clear();
    }
  }

  /** Returns the measured cells of a second with one or more rows. */
  private static Map<HostMetric, String> combined(List<MetricRow> rows) {
    Map<HostMetric, String> cells = new EnumMap<>(HostMetric.class);
    for (HostMetric metric : HostMetric.all()) {
      List<String> known =
          rows.stream().map(row -> row.cell(metric)).filter(cell -> !cell.isEmpty()).toList();
      String latest = rows.get(rows.size() - 1).cell(metric);
      switch (metric.fill()) {
        case LATEST, COUNTER -> cells.put(metric, latest);
        case LEVEL -> cells.put(metric, known.size() < 2 ? latest : wholeMean(known));
        case DECIMAL -> cells.put(metric, known.size() < 2 ? latest : mean(known));
        case DERIVED -> {}
      }
    }
    return cells;
  }

  /** Rounds decimals as published; in between they are exact, as in the reference. */
  private static Map<HostMetric, String> rounded(Map<HostMetric, String> cells) {
    Map<HostMetric, String> published = new EnumMap<>(cells);
    cells.forEach(
        (metric, cell) -> {
          if (metric.fill() == GapFill.DECIMAL && !cell.isEmpty()) {
            published.put(metric, NumberFormats.fixed(Double.parseDouble(cell), 2));
          }
        });
    return published;
  }

  private static String wholeMean(List<String> cells) {
    return cells.stream()
        .map(BigInteger::new)
        .reduce(BigInteger.ZERO, BigInteger::add)
        .divide(BigInteger.valueOf(cells.size()))
        .toString();
  }

  private static String mean(List<String> cells) {
    double sum = 0;
    for (String cell : cells) {
      sum += Double.parseDouble(cell);
    }
    return Double.toString(sum / cells.size());
  }

  /** Returns the cells of a missing second, {@code i} of {@code n} after the lower one. */
  private static Map<HostMetric, String> between(
      Map<HostMetric, String> lower, Map<HostMetric, String> upper, long i, long n) {
    Map<HostMetric, String> cells = new EnumMap<>(HostMetric.class);
    upper.forEach(
        (metric, to) ->
            cells.put(metric, between(metric, lower.getOrDefault(metric, ""), to, i, n)));
    return cells;
  }

  private static String between(HostMetric metric, String from, String to, long i, long n) {
    if (metric.fill() == GapFill.LATEST) {
      return to;
    }
    if (from.isEmpty() || to.isEmpty()) {
      return "";
    }
    if (metric.fill() == GapFill.DECIMAL) {
      double start = Double.parseDouble(from);
      return Double.toString(start + i * ((Double.parseDouble(to) - start) / n));
    }
    long start = Long.parseLong(from);
    return Long.toString(start + i * ((Long.parseLong(to) - start) / n));
  }

  /**
   * Passes on the rows of a file of host metrics, of the reference or of Quorate: one or more for
   * each second, in ascending order. An incomplete last line, which a kill leaves behind, is left
   * out, and so is a repeated header.
   *
   * @return its columns in their order
   * @throws QuorateException with file, line, what was found and what was expected
   */
  static List<HostMetric> forEach(Path file, Consumer<MetricRow> rows) {
    Lines lines = new Lines(rows);
    CsvTable.forEach(file, lines);
    return lines.columns(file);
  }

  /** Reads the header and the rows below it, which share equal cells: there may be a day's. */
  private static final class Lines implements Consumer<CsvTable.Row> {
    private final Consumer<MetricRow> rows;
    private List<String> header = List.of();
    private List<HostMetric> columns = List.of();
    private MetricRow before = new MetricRow(Map.of());
    private long last;

    Lines(Consumer<MetricRow> rows) {
      this.rows = rows;
    }

    /** Returns the columns; refuses a file without a header. */
    List<HostMetric> columns(Path file) {
      if (header.isEmpty()) {
        accept(new CsvTable.Row(file, 1, List.of()));
      }
      return columns;
    }

    @Override
    public void accept(CsvTable.Row line) {
      if (header.isEmpty()) {
        line.requireHeader(TIMES, HostFiles.COLUMNS, "the header of a system metrics file");
        header = line.cells();
        columns =
            header.stream()
                .map(name -> HostMetric.all().get(HostFiles.COLUMNS.indexOf(name)))
                .toList();
      } else if (!line.cells().equals(header)) {
        before = row(line, columns, before);
        long second = second(before);
        if (second < last) {
          throw line.wrong("second " + second, "none before second " + last);
        }
        last = second;
        rows.accept(before);
      }
    }
  }

  static long second(MetricRow row) {
    return Long.parseLong(row.cell(HostMetric.UNIX_SECOND));
  }

  private static MetricRow row(CsvTable.Row line, List<HostMetric> columns, MetricRow before) {
    line.checkWidth(columns.size());
    Map<HostMetric, String> row = new EnumMap<>(HostMetric.class);
    for (int i = 0; i < columns.size(); i++) {
      HostMetric metric = columns.get(i);
      String same = before.cell(metric);
      boolean isSame = same.equals(line.text(i)) && !same.isEmpty();
      if (!isSame && !allowed(metric).matcher(line.text(i)).matches()) {
        throw line.wrong(line.text(i), "a number of 0 or more in column " + metric.column());
      }
      row.put(metric, isSame ? same : line.text(i));
    }
    return new MetricRow(row);
  }

  private static Pattern allowed(HostMetric metric) {
    if (metric == HostMetric.UNIX_SECOND) {
      return SECOND;
    }
    return switch (metric.fill()) {
      case LEVEL, COUNTER -> WHOLE;
      case DECIMAL -> DECIMAL;
      case LATEST, DERIVED -> ANYTHING;
    };
  }
}
