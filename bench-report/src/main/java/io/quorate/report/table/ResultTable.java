// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.table;

import io.quorate.VisibleText;
import io.quorate.format.CsvText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.TotalFigures;
import io.quorate.results.requests.ClientResults;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The result table: a column for each database, a row for each value. A row without any value is
 * left out, unless a note explains it; single missing values are shown as {@code -}.
 *
 * @param results results in the order of the columns
 */
public record ResultTable(List<TotalFigures> results, RowLabels labels) {
  private static final String MISSING = "-";

  /** Returns the table as text; empty without databases. */
  public String table() {
    return results.isEmpty() ? "" : AsciiTable.text(header(), labelled(textRows()));
  }

  /** Returns the sentences that explain the marks of values. */
  public List<String> legends() {
    return Reservation.legends(
        Stream.of(SummaryRow.values())
            .filter(SummaryRow::isInText)
            .flatMap(row -> results.stream().flatMap(result -> row.marked(result).stream()))
            .toList());
  }

  /** Returns the table as text, and below it the errors of each database with errors. */
  public String text() {
    StringBuilder text = new StringBuilder(table());
    String gap = "\n\n";
    for (TotalFigures result : results) {
      if (result.errorCount() > 0) {
        text.append(gap).append(errors(result));
        gap = "\n";
      }
    }
    return text.toString();
  }

  /** Returns the table as CSV, with additional rows. A cell without a value is empty. */
  public String csv() {
    CsvText csv = new CsvText().row(header().toArray(String[]::new));
    for (List<String> row : labelled(rows(row -> true, "", SummaryRow::cell))) {
      csv.row(row.toArray(String[]::new));
    }
    return csv.toString();
  }

  public Map<SummaryRow, List<String>> textRows() {
    return rows(SummaryRow::isInText, MISSING, SummaryRow::shown);
  }

  private List<String> header() {
    return Stream.concat(Stream.of(""), results.stream().map(it -> VisibleText.of(it.tag())))
        .toList();
  }

  private Map<SummaryRow, List<String>> rows(
      Predicate<SummaryRow> which,
      String missing,
      BiFunction<SummaryRow, TotalFigures, Optional<String>> cell) {
    Map<SummaryRow, List<String>> rows = new EnumMap<>(SummaryRow.class);
    for (SummaryRow row : SummaryRow.values()) {
      if (which.test(row) && results.stream().anyMatch(row::isShownFor)) {
        rows.put(
            row, results.stream().map(result -> cell.apply(row, result).orElse(missing)).toList());
      }
    }
    return rows;
  }

  private List<List<String>> labelled(Map<SummaryRow, List<String>> rows) {
    return rows.entrySet().stream()
        .map(
            row ->
                Stream.concat(Stream.of(row.getKey().label(labels)), row.getValue().stream())
                    .toList())
        .toList();
  }

  public static String errors(TotalFigures result) {
    StringBuilder text = new StringBuilder(VisibleText.of(result.id())).append(" errors:\n");
    for (ClientResults.ErrorCount error : result.errors().orElse(List.of())) {
      text.append(
          "%s (count %s)\n"
              .formatted(
                  VisibleText.of(error.quotedMessage()), NumberFormats.commas(error.count())));
    }
    return text.toString();
  }

  /**
   * Draws a table of text as the reference does: a centered header between borders, and all other
   * cells right-aligned. Cells longer than 30 characters are wrapped at blanks.
   */
  public static final class AsciiTable {
    private static final int WRAP_AT = 30;

    /** The cost of a line that is longer than the limit. */
    private static final long TOO_LONG = 100_000;

    /** Text that the reference adds below a cell with fewer lines than its neighbor. */
    private static final String NO_LINE = "  ";

    private final List<Integer> widths = new ArrayList<>();
    private final List<List<List<String>>> rows = new ArrayList<>();

    private AsciiTable() {}

    /**
     * Returns the text of a table, with LF after every line.
     *
     * @param rows rows; a row with fewer cells is drawn shorter
     */
    public static String text(List<String> header, List<List<String>> rows) {
      AsciiTable table = new AsciiTable();
      table.add(header);
      rows.forEach(table::add);
      return table.draw();
    }

    /**
     * Returns the width in characters; correct for scripts whose characters are one column wide.
     */
    static int width(String text) {
      return text.codePointCount(0, text.length());
    }

    private void add(List<String> cells) {
      List<List<String>> row = new ArrayList<>();
      for (int column = 0; column < cells.size(); column++) {
        row.add(lines(column, cells.get(column)));
      }
      rows.add(row);
    }

    /** Wraps a cell to the current width of its column, and widens the column if necessary. */
    private List<String> lines(int column, String cell) {
      if (column == widths.size()) {
        widths.add(0);
      }
      widths.set(column, Math.max(widths.get(column), Math.min(WRAP_AT, width(cell))));
      List<String> lines = wrapped(cell, widths.get(column));
      for (String line : lines) {
        widths.set(column, Math.max(widths.get(column), width(line)));
      }
      return lines;
    }

    private String draw() {
      StringBuilder text = new StringBuilder();
      border(text);
      for (int row = 0; row < rows.size(); row++) {
        row(text, rows.get(row), row == 0);
        if (row == 0) {
          border(text);
        }
      }
      border(text);
      return text.toString();
    }

    private void border(StringBuilder text) {
      for (int width : widths) {
        text.append('+').append("-".repeat(width + 2));
      }
      text.append("+\n");
    }

    private void row(StringBuilder text, List<List<String>> cells, boolean header) {
      int height = cells.stream().mapToInt(List::size).max().orElse(0);
      for (int line = 0; line < height; line++) {
        for (int column = 0; column < cells.size(); column++) {
          List<String> lines = cells.get(column);
          String missing = header ? "" : NO_LINE;
          String cell = line < lines.size() ? lines.get(line) : missing;
          int gap = Math.max(0, widths.get(column) - width(cell));
          int left = header ? gap / 2 : gap;
          text.append("| ")
              .append(" ".repeat(left))
              .append(cell)
              .append(" ".repeat(gap - left + 1));
        }
        text.append("|\n");
      }
    }

    /**
     * Breaks text at blanks into lines that are as even as possible: the sum of the squares of the
     * free spaces at their ends is minimal, without the last line. A word is never broken.
     *
     * @param limit length limit of a line; a longer word raises it
     */
    static List<String> wrapped(String text, int limit) {
      List<String> words = List.of(text.replace('\n', ' ').split(" ", -1));
      int longest = words.stream().mapToInt(AsciiTable::width).max().orElse(0);
      int most = Math.max(limit, longest);
      int[] ends = new int[words.size()];
      long[] costs = new long[words.size()];
      for (int first = words.size() - 1; first >= 0; first--) {
        costs[first] = Long.MAX_VALUE;
        if (width(line(words, first, words.size())) <= most) {
          costs[first] = 0;
          ends[first] = words.size();
          continue;
        }
        for (int end = first + 1; end < words.size(); end++) {
          long free = (long) most - width(line(words, first, end));
          long cost = free * free + costs[end] + (free < 0 ? TOO_LONG : 0);
          if (cost < costs[first]) {
            costs[first] = cost;
            ends[first] = end;
          }
        }
      }
      List<String> lines = new ArrayList<>();
      for (int first = 0; first < words.size(); first = ends[first]) {
        lines.add(line(words, first, ends[first]));
      }
      return lines;
    }

    private static String line(List<String> words, int first, int end) {
      return String.join(" ", words.subList(first, end));
    }
  }
}
