package io.quorate.report.plot;

import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.report.plot.draw.LineStyle;
import java.util.List;

/**
 * The data of the plots of a run.
 *
 * @param missing those that are not plotted and why, such as {@code consul (failed)}
 */
public record PlotData(
    List<DatabaseSeries> databases, List<String> missing, CapacitySeries capacity) {
  /** Creates the values of a run in which no capacity was searched. */
  public PlotData(List<DatabaseSeries> databases, List<String> missing) {
    this(databases, missing, CapacitySeries.NONE);
  }

  boolean isOpen() {
    return databases.stream()
        .flatMap(database -> database.steps().stream())
        .anyMatch(step -> step.asked().isOpen());
  }

  boolean hasCapacity() {
    return !capacity.curves().isEmpty();
  }

  boolean isWatched() {
    return databases.stream().anyMatch(database -> !database.watches().isEmpty());
  }

  List<LineStyle> inks() {
    return LineStyle.of(databases.stream().map(DatabaseSeries::id).toList());
  }
}
