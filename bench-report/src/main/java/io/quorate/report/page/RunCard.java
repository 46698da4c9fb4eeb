// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.report.figures.CapacityStatement;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.findings.Headline;
import io.quorate.report.page.Page.RatioGroup;
import io.quorate.report.page.Page.Row;
import io.quorate.report.plot.draw.Card;
import io.quorate.report.plot.draw.LineStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The picture of a run to share: a result of each database, and the most important sentence. */
public final class RunCard {
  private RunCard() {}

  public static Card of(RunFigures run) {
    RunInfo info = new RunInfo(run.run());
    List<RatioGroup> groups = Overview.ofSteps(List.of(new Overview(run))).groups();
    List<RatioGroup> last = groups.subList(Math.max(0, groups.size() - 1), groups.size());
    List<DatabaseFigures> databases = run.databases();
    List<LineStyle> inks =
        LineStyle.of(databases.stream().map(each -> each.run().manifest().store().id()).toList());
    List<Card.Result> results = new ArrayList<>();
    for (int i = 0; i < databases.size(); i++) {
      results.add(new Card.Result(inks.get(i), VisibleText.of(result(databases.get(i), last))));
    }
    List<String> about = new ArrayList<>();
    about.add(info.parameters());
    last.forEach(group -> about.add(group.title()));
    about.addAll(info.machines());
    about.removeIf(String::isBlank);
    List<String> chips = info.chips();
    return new Card(
        VisibleText.of(run.run().title()),
        String.join(" \u00b7 ", about),
        results,
        said(run).orElse(""),
        chips.isEmpty() ? "" : chips.get(0) + " \u00b7 " + chips.get(chips.size() - 1));
  }

  /** Returns the most important sentence of a run or, without one, the results. */
  static String sentence(RunFigures run) {
    List<RatioGroup> groups = Overview.ofSteps(List.of(new Overview(run))).groups();
    List<RatioGroup> last = groups.subList(Math.max(0, groups.size() - 1), groups.size());
    return said(run)
        .orElseGet(
            () ->
                run.databases().stream()
                    .map(each -> VisibleText.of(result(each, last)))
                    .collect(Collectors.joining("; "))
                    .replace(".;", ";"));
  }

  private static Optional<String> said(RunFigures run) {
    boolean told =
        run.databases().stream()
            .anyMatch(each -> each.outages().isPresent() || !each.capacities().isEmpty());
    return run.doNotUse().or(() -> told ? Optional.empty() : Headline.result(run));
  }

  private static String result(DatabaseFigures database, List<RatioGroup> last) {
    if (database.outages().isPresent()) {
      return database.outages().get().card();
    }
    if (!database.capacities().isEmpty()) {
      return database.name()
          + ": "
          + database.capacities().stream()
              .map(CapacityStatement::range)
              .collect(Collectors.joining("; "));
    }
    return last.stream()
        .flatMap(group -> group.rows().stream())
        .filter(row -> row.name().equals(database.name()))
        .map(RunCard::text)
        .findFirst()
        .orElse(database.name() + ": " + database.run().manifest().statusText());
  }

  private static String text(Row row) {
    return "%s  %s  p50 %s  p99 %s"
        .formatted(
            row.name(),
            value(row, OverviewColumn.THROUGHPUT, "/s"),
            value(row, OverviewColumn.P50, " ms"),
            value(row, OverviewColumn.P99, " ms"));
  }

  /** Returns a value with its unit, then its marks. */
  private static String value(Row row, OverviewColumn column, String unit) {
    String[] parts = row.cells().get(column.ordinal()).text().split(" ", 2);
    return parts[0] + unit + (parts.length > 1 ? parts[1].replace(" ", "") : "");
  }
}
