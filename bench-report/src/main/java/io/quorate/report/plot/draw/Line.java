// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * A line of a plot. Its values are not scaled yet; NaN is a missing value, which interrupts the
 * line.
 *
 * @param label in the legend; empty for a part of another entry
 * @param entry of the legend with which the line is hidden: its label, or the label of another line
 * @param name of a part, such as {@code p50}; empty for the line of the entry itself
 * @param width in pixels
 * @param x ascending
 * @param low lower ends of the band around the line
 * @param high upper ends of the band around the line
 * @param marked whether each point has a mark, and the band is a bar at each point
 * @param hollow whether each mark is hollow; empty for none
 */
public record Line(
    String label,
    String entry,
    String name,
    LineStyle ink,
    float width,
    double[] x,
    double[] y,
    double[] low,
    double[] high,
    boolean marked,
    boolean[] hollow) {

  static final float USUAL_WIDTH = 1.5f;

  public Line(String label, LineStyle ink, double[] x, double[] y) {
    this(label, label, "", ink, USUAL_WIDTH, x, y, y, y, false, new boolean[0]);
  }

  /** Returns the line of points with x and y. */
  public static Line of(String label, LineStyle ink, List<double[]> points) {
    return new Line(label, ink, column(points, 0), column(points, 1));
  }

  /** Returns one of the values of each point. */
  public static double[] column(List<double[]> points, int at) {
    return points.stream().mapToDouble(point -> point[at]).toArray();
  }

  /** Returns an unlabelled line that belongs to an entry of the legend. */
  public Line partOf(String other, String part) {
    return new Line("", other, part, ink, width, x, y, low, high, marked, hollow);
  }

  public Line withWidth(float pixels) {
    return new Line(label, entry, name, ink, pixels, x, y, low, high, marked, hollow);
  }

  public Line withBand(double[] from, double[] to) {
    return new Line(label, entry, name, ink, width, x, y, from, to, marked, hollow);
  }

  public Line withMarks() {
    return new Line(label, entry, name, ink, width, x, y, low, high, true, hollow);
  }

  public Line withHollow(boolean[] marks) {
    return new Line(label, entry, name, ink, width, x, y, low, high, marked, marks);
  }

  boolean isHollow(int index) {
    return index < hollow.length && hollow[index];
  }

  public boolean isEmpty() {
    return Arrays.stream(y).allMatch(Double::isNaN);
  }

  int size() {
    return x.length;
  }

  public boolean hasBand() {
    return low != y;
  }

  Line on(Scale across, Scale up) {
    double[] ups = positions(up::position, y);
    double[] lows = hasBand() ? positions(up::position, low) : ups;
    double[] highs = positions(up::position, high);
    return new Line(label, entry, name, ink, width, x, ups, lows, highs, marked, hollow)
        .across(across::position);
  }

  /** Returns the line with other values of x. */
  Line across(DoubleUnaryOperator place) {
    return new Line(
        label, entry, name, ink, width, positions(place, x), y, low, high, marked, hollow);
  }

  private static double[] positions(DoubleUnaryOperator place, double[] values) {
    return Arrays.stream(values).map(place).toArray();
  }

  IntStream known() {
    return IntStream.range(0, x.length).filter(i -> !Double.isNaN(y[i]));
  }
}
