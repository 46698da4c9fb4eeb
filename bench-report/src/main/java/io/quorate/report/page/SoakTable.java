// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.SoakTrend;
import java.util.List;

/** The section of a page about what grew during a long run; without rows for other runs. */
public record SoakTable(RunFigures figures) {
  /** A row. */
  public record Row(String database, SoakTrend trend) {}

  public List<Row> rows() {
    return figures.databases().stream()
        .flatMap(database -> database.soak().stream().map(trend -> new Row(database.name(), trend)))
        .toList();
  }

  /** Returns the lines for a console: what grew, or that nothing did. */
  public List<String> lines() {
    List<String> grown =
        rows().stream()
            .filter(row -> row.trend.grows())
            .map(row -> "%s: %s %s".formatted(row.database, row.trend.title(), row.trend.verdict()))
            .toList();
    return grown.isEmpty() && !rows().isEmpty()
        ? List.of("Growth: none found in %d metrics.".formatted(rows().size()))
        : grown;
  }
}
