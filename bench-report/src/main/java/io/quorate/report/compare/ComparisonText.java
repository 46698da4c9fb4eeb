// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.MarkdownText;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes a comparison as text for a terminal, and as Markdown for a pull request. */
record ComparisonText(
    Comparison comparison, List<String> warnings, List<GateResult> gate, boolean isNamed) {
  /** Returns the changes of each group of rows, by its heading. */
  static Map<String, List<RowChange>> groups(Comparison comparison) {
    boolean several = comparison.pairs().size() > 1;
    Map<String, List<RowChange>> groups = new LinkedHashMap<>();
    for (RowChange change : comparison.changes()) {
      String title = (several ? change.database() + ", " : "") + group(comparison, change);
      groups.computeIfAbsent(title, any -> new ArrayList<>()).add(change);
    }
    return groups;
  }

  /**
   * Returns the heading of a change: values of machines follow the only operation of their step.
   */
  private static String group(Comparison comparison, RowChange change) {
    List<String> operations =
        comparison.changes().stream()
            .filter(each -> each.database().equals(change.database()))
            .filter(each -> each.row().step().equals(change.row().step()))
            .filter(each -> !each.metric().isOfMachines())
            .map(each -> each.row().group())
            .distinct()
            .toList();
    return change.row().step().isPresent() && operations.size() == 1
        ? operations.get(0)
        : change.row().group();
  }

  /** Returns the cells of a row: metric, baseline, candidate, change, interval, band, verdict. */
  static List<String> cells(RowChange change) {
    return List.of(
        change.title(),
        change.text(change.baseline()),
        change.text(change.candidate()),
        change.changeText(),
        change.intervalText(),
        change.bandText(),
        change.verdictText());
  }

  private List<String> heading() {
    return List.of(
        "",
        "baseline",
        "candidate",
        "change",
        hasInterval() ? "95% interval" : "",
        hasBand() ? "A/A" : "",
        "verdict");
  }

  private boolean hasInterval() {
    return comparison.changes().stream().anyMatch(each -> each.change().hasInterval());
  }

  private boolean hasBand() {
    return comparison.changes().stream().anyMatch(each -> each.asked().band().isPresent());
  }

  static String sides(Comparison.Pair pair) {
    return "%s: %s, then %s"
        .formatted(
            pair.name(), runs(pair.before().runs().size()), runs(pair.after().runs().size()));
  }

  private static String runs(int count) {
    return NumberFormats.count(count, "run");
  }

  /** Returns the lines for a terminal. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (isNamed) {
      lines.add("candidate: " + VisibleText.of(comparison.candidate().name()));
    }
    comparison.pairs().forEach(pair -> lines.add(sides(pair)));
    groups(comparison)
        .forEach(
            (title, changes) -> {
              List<List<String>> rows = new ArrayList<>(List.of(heading()));
              changes.stream().map(ComparisonText::cells).forEach(rows::add);
              lines.add("");
              lines.add(VisibleText.of(title));
              lines.addAll(aligned(rows));
            });
    lines.add("");
    warnings.forEach(each -> lines.add("warning: " + each));
    lines.addAll(GateResult.lines(gate));
    lines.add(comparison.counts());
    return lines;
  }

  /** Aligns the first and the last column to the left, the others to the right. */
  private static List<String> aligned(List<List<String>> rows) {
    int columns = rows.get(0).size();
    int[] widths =
        IntStream.range(0, columns)
            .map(i -> rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toArray();
    return rows.stream()
        .map(
            row ->
                IntStream.range(0, columns)
                    .filter(i -> widths[i] > 0)
                    .mapToObj(
                        i -> {
                          String fill = " ".repeat(widths[i] - row.get(i).length());
                          return i == 0 || i == columns - 1 ? row.get(i) + fill : fill + row.get(i);
                        })
                    .collect(Collectors.joining("  "))
                    .stripTrailing())
        .toList();
  }

  /** Returns Markdown of GitHub and GitLab: the counts, the gate, the tables and the warnings. */
  String markdown() {
    StringBuilder text = new StringBuilder("### Quorate: " + comparison.counts() + "\n\n");
    if (isNamed) {
      text.append("Candidate: ")
          .append(MarkdownText.of(comparison.candidate().name()))
          .append("\n\n");
    }
    comparison.pairs().forEach(pair -> text.append(MarkdownText.of(sides(pair))).append("\n\n"));
    GateResult.lines(gate)
        .forEach(line -> text.append("- ").append(MarkdownText.of(line)).append("\n"));
    groups(comparison)
        .forEach(
            (title, changes) -> {
              text.append("\n**").append(MarkdownText.of(title)).append("**\n\n");
              row(text, heading());
              text.append("| :-- | --: | --: | --: | --: | --: | :-- |\n");
              changes.forEach(change -> row(text, cells(change)));
            });
    if (!warnings.isEmpty()) {
      text.append("\n<details><summary>Warnings (")
          .append(warnings.size())
          .append(")</summary>\n\n");
      warnings.forEach(each -> text.append("- ").append(MarkdownText.of(each)).append("\n"));
      text.append("\n</details>\n");
    }
    return text.toString();
  }

  private static void row(StringBuilder text, List<String> cells) {
    text.append(
        cells.stream().map(MarkdownText::of).collect(Collectors.joining(" | ", "| ", " |\n")));
  }
}
