package io.quorate.report.plot;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Plots latency by percentile, as HdrHistogram's plotter does. */
final class DistributionPlot {
  private static final int POINTS_PER_HALVING = 7;
  private static final double NANOS_PER_MS = 1e6;
  private static final double MEDIAN = 50;
  private static final double P99 = 99;

  private DistributionPlot() {}

  static List<Sketch> sketches(PlottedRun run) {
    List<Line> lines = new ArrayList<>();
    Map<Line, String> words = new IdentityHashMap<>();
    for (int i = 0; i < run.databases().size(); i++) {
      PlottedDatabase database = run.databases().get(i);
      Ink ink = run.inks().get(i);
      database
          .latencies()
          .filter(histogram -> histogram.getTotalCount() > 0)
          .ifPresent(
              histogram -> {
                Line line = line(database.tag(), ink, histogram);
                lines.add(line);
                words.put(line, words(database.tag(), histogram));
              });
    }
    LineSketch sketch =
        new LineSketch(
            "Latency by percentile of the requests",
            "ms",
            "percentile of the requests that succeeded",
            new PercentileScale(),
            new LogScale());
    return sketch.of(
        lines,
        "Latency (ms, on a logarithmic axis) of which part of the requests was not slower;"
            + " each nine of the percentile takes the same room.",
        words::get);
  }

  private static String words(String label, Histogram histogram) {
    return Words.ofPercentiles(
        label,
        histogram.getValueAtPercentile(MEDIAN) / NANOS_PER_MS,
        histogram.getValueAtPercentile(P99) / NANOS_PER_MS,
        histogram.getMaxValue() / NANOS_PER_MS);
  }

  /**
   * Returns the line; the slowest of n stands at the percentile of n - 1 of them, as 100 % is
   * infinitely far away.
   */
  private static Line line(String label, Ink ink, Histogram histogram) {
    double last = 1 - 1.0 / histogram.getTotalCount();
    List<double[]> points = new ArrayList<>();
    for (HistogramIterationValue value : histogram.percentiles(POINTS_PER_HALVING)) {
      double part = Math.min(value.getPercentileLevelIteratedTo() / 100, last);
      points.add(new double[] {part, value.getValueIteratedTo() / NANOS_PER_MS});
    }
    return new Line(
        label,
        ink,
        points.stream().mapToDouble(point -> point[0]).toArray(),
        points.stream().mapToDouble(point -> point[1]).toArray());
  }
}
