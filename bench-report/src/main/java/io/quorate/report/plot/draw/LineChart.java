// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The content of a plot of lines, for a browser that draws it itself: the same lines as in the
 * picture, as values of the axes instead of positions. On an axis of percentiles, values are
 * positions: {@code -log10(1 - q)}.
 *
 * @param steps where the load changes, for each database
 * @param events marks at the bottom, by kind
 * @param labels labels of the axis across, in their order; empty for numbers
 * @param heat cells instead of lines
 */
public record LineChart(
    String title,
    Axis across,
    Axis up,
    List<Series> lines,
    List<Lane> steps,
    List<Marks> events,
    List<Label> labels,
    Optional<Heat> heat) {
  /** Places across the plot that points share if there are more than twice as many. */
  private static final int PLACES = 380;

  private static final MathContext PLACE = new MathContext(6);
  private static final MathContext VALUE = new MathContext(4);

  /**
   * An axis.
   *
   * @param scale linear, log, percentile or labels
   * @param range first and last value
   */
  public record Axis(String label, String unit, String scale, List<BigDecimal> range) {
    static Axis of(PlotSpec.Axis axis) {
      Scale scale = axis.scale();
      String name =
          scale instanceof LogScale
              ? "log"
              : scale instanceof PercentileScale
                  ? "percentile"
                  : scale instanceof LabelScale ? "labels" : "linear";
      return new Axis(
          axis.label(),
          axis.unit(),
          name,
          List.of(place(value(scale, axis.range()[0])), place(value(scale, axis.range()[1]))));
    }
  }

  /**
   * A line; a null of y interrupts it.
   *
   * @param entry of the legend, with which it is hidden
   * @param name of a part of the entry; may be empty
   * @param low lower ends of the band or bars; empty if there are none
   * @param high upper ends, as many
   * @param hollow indices of points whose mark is hollow
   */
  public record Series(
      String entry,
      String name,
      String color,
      List<Float> dash,
      float width,
      boolean marked,
      List<BigDecimal> x,
      List<BigDecimal> y,
      List<BigDecimal> low,
      List<BigDecimal> high,
      List<Integer> hollow) {}

  /**
   * The steps of a database.
   *
   * @param starts second and load of each
   */
  public record Lane(String color, String unit, List<List<BigDecimal>> starts) {}

  /**
   * Events of one kind.
   *
   * @param rows at the bottom of the plot, one for each database
   * @param spans row, first and last second of each
   * @param shaded first and last second of each part that is shaded over the whole height
   */
  public record Marks(
      String label,
      String color,
      int rows,
      List<List<BigDecimal>> spans,
      List<List<BigDecimal>> shaded) {}

  /**
   * The numbers of requests by time and latency. Row n has the latencies from {@code 10^((first + n
   * * step) / 10 - 6)} ms on.
   *
   * @param most number with the darkest color
   * @param columns beginning and end of each column, then row and number of each of its cells
   */
  public record Heat(long most, int first, int step, List<List<BigDecimal>> columns) {}

  /**
   * A label of an axis.
   *
   * @param text short text below the axis
   * @param detail text for a reader who points at the place
   */
  public record Label(BigDecimal at, String text, String detail) {}

  /** Returns the chart; empty if the plot has no lines. */
  public static Optional<LineChart> of(PlotSpec plot) {
    return plot.layers().stream().flatMap(layer -> of(plot, layer).stream()).findFirst();
  }

  private static Optional<LineChart> of(PlotSpec plot, Layer layer) {
    if (layer instanceof HeatLayer heat) {
      return Optional.of(of(plot, List.of(), Optional.of(heat.cells())));
    }
    // rows of events are complete as a picture
    return layer instanceof LineLayer lines && !(plot.up().scale() instanceof LabelScale)
        ? Optional.of(of(plot, lines.lines(), Optional.empty()))
        : Optional.empty();
  }

  private static LineChart of(PlotSpec plot, List<Line> lines, Optional<Heat> heat) {
    double[] range = plot.across().range();
    double shortest = (range[1] - range[0]) / PLACES;
    return new LineChart(
        plot.title(),
        Axis.of(plot.across()),
        Axis.of(plot.up()),
        lines.stream().map(line -> series(plot, line)).toList(),
        plot.steps().stream().map(LineChart::lane).toList(),
        plot.layers().stream()
            .filter(EventLayer.class::isInstance)
            .flatMap(layer -> ((EventLayer) layer).marks(range[1] - range[0], shortest).stream())
            .toList(),
        labels(plot.across().scale()),
        heat);
  }

  private static List<Label> labels(Scale scale) {
    return scale instanceof LabelScale labelled
        ? labelled.labels().stream()
            .map(each -> new Label(place(each.at()), each.text(), each.detail()))
            .toList()
        : List.of();
  }

  private static Lane lane(StepLayer.Lane lane) {
    return new Lane(
        lane.ink().hex(),
        StepLayer.unit(lane.steps().stream()),
        lane.steps().stream()
            .map(step -> List.of(place(step.second()), BigDecimal.valueOf(step.load())))
            .toList());
  }

  private static Series series(PlotSpec plot, Line line) {
    double from = plot.across().range()[0];
    double width = (plot.across().range()[1] - from) / PLACES;
    List<BigDecimal> x = new ArrayList<>();
    List<BigDecimal> y = new ArrayList<>();
    List<BigDecimal> low = new ArrayList<>();
    List<BigDecimal> high = new ArrayList<>();
    List<Integer> hollow = new ArrayList<>();
    boolean spread = false;
    double before = Double.NaN;
    for (LineLayer.Downsampling.Point point :
        LineLayer.Downsampling.points(line.across(place -> (place - from) / width), 1)) {
      if (point.interrupted() && !x.isEmpty()) {
        x.add(place(value(plot.across().scale(), from + width * (before + point.x()) / 2)));
        y.add(null);
        low.add(null);
        high.add(null);
      }
      if (point.hollow()) {
        hollow.add(x.size());
      }
      x.add(place(value(plot.across().scale(), from + width * point.x())));
      y.add(rounded(value(plot.up().scale(), point.y())));
      low.add(rounded(value(plot.up().scale(), point.low())));
      high.add(rounded(value(plot.up().scale(), point.high())));
      spread |= point.high() > point.low();
      before = point.x();
    }
    return new Series(
        line.entry(),
        line.name(),
        line.ink().hex(),
        line.ink().dash(),
        line.width(),
        line.marked(),
        x,
        y,
        spread ? low : List.of(),
        spread ? high : List.of(),
        hollow);
  }

  private static double value(Scale scale, double position) {
    return scale instanceof LogScale ? Math.pow(10, position) : position;
  }

  static BigDecimal place(double value) {
    return plain(new BigDecimal(value).round(PLACE));
  }

  private static BigDecimal rounded(double value) {
    return plain(new BigDecimal(value).round(VALUE));
  }

  private static BigDecimal plain(BigDecimal value) {
    BigDecimal shortest = value.stripTrailingZeros();
    return shortest.scale() < 0 ? shortest.setScale(0) : shortest;
  }
}
