package io.quorate.report.study;

import io.quorate.VisibleText;
import io.quorate.format.CsvText;
import io.quorate.format.NumberFormats;
import io.quorate.report.compare.RunValues;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.figures.SenSlope;
import io.quorate.report.plot.PlotSection;
import io.quorate.report.plot.RunPlots;
import io.quorate.report.plot.draw.Line;
import io.quorate.report.plot.draw.LinePlotSpec;
import io.quorate.report.plot.draw.LineStyle;
import io.quorate.report.plot.draw.LogScale;
import io.quorate.scenario.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How long writes stop, by the size of the data: a series for each database and each kind of fault
 * or maintenance that was measured with two sizes or more.
 */
record OutagesBySize(List<Series> all) {
  static final String NAME = "OUTAGES-BY-SIZE";

  private static final double MS_PER_SECOND = 1000;
  private static final int DECIMALS = 3;

  /**
   * A series.
   *
   * @param kind the fault or maintenance
   * @param seconds times without writes by gigabytes of data, a value for each run: the median of
   *     its injections
   */
  record Series(String database, String kind, SortedMap<Double, double[]> seconds) {
    String label() {
      return database + ", " + kind;
    }

    double[] sizes() {
      return seconds.keySet().stream().mapToDouble(each -> each).toArray();
    }

    double[] medians() {
      return seconds.values().stream().mapToDouble(RunValues::median).toArray();
    }

    private double[] ends(boolean low) {
      return seconds.values().stream()
          .mapToDouble(sorted -> low ? sorted[0] : sorted[sorted.length - 1])
          .toArray();
    }

    /** Returns the seconds without writes for each gigabyte: the slope of Theil and Sen. */
    double perGigabyte() {
      double[] x = new double[0];
      double[] y = new double[0];
      for (Map.Entry<Double, double[]> size : seconds.entrySet()) {
        int before = x.length;
        x = Arrays.copyOf(x, before + size.getValue().length);
        Arrays.fill(x, before, x.length, size.getKey());
        y = Arrays.copyOf(y, x.length);
        System.arraycopy(size.getValue(), 0, y, before, size.getValue().length);
      }
      return SenSlope.of(x, y).orElseThrow();
    }

    private String sentence() {
      double[] medians = medians();
      return VisibleText.of(
          "%s: %s s without writes per GB of data; %s s with %s, %s s with %s."
              .formatted(
                  label(),
                  NumberFormats.fixed(perGigabyte(), 2),
                  NumberFormats.fixed(medians[0], DECIMALS),
                  size(seconds.firstKey()),
                  NumberFormats.fixed(medians[medians.length - 1], DECIMALS),
                  size(seconds.lastKey())));
    }

    private static String size(double gigabytes) {
      return gigabytes < 1
          ? NumberFormats.fixed(gigabytes * 1000, 0) + " MB"
          : NumberFormats.fixed(gigabytes, 1) + " GB";
    }
  }

  static OutagesBySize of(List<CellResult> cells) {
    Map<String, Series> all = new LinkedHashMap<>();
    for (CellResult cell : cells) {
      double size = cell.facts().map(CellInfo::gigabytes).orElse(0.0);
      if (size > 0) {
        cell.runs().stream()
            .flatMap(run -> run.values().entrySet().stream())
            .filter(value -> value.getKey().metric() == Metric.OUTAGE)
            .forEach(value -> add(all, cell, size, value.getKey(), value.getValue()));
      }
    }
    return new OutagesBySize(
        all.values().stream().filter(series -> series.seconds.size() > 1).toList());
  }

  private static void add(
      Map<String, Series> all, CellResult cell, double size, Row row, double ms) {
    String database =
        cell.coordinates().getOrDefault("database", cell.facts().orElseThrow().store());
    Series fresh = new Series(database, row.group().replaceFirst("^fault ", ""), new TreeMap<>());
    all.computeIfAbsent(fresh.label(), any -> fresh)
        .seconds
        .merge(
            size,
            new double[] {ms / MS_PER_SECOND},
            (some, more) ->
                Stream.of(some, more).flatMapToDouble(Arrays::stream).sorted().toArray());
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  List<String> sentences() {
    return all.stream().map(Series::sentence).toList();
  }

  /** Returns the file {@code OUTAGES-BY-SIZE.csv}: a row for each run of each series. */
  String csv() {
    CsvText csv = new CsvText().row("DATABASE", "FAULT", "DATA-GB", "WRITES-STOPPED-SECONDS");
    for (Series series : all) {
      series.seconds.forEach(
          (size, values) -> {
            for (double seconds : values) {
              csv.row(
                  series.database,
                  series.kind,
                  NumberFormats.shortest(size),
                  NumberFormats.fixed(seconds, DECIMALS));
            }
          });
    }
    return csv.toString();
  }

  /** Returns the plot: a line for each series, with a bar from the least to the greatest run. */
  List<RunPlots.Task> tasks() {
    List<LineStyle> inks = LineStyle.of(all.stream().map(Series::database).toList());
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Series series = all.get(i);
      lines.add(
          new Line(VisibleText.of(series.label()), inks.get(i), series.sizes(), series.medians())
              .withBand(series.ends(true), series.ends(false))
              .withMarks());
    }
    return new LinePlotSpec(
            "Time without an acknowledged write, by size of the data",
            "s",
            "GB of data",
            new LogScale(),
            new LogScale())
        .of(lines, String.join(" ", sentences()), line -> "").stream()
            .map(plot -> new RunPlots.Task(NAME, PlotSection.FAULTS, plot))
            .toList();
  }
}
