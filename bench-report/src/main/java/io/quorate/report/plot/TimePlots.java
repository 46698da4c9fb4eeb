// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.report.figures.Frame;
import io.quorate.report.plot.draw.AltText;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.report.plot.draw.EventLayer;
import io.quorate.report.plot.draw.HeatLayer;
import io.quorate.report.plot.draw.Line;
import io.quorate.report.plot.draw.LinePlotSpec;
import io.quorate.report.plot.draw.LineStyle;
import io.quorate.report.plot.draw.LinearScale;
import io.quorate.report.plot.draw.LogScale;
import io.quorate.report.plot.draw.PlotSpec;
import io.quorate.report.plot.draw.Scale;
import io.quorate.report.plot.draw.StepLayer;
import io.quorate.results.latency.LatencyInterval;
import io.quorate.results.latency.Percentile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Plots over the time of a run, and over the number of keys written. */
final class TimePlots {
  /** Pause between intervals at which a line is interrupted: a missing second. */
  private static final long PAUSE_MILLIS = 1000;

  private static final double NANOS_PER_MS = 1e6;

  private TimePlots() {}

  static List<PlotSpec> column(PlotData run, String column, String title, String unit, Scale up) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < run.databases().size(); i++) {
      DatabaseSeries database = run.databases().get(i);
      LineStyle ink = run.inks().get(i);
      database.seconds().known(column).ifPresent(values -> lines.add(line(database, ink, values)));
    }
    return together(run, overTime(run, title, unit, up), lines, "By second.");
  }

  /** Plots all databases together. */
  private static List<PlotSpec> together(
      PlotData run, LinePlotSpec sketch, List<Line> lines, String what) {
    return sketch
        .of(
            Optional.empty(),
            lines,
            acrossRange(run),
            sketch.upRange(lines),
            IntStream.range(0, run.databases().size())
                .mapToObj(i -> lane(run, i))
                .flatMap(List::stream)
                .toList(),
            LinePlotSpec.sentences(what, lines, AltText::of))
        .stream()
        .map(plot -> plot.withEvents(new EventLayer(run.databases())))
        .toList();
  }

  /**
   * Plots a column by the number of keys, for each database that has it.
   *
   * @param plot name of the plot: {@code X-BY-KEY} plots X; {@code AVG-X-BY-KEY-ERROR-POINTS} plots
   *     AVG-X in a band from MIN-X to MAX-X
   */
  static List<PlotSpec> byKey(
      PlotData run,
      Function<DatabaseSeries, Frame> columns,
      String plot,
      String title,
      String unit,
      Scale up) {
    String column = plot.substring(0, plot.indexOf("-BY-KEY"));
    boolean band = plot.endsWith("-ERROR-POINTS");
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < run.databases().size(); i++) {
      DatabaseSeries database = run.databases().get(i);
      Frame known = columns.apply(database);
      Optional<double[]> values = known.known(column);
      if (values.isPresent()) {
        Line line =
            new Line(database.name(), run.inks().get(i), known.numbers("KEYS"), values.get());
        lines.add(
            band
                ? line.withBand(
                    known.numbers(column.replaceFirst("AVG", "MIN")),
                    known.numbers(column.replaceFirst("AVG", "MAX")))
                : line);
      }
    }
    LinePlotSpec sketch =
        new LinePlotSpec(title, unit, "cumulative number of keys", new LinearScale(true), up);
    String note = band ? " Lines are means, bands go from the minimum to the maximum." : "";
    return sketch.of(lines, "By the number of keys written." + note, AltText::of);
  }

  /** Returns the line of values of each second, which is interrupted between moved steps. */
  private static Line line(DatabaseSeries database, LineStyle ink, double[] values) {
    List<double[]> points = new ArrayList<>();
    for (int second = 0; second < values.length; second++) {
      if (database.isInterrupted(second)) {
        points.add(new double[] {database.place(second), Double.NaN});
      }
      points.add(new double[] {database.place(second), values[second]});
    }
    return Line.of(database.name(), ink, points);
  }

  private static LinePlotSpec overTime(PlotData run, String title, String unit, Scale up) {
    return new LinePlotSpec(title, unit, acrossLabel(run), new LinearScale(true), up);
  }

  private static String acrossLabel(PlotData run) {
    return run.databases().stream().allMatch(each -> each.shifts().isEmpty())
        ? "seconds since the first request"
        : "seconds, steps aligned";
  }

  /**
   * Plots the latencies of every interval, in a separate plot for each database, on the same axes.
   */
  static List<PlotSpec> percentiles(PlotData run) {
    LinePlotSpec sketch = overTime(run, "Latency percentiles", "ms", new LogScale());
    List<List<Line>> all = new ArrayList<>();
    for (int i = 0; i < run.databases().size(); i++) {
      all.add(percentiles(run.databases().get(i), run.inks().get(i)));
    }
    double[] up = sketch.upRange(all.stream().flatMap(List::stream).toList());
    List<PlotSpec> sketches = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      DatabaseSeries database = run.databases().get(i);
      LinePlotSpec own =
          overTime(run, "Latency percentiles of " + database.name(), "ms", new LogScale());
      own.of(
              Optional.of(database),
              all.get(i),
              acrossRange(run),
              up,
              lane(run, i),
              LinePlotSpec.sentences(
                  "Percentiles of the latencies (ms) of %s, on a logarithmic axis."
                      .formatted(each(database.timedIntervals())),
                  all.get(i),
                  AltText::of))
          .forEach(plot -> sketches.add(plot.withEvents(new EventLayer(List.of(database)))));
    }
    return sketches;
  }

  /** Plots the p99 of every interval, of all databases. */
  static List<PlotSpec> p99(PlotData run) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < run.databases().size(); i++) {
      DatabaseSeries database = run.databases().get(i);
      lines.add(
          line(
              database,
              database.timedIntervals(),
              database.name(),
              run.inks().get(i),
              of(Percentile.P99)));
    }
    return together(
        run,
        overTime(run, "p99 latency", "ms", new LogScale()),
        lines,
        "Of the requests that ended in each interval.");
  }

  private static String each(List<LatencyInterval> intervals) {
    int seconds = LatencyInterval.typicalSeconds(intervals);
    return seconds == 1 ? "each second" : "intervals of %d s".formatted(seconds);
  }

  private static List<Line> percentiles(DatabaseSeries database, LineStyle ink) {
    List<LatencyInterval> intervals = database.timedIntervals();
    LineStyle solid = new LineStyle(ink.color(), List.of());
    return List.of(
        line(database, intervals, "max", solid.lighter(0.6), LatencyInterval::maxNanos),
        line(database, intervals, "p99.9", solid.lighter(0.3), of(Percentile.P99_9)),
        line(database, intervals, "p99", solid.dashed(5f, 2f), of(Percentile.P99)),
        line(database, intervals, "p50", solid.darker(0.4), of(Percentile.P50)).withWidth(2));
  }

  private static ToDoubleFunction<LatencyInterval> of(Percentile percentile) {
    return interval -> interval.nanos(percentile);
  }

  private static Line line(
      DatabaseSeries database,
      List<LatencyInterval> intervals,
      String label,
      LineStyle ink,
      ToDoubleFunction<LatencyInterval> nanos) {
    List<double[]> points = new ArrayList<>();
    for (int i = 0; i < intervals.size(); i++) {
      LatencyInterval interval = intervals.get(i);
      double second = database.second(interval.startMillis());
      if (i > 0 && isInterrupted(intervals.get(i - 1), interval)) {
        points.add(new double[] {second, Double.NaN});
      }
      points.add(new double[] {second, nanos.applyAsDouble(interval) / NANOS_PER_MS});
    }
    return Line.of(label, ink, points);
  }

  private static boolean isInterrupted(LatencyInterval before, LatencyInterval interval) {
    return interval.startMillis() - before.endMillis() > PAUSE_MILLIS
        || interval.tag().step() != before.tag().step();
  }

  static List<PlotSpec> heatMaps(PlotData run) {
    List<LatencyInterval> all =
        run.databases().stream().flatMap(each -> each.timedIntervals().stream()).toList();
    if (all.isEmpty()) {
      return List.of();
    }
    int first = all.stream().mapToInt(LatencyInterval::firstTenth).min().getAsInt();
    int last = all.stream().mapToInt(LatencyInterval::lastTenth).max().getAsInt();
    Map<Integer, HeatLayer> maps = new TreeMap<>();
    for (int i = 0; i < run.databases().size(); i++) {
      DatabaseSeries database = run.databases().get(i);
      List<LatencyInterval> intervals = database.timedIntervals();
      if (!intervals.isEmpty()) {
        maps.put(i, new HeatLayer(intervals, database, first, last, acrossRange(run)[1]));
      }
    }
    long most = maps.values().stream().mapToLong(HeatLayer::most).max().orElse(0);
    List<PlotSpec> sketches = new ArrayList<>();
    maps.forEach(
        (i, map) ->
            sketches.add(
                heatMap(run, i, map.scaledTo(most))
                    .withEvents(new EventLayer(List.of(run.databases().get(i))))));
    return sketches;
  }

  private static PlotSpec heatMap(PlotData run, int index, HeatLayer layer) {
    DatabaseSeries database = run.databases().get(index);
    return new PlotSpec(
        Optional.of(database),
        "Latency heat map of " + database.name() + " (ms)",
        "Requests by end time (%d s columns) and latency (log rows). Darkest cell: %s requests."
            .formatted(layer.secondsPerColumn(), AltText.number(layer.most())),
        new PlotSpec.Axis(acrossLabel(run), "", new LinearScale(true), acrossRange(run)),
        new PlotSpec.Axis("ms", "ms", new LogScale(), layer.range()),
        lane(run, index),
        List.of(layer),
        layer.keys());
  }

  /** Returns the range of the time axis, up to the longest run, so that plots can be compared. */
  private static double[] acrossRange(PlotData run) {
    double longest =
        run.databases().stream()
            .mapToDouble(each -> each.place(each.seconds().rows()))
            .max()
            .orElse(1);
    return new double[] {-0.005 * longest, Math.max(1, longest) * 1.005};
  }

  /** Returns the lane of a database; none if there is only one step. */
  private static List<StepLayer.Lane> lane(PlotData run, int index) {
    DatabaseSeries database = run.databases().get(index);
    return database.marks().size() < 2
        ? List.of()
        : List.of(new StepLayer.Lane(run.inks().get(index), database.marks()));
  }
}
