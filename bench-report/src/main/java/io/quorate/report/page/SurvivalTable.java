// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.outage.ExpectedOutage;
import io.quorate.report.figures.outage.OutageTime;
import io.quorate.report.figures.outage.Survival;
import io.quorate.report.judge.Sample;
import io.quorate.scenario.FaultPlan;
import io.quorate.store.server.TimeRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What survived the faults of a run, for clients next to the load: a row for each fault and
 * database.
 */
public record SurvivalTable(RunFigures figures) {
  private static final List<String> COLUMNS =
      List.of(
          "",
          "sessions alive",
          "ended early",
          "ended late by",
          "expected",
          "two lock holders",
          "events lost",
          "twice",
          "out of order",
          "latest event");

  /**
   * A row.
   *
   * @param cells fault and database, then the values of the other columns
   */
  public record Row(List<String> cells) {}

  public List<String> columns() {
    return COLUMNS;
  }

  /** Returns all rows; none without such clients. */
  public List<Row> rows() {
    List<Row> rows = new ArrayList<>();
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

  private static Row row(DatabaseFigures database, FaultPlan.Kind kind, Survival survival) {
    return new Row(
        List.of(
            kind + ", " + database.name(),
            survival.sessions() == 0
                ? "-"
                : NumberFormats.commas(survival.alive())
                    + " of "
                    + NumberFormats.commas(survival.sessions()),
            NumberFormats.commas(survival.endedEarly()),
            late(survival),
            expected(database, kind, survival).map(TimeRange::text).orElse("-"),
            holders(survival),
            NumberFormats.commas(survival.lost()),
            NumberFormats.commas(survival.repeated()),
            NumberFormats.commas(survival.reordered()),
            survival.latestMs().isPresent()
                ? OutageTime.text(survival.latestMs().getAsDouble())
                : "-"));
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
    List<Double> times = survival.overshootMs();
    if (times.isEmpty()) {
      return "-";
    }
    double median = Sample.median(times.stream().mapToDouble(Double::doubleValue).toArray());
    String spread =
        "%s (%s to %s)"
            .formatted(time(median), time(times.get(0)), time(times.get(times.size() - 1)));
    return survival.notEnded() == 0
        ? spread
        : spread + "; " + survival.notEnded() + " without an end";
  }

  /** Returns a time, with a minus if a session ended before its TTL. */
  private static String time(double ms) {
    return ms < 0 ? "-" + OutageTime.text(-ms) : OutageTime.text(ms);
  }

  private static String holders(Survival survival) {
    return survival.holders() == 0
        ? "0"
        : "%s, for up to %s"
            .formatted(
                NumberFormats.commas(survival.holders()),
                time(survival.longestHoldersMs().orElse(0)));
  }

  /** Returns the lines for a console. */
  List<String> lines() {
    return ConsoleText.columns(
        rows().stream()
            .map(Row::cells)
            .map(
                cells -> {
                  Map<String, String> column = new LinkedHashMap<>();
                  IntStream.range(0, COLUMNS.size())
                      .forEach(i -> column.put(COLUMNS.get(i), cells.get(i)));
                  return column;
                })
            .toList());
  }

  /** Returns sentences about what a store promises and did not keep, and about other findings. */
  List<String> problems() {
    List<String> sentences = new ArrayList<>();
    for (DatabaseFigures database : figures.databases()) {
      database
          .faults()
          .flatMap(each -> each.survivedRun())
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
      sentences.add(
          "%s: the database ended %s within the TTL after an acknowledged keep-alive."
              .formatted(name, NumberFormats.count(survival.endedEarly(), "session")));
    }
    if (survival.holders() > 0) {
      sentences.add(
          "%s: two clients believed %s that they held the same lock, for up to %s."
              .formatted(
                  name,
                  NumberFormats.count(survival.holders(), "time"),
                  time(survival.longestHoldersMs().orElse(0))));
    }
  }
}
