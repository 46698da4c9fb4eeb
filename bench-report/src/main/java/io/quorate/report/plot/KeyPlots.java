package io.quorate.report.plot;

import io.quorate.report.figures.Frame;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.report.plot.draw.Line;
import io.quorate.report.plot.draw.LinePlotSpec;
import io.quorate.report.plot.draw.LinearScale;
import io.quorate.report.plot.draw.PlotSpec;
import io.quorate.report.plot.draw.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Plots over the number of keys written. */
final class KeyPlots {
  private KeyPlots() {}

  /** Plots one column of each database. */
  static List<PlotSpec> column(
      PlotData run,
      Function<DatabaseSeries, Frame> columns,
      String column,
      String title,
      String unit,
      Scale up) {
    return sketch(run, columns, column, column, column, title, unit, up, "");
  }

  /** Plots the mean, in a band from the least to the greatest. */
  static List<PlotSpec> band(
      PlotData run,
      Function<DatabaseSeries, Frame> columns,
      String figure,
      String title,
      String unit,
      Scale up) {
    return sketch(
        run,
        columns,
        "AVG-" + figure,
        "MIN-" + figure,
        "MAX-" + figure,
        title,
        unit,
        up,
        " Lines are means, bands go from the minimum to the maximum.");
  }

  private static List<PlotSpec> sketch(
      PlotData run,
      Function<DatabaseSeries, Frame> columns,
      String middle,
      String low,
      String high,
      String title,
      String unit,
      Scale up,
      String note) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < run.databases().size(); i++) {
      DatabaseSeries database = run.databases().get(i);
      Frame known = columns.apply(database);
      Optional<double[]> values = known.known(middle);
      if (values.isPresent()) {
        Line line =
            new Line(database.tag(), run.inks().get(i), known.numbers("KEYS"), values.get());
        lines.add(
            low.equals(middle) ? line : line.withBand(known.numbers(low), known.numbers(high)));
      }
    }
    LinePlotSpec sketch =
        new LinePlotSpec(title, unit, "cumulative number of keys", new LinearScale(true), up);
    String what = sketch.titleWithUnit() + " by the number of keys written." + note;
    return sketch.of(lines, what);
  }
}
