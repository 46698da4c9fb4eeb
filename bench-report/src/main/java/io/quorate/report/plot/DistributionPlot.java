// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.report.plot.draw.AltText;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.report.plot.draw.DatabaseSeries.Distribution;
import io.quorate.report.plot.draw.Line;
import io.quorate.report.plot.draw.LinePlotSpec;
import io.quorate.report.plot.draw.LineStyle;
import io.quorate.report.plot.draw.LogScale;
import io.quorate.report.plot.draw.PercentileScale;
import io.quorate.report.plot.draw.PlotSpec;
import io.quorate.results.latency.Percentile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Plots latency by percentile, as HdrHistogram's plotter does. */
final class DistributionPlot {
  private static final int POINTS_PER_HALVING = 7;
  private static final double NANOS_PER_MS = 1e6;

  /**
   * Percentile at which a line begins, so that the fastest requests do not take most of the axis.
   */
  private static final double FIRST = 0.1;

  private static final double OTHER_SHADE = 0.5;

  private DistributionPlot() {}

  static List<PlotSpec> sketches(PlotData run) {
    Map<Line, String> words = lines(run, DatabaseSeries::distributions);
    LinePlotSpec sketch = sketch(run.isOpen() ? "Response time" : "Latency", "requests");
    String what =
        run.isOpen()
            ? "Response time by percentile (ms, logarithmic on both axes); dashed: service "
                + "time."
            : "Latency by percentile (ms, logarithmic on both axes).";
    return sketch.of(List.copyOf(words.keySet()), what, words::get).stream()
        .map(drawn -> run.isOpen() ? drawn.withUpLabel("response time in ms") : drawn)
        .toList();
  }

  private static LinePlotSpec sketch(String quantity, String of) {
    return new LinePlotSpec(
        quantity + " by percentile of the " + of,
        "ms",
        "percentile of the " + (of.equals("puts") ? of : "requests that succeeded"),
        new PercentileScale(),
        new LogScale());
  }

  static List<PlotSpec> watches(PlotData run) {
    Map<Line, String> words = lines(run, DatabaseSeries::watches);
    return sketch("Watch latency", "puts")
        .of(
            List.copyOf(words.keySet()),
            "Watch latency by percentile (ms, logarithmic on both axes) of the first, median "
                + "and last watcher, in the step with the most watchers.",
            words::get);
  }

  private static Map<Line, String> lines(
      PlotData run, Function<DatabaseSeries, List<Distribution>> distributions) {
    Map<Line, String> words = new LinkedHashMap<>();
    for (int i = 0; i < run.databases().size(); i++) {
      DatabaseSeries database = run.databases().get(i);
      for (Distribution each : distributions.apply(database)) {
        if (each.nanos().getTotalCount() > 0) {
          Line line =
              line(label(database.name(), each), ink(run.inks().get(i), each), each.nanos());
          words.put(line, words(line.label(), each.nanos()));
        }
      }
    }
    return words;
  }

  private static String label(String tag, Distribution of) {
    return tag
        + of.operation().map(name -> " " + name).orElse("")
        + (of.service() ? ", service time" : "");
  }

  private static LineStyle ink(LineStyle database, Distribution of) {
    LineStyle shade =
        switch (of.number() % 3) {
          case 1 -> database.darker(OTHER_SHADE);
          case 2 -> database.lighter(OTHER_SHADE);
          default -> database;
        };
    return of.service() ? shade.dashed(4f, 3f) : shade;
  }

  private static String words(String label, Histogram histogram) {
    return AltText.ofPercentiles(
        label,
        Percentile.P50.of(histogram) / NANOS_PER_MS,
        Percentile.P99.of(histogram) / NANOS_PER_MS,
        histogram.getMaxValue() / NANOS_PER_MS);
  }

  /**
   * Returns the line. The slowest of n requests is at the percentile of n - 1 requests, as 100% is
   * infinitely far away.
   */
  private static Line line(String label, LineStyle ink, Histogram histogram) {
    double last = 1 - 1.0 / histogram.getTotalCount();
    List<double[]> points = new ArrayList<>();
    for (HistogramIterationValue value : histogram.percentiles(POINTS_PER_HALVING)) {
      double part = Math.min(value.getPercentileLevelIteratedTo() / 100, last);
      if (part < FIRST && last >= FIRST) {
        continue;
      }
      points.add(new double[] {part, value.getValueIteratedTo() / NANOS_PER_MS});
    }
    return Line.of(label, ink, points);
  }
}
