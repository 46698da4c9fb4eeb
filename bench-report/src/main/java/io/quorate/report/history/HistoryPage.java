// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.history.RunSeries.LevelChange;
import io.quorate.report.page.Page;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The content of the page of a history, in its order. All texts are plain: the template escapes
 * them.
 *
 * @param counts numbers of series by their newest change
 * @param events changes, the newest first
 * @param notes sentences about what is left out or not yet reliable
 * @param command command that writes the page again
 */
public record HistoryPage(
    String title,
    String counts,
    String extent,
    boolean hasScenarios,
    List<Event> events,
    List<String> notes,
    List<Page.DrawnPlot> plots,
    Page.Scripts scripts,
    String command) {
  private static final int MAX_ROWS = 300;
  private static final int MAX_TEXT = 120;

  /**
   * The changes of a database at one run.
   *
   * @param since start and build of the first run with the new levels
   * @param commits commits among which the reason is; empty if they are unknown
   * @param others what else changed at that run
   */
  public record Event(
      String since,
      String commits,
      String scenario,
      String database,
      List<ChangeRow> rows,
      List<String> others) {
    static Event of(List<LevelChange> changes) {
      LevelChange first = changes.get(0);
      return new Event(
          HistoryPlots.time(first.to().start())
              + first.to().build().map(id -> ", build " + shown(id)).orElse(""),
          first
              .commits()
              .or(() -> first.to().commit().map(RunSeries::shortened))
              .map(HistoryPage::shown)
              .orElse(""),
          shown(first.series().scenario()),
          shown(first.series().name()),
          changes.stream().map(ChangeRow::of).toList(),
          first.others().stream().map(HistoryPage::shown).toList());
    }
  }

  /**
   * A change of the level of a series.
   *
   * @param verdict direction in words
   * @param note restriction of the verdict; may be empty
   * @param state good or bad
   */
  public record ChangeRow(
      String metric,
      String where,
      String before,
      String after,
      String change,
      String verdict,
      String note,
      String state) {
    static ChangeRow of(LevelChange change) {
      return new ChangeRow(
          change.series().metric().title(),
          shown(change.series().row().group()),
          change.before(),
          change.after(),
          change.size(),
          change.word(),
          change.note(),
          change.isBetter() ? "good" : "bad");
    }
  }

  private static String shown(String text) {
    return VisibleText.of(text, MAX_TEXT);
  }

  static HistoryPage of(
      RunHistory history, HistoryPlots.Drawn drawn, List<String> notes, String command) {
    List<LevelChange> changes = history.changes();
    List<String> all = new ArrayList<>(notes);
    if (changes.size() > MAX_ROWS) {
      all.add(
          "The table shows the newest %d of %s."
              .formatted(MAX_ROWS, NumberFormats.count(changes.size(), "change")));
    }
    if (drawn.left() > 0) {
      all.add(
          "%s left out. Select others with --metric or --database."
              .formatted(NumberFormats.count(drawn.left(), "plot")));
    }
    if (!drawn.zero().isEmpty()) {
      all.add("Without a plot, as all values are 0: " + String.join(", ", drawn.zero()) + ".");
    }
    drawn.plots().unable().ifPresent(all::add);
    List<Page.DrawnPlot> plots = Page.DrawnPlot.withoutFiles(drawn.plots());
    List<String> scenarios =
        history.entries().stream().map(HistoryEntry::scenario).distinct().toList();
    return new HistoryPage(
        "History: "
            + scenarios.stream().limit(3).map(HistoryPage::shown).collect(Collectors.joining(", ")),
        history.counts(),
        "%s, %s from %s to %s UTC"
            .formatted(
                NumberFormats.commas(history.series().size()) + " series",
                NumberFormats.count(history.runs(), "run"),
                HistoryPlots.time(history.entries().get(0).start()),
                HistoryPlots.time(history.entries().get(history.entries().size() - 1).start())),
        scenarios.size() > 1,
        events(changes.stream().limit(MAX_ROWS).toList()),
        all,
        plots,
        Page.Scripts.of(plots),
        command);
  }

  private static List<Event> events(List<LevelChange> changes) {
    Map<List<Object>, List<LevelChange>> events = new LinkedHashMap<>();
    for (LevelChange each : changes) {
      events
          .computeIfAbsent(
              List.of(each.to().identity(), each.from().identity(), each.series().name()),
              any -> new ArrayList<>())
          .add(each);
    }
    return events.values().stream().map(Event::of).toList();
  }
}
