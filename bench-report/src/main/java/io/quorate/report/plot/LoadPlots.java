// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.report.figures.ClientSecond;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.plot.draw.AltText;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.report.plot.draw.Line;
import io.quorate.report.plot.draw.LinePlotSpec;
import io.quorate.report.plot.draw.LineStyle;
import io.quorate.report.plot.draw.LinearScale;
import io.quorate.report.plot.draw.LogScale;
import io.quorate.report.plot.draw.PlotSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * Plots over the load, which is the number of clients or the offered rate. They show means, with
 * the spread from the 10th to the 90th percentile of the seconds. The partial first and last second
 * of a step do not count for the spread of a throughput.
 *
 * @param open whether the load is a rate
 */
record LoadPlots(boolean open, String name, String axis) {
  static final LoadPlots CLIENTS = new LoadPlots(false, "number of clients", "clients");
  static final LoadPlots RATES = new LoadPlots(true, "offered rate", "requests/s offered");

  private static final double SPANS_DECADES = 20;

  List<PlotSpec> throughput(PlotData run) {
    return sketch(run, "Throughput by " + name, "requests/s", ClientSecond::count, false);
  }

  List<PlotSpec> latency(PlotData run) {
    String what = open ? "Mean response time by " : "Mean latency by ";
    return sketch(run, what + name, "ms", ClientSecond::averageMs, true);
  }

  List<PlotSpec> p99(PlotData run) {
    String what = open ? "p99 response time by " : "p99 latency by ";
    return sketch(
        run,
        what + name,
        "ms",
        "99% of the requests of each step took less.",
        (load, steps) -> {
          double p99 =
              steps.stream()
                  .mapToDouble(StepFigures::responseP99Ms)
                  .filter(value -> value > 0)
                  .max()
                  .orElse(Double.NaN);
          return new double[] {load, p99, p99, p99};
        });
  }

  private List<PlotSpec> sketch(
      PlotData run,
      String title,
      String unit,
      ToDoubleFunction<ClientSecond> figure,
      boolean ofRequests) {
    return sketch(
        run,
        title,
        unit,
        "Means of each step; bars go from the 10th to the 90th percentile of its seconds.",
        (load, steps) -> point(load, steps, figure, ofRequests));
  }

  private List<PlotSpec> sketch(
      PlotData run,
      String title,
      String unit,
      String what,
      BiFunction<Long, List<StepFigures>, double[]> point) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < run.databases().size(); i++) {
      DatabaseSeries database = run.databases().get(i);
      List<StepFigures> steps =
          database.steps().stream()
              .filter(step -> !step.asked().isPhase() && step.asked().isOpen() == open)
              .toList();
      if (steps.stream().map(StepFigures::load).distinct().count() > 1) {
        lines.add(line(database.name(), steps, run.inks().get(i), point));
      }
    }
    double[] loads = lines.stream().flatMapToDouble(line -> DoubleStream.of(line.x())).toArray();
    double most = DoubleStream.of(loads).max().orElse(1);
    boolean decades = most / DoubleStream.of(loads).min().orElse(1) >= SPANS_DECADES;
    LinePlotSpec sketch =
        new LinePlotSpec(
            title,
            unit,
            axis,
            decades ? new LogScale() : new LinearScale(true),
            new LinearScale(false));
    return sketch.of(lines, what, AltText::ofPoints);
  }

  private static Line line(
      String label,
      List<StepFigures> all,
      LineStyle ink,
      BiFunction<Long, List<StepFigures>, double[]> pointOf) {
    TreeMap<Long, List<StepFigures>> byLoad = new TreeMap<>();
    all.forEach(step -> byLoad.computeIfAbsent(step.load(), any -> new ArrayList<>()).add(step));
    List<double[]> points = new ArrayList<>();
    byLoad.forEach((load, steps) -> points.add(pointOf.apply(load, steps)));
    return Line.of(label, ink, points)
        .withBand(Line.column(points, 2), Line.column(points, 3))
        .withMarks();
  }

  /** Returns the load, the mean, and the ends of the spread. */
  private static double[] point(
      long load,
      List<StepFigures> steps,
      ToDoubleFunction<ClientSecond> figure,
      boolean ofRequests) {
    double[] seconds =
        steps.stream()
            .flatMap(step -> ofRequests ? step.seconds().stream() : step.wholeSeconds().stream())
            .filter(second -> !ofRequests || second.count() > 0)
            .mapToDouble(figure)
            .sorted()
            .toArray();
    double mean =
        ofRequests ? DatabaseSeries.averageMs(steps) : DatabaseSeries.requestsPerSecond(steps);
    if (seconds.length == 0) {
      return new double[] {load, mean, mean, mean};
    }
    double low = seconds[rank(seconds.length, 0.1)];
    double high = seconds[rank(seconds.length, 0.9)];
    boolean spread = low <= mean && mean <= high;
    return new double[] {load, mean, spread ? low : mean, spread ? high : mean};
  }

  private static int rank(int count, double part) {
    return Math.max(0, (int) Math.ceil(part * count) - 1);
  }
}
