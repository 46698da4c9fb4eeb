package io.quorate.report.plot.draw;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reduces the points of a line that are so close that they would cover each other: of those in the
 * same few pixels the median, with the least and the greatest as a band. Nothing is made up: where
 * there is no point there is none afterwards, and the extremes are kept.
 */
final class Downsampling {
  /**
   * The drawn values at a place.
   *
   * @param x of the points there
   * @param y their median
   * @param interrupted whether the line does not come from the point before
   * @param hollow whether the mark of one of them is
   */
  record Point(double x, double y, double low, double high, boolean interrupted, boolean hollow) {}

  private Downsampling() {}

  /**
   * @param line with positions in pixels, x ascending
   * @param columnPixels how wide the places are that points share
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
   * Returns whether a value is missing between points; in dense lines, for longer than a place is
   * wide.
   */
  private static boolean isInterrupted(Line line, int before, int next, double columnPixels) {
    return next - before > 1 && line.x()[next] - line.x()[before] > columnPixels;
  }

  private static Point point(Line line, int[] together, boolean interrupted) {
    double[] values = Arrays.stream(together).mapToDouble(i -> line.y()[i]).sorted().toArray();
    double middle = (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
    return new Point(
        Arrays.stream(together).mapToDouble(i -> line.x()[i]).average().orElseThrow(),
        middle,
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
