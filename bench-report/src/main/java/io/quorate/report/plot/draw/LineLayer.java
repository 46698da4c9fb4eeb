// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import io.quorate.report.judge.Sample;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Draws lines, with the bands around them below all lines. Isolated points are dots. */
final class LineLayer extends Layer {
  private static final long serialVersionUID = 1;
  private static final double COLUMN_PIXELS = 5;
  private static final double DOT = 3;
  private static final double MARK = 6;

  /** Ratio of the diameter of a hollow mark, and of its hole, to the diameter of a full one. */
  private static final double HOLLOW = 1.3;

  private static final double HOLE = 0.8;

  private static final double BAR = 5;
  private static final int BAND_ALPHA = 132;
  private static final int FEW = 3;

  private final transient List<Line> lines;

  LineLayer(List<Line> lines) {
    this.lines = List.copyOf(lines);
  }

  List<Line> lines() {
    return lines;
  }

  @Override
  void draw(Graphics2D canvas, Area area) {
    List<List<Downsampling.Point>> points =
        lines.stream()
            .map(line -> Downsampling.points(line.across(area::x), COLUMN_PIXELS))
            .toList();
    for (int i = 0; i < lines.size(); i++) {
      Color color = lines.get(i).ink().color();
      if (lines.get(i).marked()) {
        bars(canvas, area, color, points.get(i));
      } else {
        canvas.setPaint(
            new Color(
                color.getRed(),
                color.getGreen(),
                color.getBlue(),
                BAND_ALPHA / Math.max(FEW, lines.size())));
        bands(canvas, area, points.get(i));
      }
    }
    for (int i = 0; i < lines.size(); i++) {
      canvas.setPaint(lines.get(i).ink().color());
      canvas.setStroke(lines.get(i).ink().stroke(lines.get(i).width()));
      line(canvas, area, points.get(i));
      if (lines.get(i).marked()) {
        marks(canvas, area, lines.get(i), points.get(i));
      }
    }
  }

  private static void bands(Graphics2D canvas, Area area, List<Downsampling.Point> points) {
    for (int from = 0; from < points.size(); ) {
      int to = from + 1;
      while (to < points.size() && !points.get(to).interrupted()) {
        to++;
      }
      List<Downsampling.Point> run = points.subList(from, to);
      if (run.stream().anyMatch(point -> point.high() > point.low())) {
        canvas.fill(band(area, run));
      }
      from = to;
    }
  }

  private static Path2D band(Area area, List<Downsampling.Point> run) {
    Path2D band = new Path2D.Double();
    if (run.size() == 1) {
      Downsampling.Point only = run.get(0);
      band.moveTo(only.x() - 1, area.y(only.high()));
      band.lineTo(only.x() + 1, area.y(only.high()));
      band.lineTo(only.x() + 1, area.y(only.low()));
      band.lineTo(only.x() - 1, area.y(only.low()));
    } else {
      band.moveTo(run.get(0).x(), area.y(run.get(0).high()));
      run.forEach(point -> band.lineTo(point.x(), area.y(point.high())));
      for (int i = run.size() - 1; i >= 0; i--) {
        band.lineTo(run.get(i).x(), area.y(run.get(i).low()));
      }
    }
    band.closePath();
    return band;
  }

  private static void bars(
      Graphics2D canvas, Area area, Color color, List<Downsampling.Point> points) {
    canvas.setPaint(LineStyle.mixed(color, LineStyle.PAPER, 0.4));
    canvas.setStroke(new BasicStroke(1.2f));
    for (Downsampling.Point point : points) {
      if (point.high() <= point.low()) {
        continue;
      }
      double low = area.y(point.low());
      double high = area.y(point.high());
      Path2D bar = new Path2D.Double();
      bar.append(new Line2D.Double(point.x() - BAR, low, point.x() + BAR, low), false);
      bar.append(new Line2D.Double(point.x(), low, point.x(), high), false);
      bar.append(new Line2D.Double(point.x() - BAR, high, point.x() + BAR, high), false);
      canvas.draw(bar);
    }
  }

  private static void line(Graphics2D canvas, Area area, List<Downsampling.Point> points) {
    Path2D path = new Path2D.Double();
    for (int i = 0; i < points.size(); i++) {
      Downsampling.Point point = points.get(i);
      boolean last = i + 1 == points.size() || points.get(i + 1).interrupted();
      if (point.interrupted() && last) {
        dot(canvas, area, point, DOT);
      } else if (point.interrupted()) {
        path.moveTo(point.x(), area.y(point.y()));
      } else {
        path.lineTo(point.x(), area.y(point.y()));
      }
    }
    if (path.getCurrentPoint() != null) {
      canvas.draw(path);
    }
  }

  /** Draws marks, whose size depends on the width of the line. */
  private static void marks(
      Graphics2D canvas, Area area, Line line, List<Downsampling.Point> points) {
    double diameter = MARK * line.width() / Line.USUAL_WIDTH;
    for (Downsampling.Point point : points) {
      if (point.hollow()) {
        dot(canvas, area, point, diameter * HOLLOW);
        canvas.setPaint(LineStyle.PAPER);
        dot(canvas, area, point, diameter * HOLE);
        canvas.setPaint(line.ink().color());
      } else {
        dot(canvas, area, point, diameter);
      }
    }
  }

  private static void dot(Graphics2D canvas, Area area, Downsampling.Point point, double diameter) {
    double radius = diameter / 2;
    canvas.fill(
        new Ellipse2D.Double(point.x() - radius, area.y(point.y()) - radius, diameter, diameter));
  }

  /**
   * Reduces points of a line that would cover each other: points in the same few pixels become
   * their median, with the least and the greatest as a band. It adds no points, and keeps the
   * extremes.
   */
  static final class Downsampling {
    /**
     * The drawn values at a place.
     *
     * @param x position of the points
     * @param y their median
     * @param interrupted whether the line is not connected to the previous point
     * @param hollow whether one of their marks is hollow
     */
    record Point(
        double x, double y, double low, double high, boolean interrupted, boolean hollow) {}

    private Downsampling() {}

    /**
     * Returns the reduced points.
     *
     * @param line line with positions in pixels, x ascending
     * @param columnPixels width of the places that points share
     * @return the same points, if on average fewer than two share a place
     */
    static List<Point> points(Line line, double columnPixels) {
      int[] known = line.known().toArray();
      if (known.length == 0) {
        return List.of();
      }
      double width = line.x()[known[known.length - 1]] - line.x()[known[0]];
      boolean dense = known.length > 2 * (width / columnPixels + 1);
      List<Point> points = new ArrayList<>();
      int before = -1;
      for (int i = 0; i < known.length; ) {
        long column = (long) Math.floor(line.x()[known[i]] / columnPixels);
        int end = i + 1;
        while (dense
            && end < known.length
            && (long) Math.floor(line.x()[known[end]] / columnPixels) == column) {
          end++;
        }
        int[] together = Arrays.copyOfRange(known, i, end);
        boolean interrupted =
            before < 0 || isInterrupted(line, before, together[0], dense ? columnPixels : 0);
        points.add(point(line, together, interrupted));
        before = together[together.length - 1];
        i = end;
      }
      return points;
    }

    /**
     * Returns whether a value is missing between points; in dense lines, for more than the width of
     * a place.
     */
    private static boolean isInterrupted(Line line, int before, int next, double columnPixels) {
      return next - before > 1 && line.x()[next] - line.x()[before] > columnPixels;
    }

    private static Point point(Line line, int[] together, boolean interrupted) {
      return new Point(
          Arrays.stream(together).mapToDouble(i -> line.x()[i]).average().orElseThrow(),
          Sample.median(Arrays.stream(together).mapToDouble(i -> line.y()[i]).toArray()),
          Arrays.stream(together)
              .mapToDouble(i -> known(line.low()[i], line.y()[i]))
              .min()
              .getAsDouble(),
          Arrays.stream(together)
              .mapToDouble(i -> known(line.high()[i], line.y()[i]))
              .max()
              .getAsDouble(),
          interrupted,
          Arrays.stream(together).anyMatch(line::isHollow));
    }

    private static double known(double value, double otherwise) {
      return Double.isNaN(value) ? otherwise : value;
    }
  }
}
