// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.SoakTrend;
import java.util.List;

/** The section of a page about what grew during a long run; without rows for other runs. */
public record SoakTable(RunFigures figures) {
  /** A row. */
  public record Row(
      String database,
      String title,
      String median,
      String perHour,
      String interval,
      String verdict,
      boolean grows) {
    private static Row of(String database, SoakTrend trend) {
      return new Row(
          database,
          trend.title(),
          trend.median(),
          trend.perHour(),
          trend.interval(),
          trend.verdict(),
          trend.grows());
    }
  }

  public List<Row> rows() {
    return figures.databases().stream()
        .flatMap(database -> database.soak().stream().map(trend -> Row.of(database.name(), trend)))
        .toList();
  }

  /** Returns the lines for a console: what grew, or that nothing did. */
  public List<String> lines() {
    List<String> grown =
        rows().stream()
            .filter(Row::grows)
            .map(row -> "%s: %s %s".formatted(row.database, row.title, row.verdict))
            .toList();
    return grown.isEmpty() && !rows().isEmpty()
        ? List.of("Growth: none found in %d metrics.".formatted(rows().size()))
        : grown;
  }
}
