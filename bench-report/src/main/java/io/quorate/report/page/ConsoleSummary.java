// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.findings.Footnotes;
import io.quorate.report.findings.Headline;
import io.quorate.report.page.Page.Cell;
import io.quorate.report.page.Page.RatioGroup;
import io.quorate.report.page.Page.RatioTable;
import io.quorate.report.page.Page.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * The end of the console output of a run: a line for each database with the values of the page's
 * first table, and the most important result in a sentence.
 */
public final class ConsoleSummary {
  private static final String BEST = " +";

  private ConsoleSummary() {}

  /** Returns the lines, without line ends. */
  public static List<String> lines(RunFigures figures) {
    List<String> lines = new ArrayList<>();
    lines.add(VisibleText.of(figures.run().title()));
    figures.doNotUse().ifPresent(lines::add);
    for (DatabaseFigures each : figures.databases()) {
      each.capacities().forEach(statement -> lines.add(VisibleText.of(statement.headline())));
    }
    RatioTable table = new Overview(figures).table();
    List<RatioGroup> groups = table.groups();
    boolean incomplete =
        !groups.isEmpty() && groups.get(groups.size() - 1).title().equals(Overview.INCOMPLETE);
    groups.stream()
        .skip(Math.max(0, groups.size() - (incomplete ? 2 : 1)))
        .forEach(group -> addTable(table, group, lines));
    figures.databases().stream()
        .filter(each -> !each.isComplete())
        .map(Footnotes::ending)
        .forEach(lines::add);
    lines.addAll(new FaultTables(figures).lines());
    lines.addAll(new SoakTable(figures).lines());
    lines.addAll(new RecipeTables(figures).lines());
    lines.addAll(Footnotes.shards(figures));
    lines.addAll(Footnotes.withoutManifest(figures));
    Headline.result(figures).ifPresent(lines::add);
    return lines;
  }

  private static void addTable(RatioTable table, RatioGroup all, List<String> lines) {
    List<List<String>> texts = new ArrayList<>();
    texts.add(Stream.concat(Stream.of(all.title()), table.columns().stream()).toList());
    for (Row row : all.rows()) {
      Stream<String> cells = row.cells().stream().map(ConsoleSummary::text);
      texts.add(Stream.concat(Stream.of(row.name()), cells).toList());
    }
    texts.forEach(row -> lines.add(aligned(row, texts)));
    List<Cell> cells = all.rows().stream().flatMap(row -> row.cells().stream()).toList();
    if (cells.stream().anyMatch(Cell::best)) {
      lines.add("+ best");
    }
    Arrays.stream(Reservation.values())
        .filter(Reservation::isMarked)
        .filter(each -> cells.stream().anyMatch(cell -> cell.text().contains(each.mark())))
        .forEach(each -> lines.add(each.legend()));
  }

  /** Returns a value with its marks, which follow the first blank. */
  private static String text(Cell cell) {
    return cell.text() + (cell.best() ? BEST : "");
  }

  /**
   * Returns a row whose first cell is aligned to the left. The values of the others are aligned to
   * the right, and their marks to the left.
   */
  private static String aligned(List<String> row, List<List<String>> all) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      int column = i;
      String text = row.get(i);
      if (i == 0) {
        line.append(text)
            .append(" ".repeat(width(all, each -> each.get(0).length()) - text.length()));
        continue;
      }
      boolean head = row == all.get(0);
      String value = head ? text : text.split(" ", 2)[0];
      String marks = text.substring(value.length());
      List<List<String>> rows = all.subList(1, all.size());
      int marksWidth =
          width(
              rows, each -> each.get(column).length() - each.get(column).split(" ", 2)[0].length());
      int valueWidth =
          Math.max(
              width(rows, each -> each.get(column).split(" ", 2)[0].length()),
              all.get(0).get(column).length() - marksWidth);
      int padding = (head ? valueWidth + marksWidth : valueWidth) - value.length();
      line.append("   ").append(" ".repeat(padding)).append(value);
      line.append(marks).append(" ".repeat(head ? 0 : marksWidth - marks.length()));
    }
    return line.toString().stripTrailing();
  }

  private static int width(List<List<String>> rows, ToIntFunction<List<String>> of) {
    return rows.stream().mapToInt(of).max().orElse(0);
  }
}
