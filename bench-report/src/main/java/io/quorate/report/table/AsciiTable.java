package io.quorate.report.table;

import java.util.ArrayList;
import java.util.List;

/**
 * Draws a table of text as the reference does: a centred header between borders, every other cell
 * to the right. Cells longer than 30 characters are wrapped at blanks.
 */
final class AsciiTable {
  private static final int WRAP_AT = 30;

  /** Text that the reference puts under a cell that has fewer lines than its neighbour. */
  private static final String NO_LINE = "  ";

  private final List<Integer> widths = new ArrayList<>();
  private final List<List<List<String>>> rows = new ArrayList<>();

  private AsciiTable() {}

  /**
   * Returns the text of a table, LF after every line.
   *
   * @param header one cell for each column
   * @param rows a row may have fewer cells; it is then drawn short
   */
  static String text(List<String> header, List<List<String>> rows) {
    AsciiTable table = new AsciiTable();
    table.add(header);
    rows.forEach(table::add);
    return table.draw();
  }

  /** Returns the width in characters; correct for scripts whose characters are one column wide. */
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

  /** Wraps a cell to the width that its column has so far, and widens the column if needed. */
  private List<String> lines(int column, String cell) {
    if (column == widths.size()) {
      widths.add(0);
    }
    widths.set(column, Math.max(widths.get(column), Math.min(WRAP_AT, width(cell))));
    List<String> lines = WordWrap.lines(cell, widths.get(column));
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
        text.append("| ").append(" ".repeat(left)).append(cell).append(" ".repeat(gap - left + 1));
      }
      text.append("|\n");
    }
  }

  /**
   * Breaks text at blanks so that the lines are as even as possible: the sum of the squares of what
   * is left free at their ends is the least, not counting the last line. A word is never broken.
   */
  static final class WordWrap {
    private static final long TOO_LONG = 100_000;

    private final String[] words;
    private final int limit;

    private WordWrap(String text, int limit) {
      this.words = text.replace('\n', ' ').split(" ", -1);
      int longest = 0;
      for (String word : words) {
        longest = Math.max(longest, AsciiTable.width(word));
      }
      this.limit = Math.max(limit, longest);
    }

    /** Returns the lines of the text, no longer than the limit or than its longest word. */
    static List<String> lines(String text, int limit) {
      return new WordWrap(text, limit).lines();
    }

    private List<String> lines() {
      int[] ends = ends();
      List<String> lines = new ArrayList<>();
      for (int first = 0; first < words.length; first = ends[first]) {
        lines.add(line(first, ends[first]));
      }
      return lines;
    }

    /**
     * Returns, for every word that could begin a line, the word that then best begins the next one.
     */
    private int[] ends() {
      int[] ends = new int[words.length];
      long[] costs = new long[words.length];
      for (int first = words.length - 1; first >= 0; first--) {
        costs[first] = Long.MAX_VALUE;
        if (length(first, words.length) <= limit) {
          costs[first] = 0;
          ends[first] = words.length;
          continue;
        }
        for (int end = first + 1; end < words.length; end++) {
          long free = limit - length(first, end);
          long cost = free * free + costs[end] + (free < 0 ? TOO_LONG : 0);
          if (cost < costs[first]) {
            costs[first] = cost;
            ends[first] = end;
          }
        }
      }
      return ends;
    }

    private int length(int first, int end) {
      return AsciiTable.width(line(first, end));
    }

    private String line(int first, int end) {
      return String.join(" ", List.of(words).subList(first, end));
    }
  }
}
