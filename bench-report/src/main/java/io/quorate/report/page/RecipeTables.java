// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.ExpirationFigures;
import io.quorate.report.figures.LockFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.outage.OutageTime;
import io.quorate.report.page.Page.Table;
import io.quorate.store.server.TimeRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** What the page and the console say about locks, elections and abandoned sessions. */
public record RecipeTables(RunFigures figures) {
  private static final double MEDIAN = 0.5;
  private static final double P99 = 0.99;

  /** Returns the locks, a row for each database and step; without columns if there were none. */
  public Table locks() {
    return Table.of(withoutEmptyColumns(lockRows()));
  }

  private List<Map<String, String>> lockRows() {
    List<Map<String, String>> rows = new ArrayList<>();
    for (DatabaseFigures database : figures.databases()) {
      for (LockFigures locks : database.locks()) {
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("", database.name() + ", " + locks.step().loadText());
        cells.put("locks held", NumberFormats.commas(locks.holds()));
        cells.put("wait p50", OutageTime.at(locks.waitMs(), MEDIAN));
        cells.put("wait p99", OutageTime.at(locks.waitMs(), P99));
        cells.put("longest wait", OutageTime.at(locks.waitMs(), 1));
        cells.put("hand-over p50", OutageTime.at(locks.handOverMs(), MEDIAN));
        cells.put("hand-over p99", OutageTime.at(locks.handOverMs(), P99));
        cells.put("after a crash p50", OutageTime.at(locks.afterCrashMs(), MEDIAN));
        cells.put(
            "requests each",
            locks.requests().isPresent()
                ? NumberFormats.fixed(locks.requests().getAsDouble(), 1)
                : "-");
        cells.put("fairness", NumberFormats.fixed(locks.fairness(), 2));
        cells.put("overtaken", NumberFormats.commas(locks.overtaken()));
        cells.put("two holders", holders(locks.holders(), locks.longestHoldersMs()));
        rows.add(cells);
      }
    }
    return rows;
  }

  /** Returns how often two clients held a lock, and for how long. */
  static String holders(long times, OptionalDouble longestMs) {
    return times == 0
        ? "0"
        : NumberFormats.commas(times) + ", for up to " + OutageTime.text(longestMs.orElse(0));
  }

  /** Returns the abandoned sessions, a row for each database and step. */
  public Table sessions() {
    return Table.of(withoutEmptyColumns(sessionRows()));
  }

  private List<Map<String, String>> sessionRows() {
    List<Map<String, String>> rows = new ArrayList<>();
    for (DatabaseFigures database : figures.databases()) {
      for (ExpirationFigures sessions : database.expirations()) {
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("", database.name() + ", " + sessions.step().loadText());
        cells.put("sessions", NumberFormats.commas(sessions.sessions()));
        cells.put("TTL", OutageTime.text(sessions.ttlMs()));
        cells.put("ended late by, p50", OutageTime.at(sessions.overshootMs(), MEDIAN));
        cells.put("p99", OutageTime.at(sessions.overshootMs(), P99));
        cells.put("longest", OutageTime.at(sessions.overshootMs(), 1));
        cells.put("expected", sessions.expected().map(TimeRange::text).orElse("-"));
        cells.put("ended early", NumberFormats.commas(sessions.early()));
        cells.put("end not seen", NumberFormats.commas(sessions.notSeen()));
        cells.put(
            "ends per second",
            sessions.perSecond().isPresent()
                ? NumberFormats.rate(sessions.perSecond().getAsDouble())
                : "-");
        rows.add(cells);
      }
    }
    return rows;
  }

  private static List<Map<String, String>> withoutEmptyColumns(List<Map<String, String>> rows) {
    Set<String> used =
        rows.stream()
            .flatMap(row -> row.entrySet().stream())
            .filter(each -> !each.getValue().equals("-"))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    rows.forEach(row -> row.keySet().retainAll(used));
    return rows;
  }

  /** Returns the lines for a console. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.addAll(ConsoleText.columns(withoutEmptyColumns(lockRows())));
    lines.addAll(ConsoleText.columns(withoutEmptyColumns(sessionRows())));
    lines.addAll(problems());
    return lines;
  }

  /** Returns sentences about what locks and sessions promise and did not keep. */
  public List<String> problems() {
    List<String> sentences = new ArrayList<>();
    for (DatabaseFigures database : figures.databases()) {
      long holders = database.locks().stream().mapToLong(LockFigures::holders).sum();
      if (holders > 0) {
        sentences.add(twoHolders(database.name(), holders) + ".");
      }
      long early = database.expirations().stream().mapToLong(ExpirationFigures::early).sum();
      if (early > 0) {
        sentences.add(early(database.name(), early));
      }
    }
    return sentences;
  }

  /** Returns a sentence without a full stop. */
  static String twoHolders(String name, long times) {
    return "%s: two clients believed %s that they held the same lock"
        .formatted(name, NumberFormats.count(times, "time"));
  }

  static String early(String name, long sessions) {
    return "%s: the database ended %s within the TTL after an acknowledged keep-alive."
        .formatted(name, NumberFormats.count(sessions, "session"));
  }
}
