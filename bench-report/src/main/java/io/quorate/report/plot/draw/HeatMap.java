package io.quorate.report.plot.draw;

import io.quorate.results.latency.LatencyInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Requests counted in cells of time and latency. As many intervals of the log as a column is to be
 * wide are one column, which is drawn where these intervals were: they do not begin with seconds.
 */
public final class HeatMap {
  private static final int MAX_COLUMNS = 150;
  private static final int MAX_ROWS = 45;
  private static final int[] STEPS = {1, 2, 5, 10};

  /** Tolerance of widths, as intervals are not exactly a second long. */
  private static final double TOLERANCE = 0.1;

  private final int secondsPerColumn;
  private final int tenthsPerRow;
  private final int firstTenth;
  private final int rows;
  private final long most;
  private final List<Column> columns = new ArrayList<>();

  /**
   * A column.
   *
   * @param from seconds since the first request
   * @param to seconds since the first request
   * @param counts by row
   */
  record Column(double from, double to, long[] counts) {
    private Column until(double end) {
      return new Column(from, Math.max(to, end), counts);
    }
  }

  /**
   * @param intervals of the database, at least one, in order
   * @param firstTenth of a decade, and
   * @param lastTenth of the latencies that are shown
   * @param seconds of the time that is shown
   */
  public HeatMap(
      List<LatencyInterval> intervals,
      DatabaseSeries database,
      int firstTenth,
      int lastTenth,
      double seconds) {
    this.secondsPerColumn = secondsPerColumn(seconds);
    this.tenthsPerRow = (lastTenth - firstTenth + MAX_ROWS) / MAX_ROWS;
    this.firstTenth = firstTenth;
    this.rows = (lastTenth - firstTenth) / tenthsPerRow + 1;
    for (LatencyInterval interval : intervals) {
      double from = database.second(interval.startMillis());
      double to = Math.max(from, database.second(interval.endMillis()));
      Column column = columnFor(from, to);
      for (int tenth = interval.firstTenth(); tenth <= interval.lastTenth(); tenth++) {
        column.counts[(tenth - firstTenth) / tenthsPerRow] += interval.countInTenth(tenth);
      }
    }
    this.most =
        columns.stream().flatMapToLong(column -> LongStream.of(column.counts)).max().orElse(0);
  }

  /** Returns the last column if it has room, or else a new one. */
  private Column columnFor(double from, double to) {
    double most = secondsPerColumn + TOLERANCE;
    boolean added = !columns.isEmpty() && to - columns.get(columns.size() - 1).from <= most;
    Column column =
        added ? columns.remove(columns.size() - 1).until(to) : new Column(from, to, new long[rows]);
    columns.add(column);
    return column;
  }

  private static int secondsPerColumn(double seconds) {
    for (int power = 1; ; power *= 10) {
      for (int step : STEPS) {
        if (seconds / ((long) step * power) <= MAX_COLUMNS) {
          return step * power;
        }
      }
    }
  }

  /** Returns the columns in order of time; where no request ended there is none. */
  List<Column> columns() {
    return columns;
  }

  public int rows() {
    return rows;
  }

  /** Returns the greatest count. */
  public long most() {
    return most;
  }

  public int secondsPerColumn() {
    return secondsPerColumn;
  }

  /** Returns the lower end of a row on a {@link LogScale} of milliseconds. */
  public double fromPosition(double row) {
    return (firstTenth + row * tenthsPerRow) / 10.0 - 6;
  }
}
