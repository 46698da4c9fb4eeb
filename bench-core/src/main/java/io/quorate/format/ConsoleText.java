// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Text for a terminal, in lines of at most {@value #WIDTH} columns. Colors take no column. */
public final class ConsoleText {
  public static final int WIDTH = 88;

  private static final Pattern COLOR = Pattern.compile("\u001b\\[[0-9;]*m");
  private static final String INDENT = "  ";
  private static final String COMMAND = ": ./quorate ";

  private ConsoleText() {}

  /** Returns the number of columns of a text. */
  public static int width(String text) {
    return COLOR.matcher(text).replaceAll("").length();
  }

  /**
   * Returns a text in lines that break at blanks. Words that are longer stay whole, as does a
   * command, alone or at the end of a sentence, where it gets a separate line, to be copied.
   */
  public static List<String> wrapped(String text) {
    if (width(text) <= WIDTH || text.stripLeading().startsWith(COMMAND.substring(2))) {
      return List.of(text);
    }
    List<String> lines = new ArrayList<>();
    String indent = " ".repeat(text.length() - text.stripLeading().length());
    int command = text.lastIndexOf(COMMAND);
    if (command > 0) {
      lines.addAll(wrapped(text.substring(0, command + 1)));
      lines.add(indent + INDENT + text.substring(command + 2));
      return lines;
    }
    StringBuilder line = new StringBuilder(indent);
    for (String word : text.stripLeading().split(" ", -1)) {
      if (!line.toString().isBlank() && width(line + " " + word) > WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
        line.append(indent).append(INDENT);
      }
      line.append(line.toString().isBlank() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /** Returns a text whose lines are wrapped, except for those of tables with borders. */
  public static String withTables(String text) {
    return text.lines()
        .flatMap(line -> line.matches("[+|].*") ? Stream.of(line) : wrapped(line).stream())
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  /**
   * Returns the rows of a table, two blanks between its columns; without columns whose cells are
   * all empty.
   *
   * @param rows rows with equally many cells
   * @param isLeft whether a column is aligned to the left
   */
  public static List<String> table(List<List<String>> rows, IntPredicate isLeft) {
    int[] widths =
        IntStream.range(0, rows.isEmpty() ? 0 : rows.get(0).size())
            .map(i -> rows.stream().mapToInt(row -> width(row.get(i))).max().orElse(0))
            .toArray();
    return rows.stream().map(row -> row(row, widths, isLeft)).toList();
  }

  private static String row(List<String> row, int[] widths, IntPredicate isLeft) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      if (widths[i] > 0) {
        String fill = " ".repeat(widths[i] - width(row.get(i)));
        line.append(line.isEmpty() ? "" : INDENT)
            .append(isLeft.test(i) ? row.get(i) + fill : fill + row.get(i));
      }
    }
    return line.toString().stripTrailing();
  }

  /**
   * Returns tables with a column for each of these objects, and a row for each name of their
   * values.
   *
   * @param objects values by name; the value of the empty name is the heading
   */
  public static List<String> columns(List<Map<String, String>> objects) {
    List<String> lines = new ArrayList<>();
    for (int from = 0, to; from < objects.size(); from = to) {
      to = from + 1;
      while (to < objects.size() && width(asColumns(objects.subList(from, to + 1))) <= WIDTH) {
        to++;
      }
      lines.addAll(asColumns(objects.subList(from, to)));
    }
    return lines;
  }

  private static List<String> asColumns(List<Map<String, String>> objects) {
    return table(
        objects.stream()
            .flatMap(each -> each.keySet().stream())
            .distinct()
            .map(
                name ->
                    Stream.concat(
                            Stream.of(name),
                            objects.stream().map(each -> each.getOrDefault(name, "-")))
                        .toList())
            .toList(),
        column -> column == 0);
  }

  /** Returns blocks of equally many lines side by side, three blanks between them. */
  public static List<String> sideBySide(List<List<String>> blocks) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < blocks.get(0).size(); i++) {
      StringBuilder line = new StringBuilder();
      for (List<String> block : blocks) {
        String text = block.get(i);
        line.append(line.isEmpty() ? "" : INDENT + " ")
            .append(text)
            .append(" ".repeat(width(block) - width(text)));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  /** Returns the number of columns of the widest line. */
  public static int width(List<String> lines) {
    return lines.stream().mapToInt(ConsoleText::width).max().orElse(0);
  }
}
