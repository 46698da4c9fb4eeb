// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.report.doctor.Diagnosis;
import io.quorate.report.figures.outage.FaultFigures;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.report.plot.draw.LineStyle;
import java.util.List;
import java.util.Map;

/**
 * The data of the plots of a run.
 *
 * @param missing databases that are not plotted, with the reason, such as {@code consul (failed)}
 * @param faults faults of each database that had some, by its id
 * @param diagnoses diagnosis of each database that has one, by its id
 */
public record PlotData(
    List<DatabaseSeries> databases,
    List<String> missing,
    CapacitySeries capacity,
    Map<String, FaultFigures> faults,
    Map<String, Diagnosis> diagnoses) {
  /** Creates the data of a run without a capacity search. */
  public PlotData(List<DatabaseSeries> databases, List<String> missing) {
    this(databases, missing, CapacitySeries.NONE, Map.of(), Map.of());
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
