// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.outage.ExpectedOutage;
import io.quorate.report.figures.outage.OutageSpread;
import io.quorate.report.figures.outage.OutageTime;
import io.quorate.report.figures.outage.Survival;
import io.quorate.report.page.Page.Table;
import io.quorate.scenario.FaultPlan;
import io.quorate.store.server.TimeRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What survived the faults of a run, for clients next to the load: a row for each fault and
 * database.
 */
public record SurvivalTable(RunFigures figures) {
  /** Returns the table; without columns if there were no such clients. */
  public Table table() {
    return Table.of(rows());
  }

  private List<Map<String, String>> rows() {
    List<Map<String, String>> rows = new ArrayList<>();
    for (FaultPlan.Kind kind : kinds()) {
      for (DatabaseFigures each : figures.databases()) {
        each.faults()
            .map(faults -> faults.survived().get(kind))
            .ifPresent(survival -> rows.add(row(each, kind, survival)));
      }
    }
    return rows;
  }

  private List<FaultPlan.Kind> kinds() {
    return figures.databases().stream()
        .flatMap(each -> each.faults().stream())
        .flatMap(each -> each.survived().keySet().stream())
        .distinct()
        .toList();
  }

  private static Map<String, String> row(
      DatabaseFigures database, FaultPlan.Kind kind, Survival survival) {
    Map<String, String> cells = new LinkedHashMap<>();
    cells.put("", kind + ", " + database.name());
    cells.put(
        "sessions alive",
        survival.sessions() == 0
            ? "-"
            : NumberFormats.commas(survival.alive())
                + " of "
                + NumberFormats.commas(survival.sessions()));
    cells.put("ended early", NumberFormats.commas(survival.endedEarly()));
    cells.put("ended late by", late(survival));
    cells.put("expected", expected(database, kind, survival).map(TimeRange::text).orElse("-"));
    cells.put(
        "two lock holders", RecipeTables.holders(survival.holders(), survival.longestHoldersMs()));
    cells.put("events lost", NumberFormats.commas(survival.lost()));
    cells.put("twice", NumberFormats.commas(survival.repeated()));
    cells.put("out of order", NumberFormats.commas(survival.reordered()));
    cells.put(
        "latest event",
        survival.latestMs().isPresent() ? OutageTime.text(survival.latestMs().getAsDouble()) : "-");
    return cells;
  }

  private static Optional<TimeRange> expected(
      DatabaseFigures database, FaultPlan.Kind kind, Survival survival) {
    return survival.ttlMs().isEmpty()
        ? Optional.empty()
        : ExpectedOutage.overshoot(
            database.run().manifest().store(), kind, survival.ttlMs().getAsDouble());
  }

  /** Returns the median, with the least and the greatest time. */
  private static String late(Survival survival) {
    String more = survival.notEnded() == 0 ? "" : survival.notEnded() + " without an end";
    return OutageSpread.of(
            survival.overshootMs().stream().map(ms -> new OutageTime(ms, true)).toList())
        .map(spread -> spread.text() + (more.isEmpty() ? "" : "; " + more))
        .orElse(more.isEmpty() ? "-" : more);
  }

  /** Returns the lines for a console. */
  List<String> lines() {
    return ConsoleText.columns(rows());
  }

  /** Returns sentences about what a store promises and did not keep, and about other findings. */
  List<String> problems() {
    List<String> sentences = new ArrayList<>();
    for (DatabaseFigures database : figures.withFaults()) {
      database
          .faults()
          .get()
          .survivedRun()
          .ifPresent(survival -> add(database.name(), survival, sentences));
    }
    return sentences;
  }

  private static void add(String name, Survival survival, List<String> sentences) {
    if (survival.lost() > 0) {
      sentences.add(
          "%s: watches did not report %s, although the database promises them."
              .formatted(name, NumberFormats.count(survival.lost(), "event")));
    }
    if (survival.repeated() + survival.reordered() > 0) {
      sentences.add(
          "%s: watches reported %s twice, and %s out of order, in the whole run."
              .formatted(
                  name,
                  NumberFormats.count(survival.repeated(), "event"),
                  NumberFormats.commas(survival.reordered())));
    }
    if (survival.endedEarly() > 0) {
      sentences.add(RecipeTables.early(name, survival.endedEarly()));
    }
    if (survival.holders() > 0) {
      sentences.add(
          RecipeTables.twoHolders(name, survival.holders())
              + ", for up to "
              + OutageTime.text(survival.longestHoldersMs().orElse(0))
              + ".");
    }
  }
}
