// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.VisibleText;
import io.quorate.format.CsvText;
import io.quorate.format.NumberFormats;
import io.quorate.report.judge.Sample;
import io.quorate.report.plot.PlotSection;
import io.quorate.report.plot.RunPlots;
import io.quorate.report.plot.draw.Line;
import io.quorate.report.plot.draw.LinePlotSpec;
import io.quorate.report.plot.draw.LineStyle;
import io.quorate.report.plot.draw.LogScale;
import io.quorate.report.study.RepeatFigures.Outages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How long writes stop, by the size of the data: a series for each database and each kind of fault
 * or maintenance that was measured with two sizes or more.
 */
record OutagesBySize(List<Series> all) {
  static final String CSV = "OUTAGES-BY-SIZE.csv";

  /** Axes that may change the size of the data. */
  private static final Set<String> SIZE_AXES = Set.of("variant", "values");

  private static final double MS_PER_SECOND = 1000;
  private static final double MB_PER_GB = 1000;
  private static final int DECIMALS = 3;

  /** Whose writes stop. Maintenance of a member may stop only the clients of this member. */
  enum Clients {
    WORST_CLIENT("writes of the worst client stopped", Outages::worstClientMs),
    OUTAGES("writes of all clients stopped", Outages::anyClientMs);

    private final String title;
    private final ToDoubleFunction<Outages> ms;

    Clients(String title, ToDoubleFunction<Outages> ms) {
      this.title = title;
      this.ms = ms;
    }

    /** Returns the name of the files of its plot, without their endings. */
    String plot() {
      return name().replace('_', '-') + "-BY-SIZE";
    }
  }

  /** The outages of a run, in which the data had a size in gigabytes. */
  record Point(double gigabytes, Outages outages) {
    double seconds(Clients of) {
      return of.ms.applyAsDouble(outages) / MS_PER_SECOND;
    }
  }

  /**
   * A series.
   *
   * @param kind the fault or maintenance
   * @param points a point for each run
   */
  record Series(String database, String kind, List<Point> points) {
    private String label() {
      return database + ", " + kind;
    }

    /** Returns the sorted seconds of all runs by size. */
    private TreeMap<Double, double[]> bySize(Clients of) {
      TreeMap<Double, double[]> seconds = new TreeMap<>();
      for (Point point : points) {
        seconds.merge(
            point.gigabytes,
            new double[] {point.seconds(of)},
            (some, more) ->
                Stream.of(some, more).flatMapToDouble(Arrays::stream).sorted().toArray());
      }
      return seconds;
    }

    private double[] sizes() {
      return points.stream().mapToDouble(Point::gigabytes).toArray();
    }

    /** Returns the seconds without writes for each gigabyte: the slope of Theil and Sen. */
    private double perGigabyte(Clients of) {
      double[] seconds = points.stream().mapToDouble(point -> point.seconds(of)).toArray();
      return slope(sizes(), seconds).orElseThrow();
    }

    private String sentence(Clients of) {
      TreeMap<Double, double[]> seconds = bySize(of);
      double slope = perGigabyte(of);
      String growth =
          slope > 0
              ? "for %s s per GB of data".formatted(NumberFormats.fixed(slope, 2))
              : "no longer with more data";
      return VisibleText.of(
          "%s: %s %s (%s s with %s, %s s with %s)."
              .formatted(
                  label(),
                  of.title,
                  growth,
                  median(seconds.firstEntry().getValue()),
                  size(seconds.firstKey()),
                  median(seconds.lastEntry().getValue()),
                  size(seconds.lastKey())));
    }

    private static String median(double[] sorted) {
      return NumberFormats.fixed(Sample.median(sorted), DECIMALS);
    }

    static String size(double gigabytes) {
      return gigabytes < 1
          ? NumberFormats.fixed(gigabytes * MB_PER_GB, 0) + " MB"
          : NumberFormats.fixed(gigabytes, 1) + " GB";
    }

    /** Returns a line through the medians, with a bar from the least to the greatest run. */
    private Line line(Clients of, LineStyle ink) {
      TreeMap<Double, double[]> seconds = bySize(of);
      double[] x = seconds.keySet().stream().mapToDouble(each -> each).toArray();
      return new Line(VisibleText.of(label()), ink, x, values(seconds, Sample::median))
          .withBand(
              values(seconds, sorted -> sorted[0]),
              values(seconds, sorted -> sorted[sorted.length - 1]))
          .withMarks();
    }

    private static double[] values(
        TreeMap<Double, double[]> seconds, ToDoubleFunction<double[]> value) {
      return seconds.values().stream().mapToDouble(value).toArray();
    }
  }

  /**
   * Returns the median of the slopes of all pairs of points: unlike least squares, a few outliers
   * do not change it. Empty if all points have the same x.
   */
  static OptionalDouble slope(double[] x, double[] y) {
    double[] slopes = slopes(x, y);
    return slopes.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(Sample.median(slopes));
  }

  /** Returns the slopes of all pairs of points with different x, ascending. */
  static double[] slopes(double[] x, double[] y) {
    return IntStream.range(0, x.length)
        .boxed()
        .flatMapToDouble(
            i ->
                IntStream.range(0, i)
                    .filter(j -> x[i] != x[j])
                    .mapToDouble(j -> (y[i] - y[j]) / (x[i] - x[j])))
        .sorted()
        .toArray();
  }

  static OutagesBySize of(List<CellResult> cells) {
    Map<String, Series> all = new LinkedHashMap<>();
    for (CellResult cell : cells) {
      double size = cell.facts().map(CellInfo::gigabytes).orElse(0.0);
      if (size > 0) {
        String database = name(cell);
        cell.runs().stream()
            .flatMap(run -> run.outages().stream())
            .forEach(
                outages -> {
                  Series fresh = new Series(database, outages.kind(), new ArrayList<>());
                  all.computeIfAbsent(fresh.label(), any -> fresh)
                      .points
                      .add(new Point(size, outages));
                });
      }
    }
    return new OutagesBySize(
        all.values().stream()
            .filter(series -> Arrays.stream(series.sizes()).distinct().count() > 1)
            .toList());
  }

  /**
   * Returns the database, the values of all axes that do not change the size of the data, and the
   * size of a value: a series has one, as large values cost less than many small ones.
   */
  static String name(CellResult cell) {
    CellInfo facts = cell.facts().orElseThrow();
    return name(facts.store(), facts.valueBytes(), cell.coordinates());
  }

  static String name(String store, int valueBytes, Map<String, String> coordinates) {
    Map<String, String> others = new LinkedHashMap<>();
    others.put("database", store);
    others.putAll(others(coordinates));
    return "%s, values of %s B"
        .formatted(String.join(", ", others.values()), NumberFormats.commas(valueBytes));
  }

  /** Returns the values of the axes that do not change the size of the data. */
  static Map<String, String> others(Map<String, String> coordinates) {
    Map<String, String> others = new LinkedHashMap<>(coordinates);
    others.keySet().removeAll(SIZE_AXES);
    return others;
  }

  /** Returns the values of the axes that may change the size of the data. */
  static String sizes(Map<String, String> coordinates) {
    Map<String, String> sizes = new LinkedHashMap<>(coordinates);
    sizes.keySet().retainAll(SIZE_AXES);
    return String.join(", ", sizes.values());
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  List<String> sentences() {
    return all.stream()
        .flatMap(series -> Arrays.stream(Clients.values()).map(series::sentence))
        .toList();
  }

  /** Returns the file {@value #CSV}: a row for each run of each series. */
  String csv() {
    CsvText csv =
        new CsvText()
            .row("DATABASE", "FAULT", "DATA-GB", "WRITES-STOPPED-SECONDS", "WORST-CLIENT-SECONDS");
    for (Series series : all) {
      for (Point point : series.points) {
        csv.row(
            series.database,
            series.kind,
            NumberFormats.shortest(point.gigabytes),
            NumberFormats.fixed(point.seconds(Clients.OUTAGES), DECIMALS),
            NumberFormats.fixed(point.seconds(Clients.WORST_CLIENT), DECIMALS));
      }
    }
    return csv.toString();
  }

  /** Returns the plots, with a line for each series. */
  List<RunPlots.Task> tasks() {
    return Arrays.stream(Clients.values()).flatMap(of -> tasks(of).stream()).toList();
  }

  private List<RunPlots.Task> tasks(Clients of) {
    List<LineStyle> inks =
        LineStyle.of(all.stream().map(each -> each.database.replaceFirst(", .*", "")).toList());
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      lines.add(all.get(i).line(of, inks.get(i)));
    }
    String sentences = String.join(" ", all.stream().map(series -> series.sentence(of)).toList());
    return new LinePlotSpec(
            "How long " + of.title + ", by size of the data",
            "s",
            "GB of data",
            new LogScale(),
            new LogScale())
        .of(lines, sentences, line -> "").stream()
            .map(plot -> new RunPlots.Task(of.plot(), PlotSection.FAULTS, plot))
            .toList();
  }
}
