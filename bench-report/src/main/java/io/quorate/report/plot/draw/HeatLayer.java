// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import io.quorate.results.latency.LatencyInterval;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Path2D;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A heat map: the number of requests by the time of their end and their latency. It uses eight
 * colors of viridis with even steps of brightness, for all kinds of color vision, light for few
 * requests. The numbers of the colors grow by a constant factor. Several intervals of the log form
 * a column of the desired width. It is drawn at the times of these intervals, which do not begin
 * with seconds.
 */
public final class HeatLayer extends Layer {
  private static final long serialVersionUID = 1;
  private static final int[] VIRIDIS = {
    0xfde725, 0xa0da39, 0x4ac16d, 0x1fa187, 0x277f8e, 0x365c8d, 0x46327e, 0x440154
  };

  /** Tolerance of positions, in pixels. */
  private static final double SAME_PLACE = 0.5;

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
  private final transient List<Column> columns = new ArrayList<>();

  /**
   * A column.
   *
   * @param from beginning, in seconds since the first request
   * @param to end, in seconds since the first request
   * @param counts counts by row
   */
  private record Column(double from, double to, long[] counts) {
    /** Returns the ends, then row and count of each cell with requests. */
    List<BigDecimal> values() {
      List<BigDecimal> values =
          new ArrayList<>(List.of(LineChart.place(from), LineChart.place(to)));
      for (int row = 0; row < counts.length; row++) {
        if (counts[row] > 0) {
          values.add(BigDecimal.valueOf(row));
          values.add(BigDecimal.valueOf(counts[row]));
        }
      }
      return values;
    }

    Column until(double end) {
      return new Column(from, Math.max(to, end), counts);
    }
  }

  /**
   * Creates the heat map.
   *
   * @param intervals intervals of the database, at least one, in order
   * @param firstTenth first tenth of a decade of the shown latencies
   * @param lastTenth last tenth of a decade of the shown latencies
   * @param seconds shown time in seconds
   */
  public HeatLayer(
      List<LatencyInterval> intervals,
      DatabaseSeries database,
      int firstTenth,
      int lastTenth,
      double seconds) {
    this.secondsPerColumn =
        Math.max(secondsPerColumn(seconds), LatencyInterval.typicalSeconds(intervals));
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

  private HeatLayer(HeatLayer other, long most) {
    this.secondsPerColumn = other.secondsPerColumn;
    this.tenthsPerRow = other.tenthsPerRow;
    this.firstTenth = other.firstTenth;
    this.rows = other.rows;
    this.columns.addAll(other.columns);
    this.most = most;
  }

  /** Returns the same map with the colors of a scale that ends at another number. */
  public HeatLayer scaledTo(long highest) {
    return new HeatLayer(this, highest);
  }

  /** Returns the cells with requests. */
  LineChart.Heat cells() {
    return new LineChart.Heat(
        most,
        firstTenth,
        tenthsPerRow,
        columns.stream()
            .filter(column -> LongStream.of(column.counts).sum() > 0)
            .map(Column::values)
            .toList());
  }

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

  public long most() {
    return most;
  }

  public int secondsPerColumn() {
    return secondsPerColumn;
  }

  /** Returns the ends of all rows on a {@link LogScale} of milliseconds. */
  public double[] range() {
    return new double[] {fromPosition(0), fromPosition(rows)};
  }

  private double fromPosition(double row) {
    return (firstTenth + row * tenthsPerRow) / 10.0 - 6;
  }

  /** Returns the colors that may occur, with the numbers of requests. */
  public List<PlotSpec.Key> keys() {
    List<PlotSpec.Key> keys = new ArrayList<>();
    for (int level = 0; level < VIRIDIS.length; level++) {
      long from = (long) Math.ceil(limit(level) - 1e-9);
      long to = (long) Math.ceil(limit(level + 1) - 1e-9) - 1;
      if (to >= from) {
        String label = from == to ? LinearScale.count(from) : LinearScale.count(from) + "+";
        keys.add(PlotSpec.Key.square(label, new Color(VIRIDIS[level])));
      }
    }
    return keys;
  }

  private double limit(int level) {
    return Math.pow(most + 1.0, level / (double) VIRIDIS.length);
  }

  private int level(long count) {
    int level = VIRIDIS.length - 1;
    while (level > 0 && count < limit(level) - 1e-9) {
      level--;
    }
    return level;
  }

  @Override
  void draw(Graphics2D canvas, Area area) {
    Object before = canvas.getRenderingHint(RenderingHints.KEY_ANTIALIASING);
    canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_OFF);
    double height = Math.abs(area.y(fromPosition(rows)) - area.y(fromPosition(0))) / rows;
    canvas.setStroke(
        new BasicStroke((float) height + 0.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL));
    for (int level = 0; level < VIRIDIS.length; level++) {
      Path2D cells = cells(area, level);
      if (cells.getCurrentPoint() != null) {
        canvas.setPaint(new Color(VIRIDIS[level]));
        canvas.draw(cells);
      }
    }
    canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, before);
  }

  /**
   * Returns the cells of a level; neighbors of the same color are one thick line, which keeps the
   * file small.
   */
  private Path2D cells(Area area, int level) {
    Path2D cells = new Path2D.Double();
    for (int row = 0; row < rows; row++) {
      double y = area.y(fromPosition(row + 0.5));
      double start = Double.NaN;
      double end = Double.NaN;
      for (Column column : columns) {
        long count = column.counts[row];
        if (count > 0 && level(count) == level) {
          double from = area.x(column.from);
          if (Double.isNaN(end) || from - end > SAME_PLACE) {
            add(cells, start, end, y);
            start = from;
          }
          end = Math.max(from + 1, area.x(column.to));
        }
      }
      add(cells, start, end, y);
    }
    return cells;
  }

  private static void add(Path2D cells, double start, double end, double y) {
    if (!Double.isNaN(start)) {
      cells.moveTo(start, y);
      cells.lineTo(end, y);
    }
  }
}
