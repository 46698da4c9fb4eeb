// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.MarkdownText;
import io.quorate.VisibleText;
import io.quorate.format.ConsoleText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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

  static String sides(SeriesPair pair) {
    return "%s: %s, then %s"
        .formatted(
            pair.name(),
            ComparisonWarning.runs(pair.before().runs().size()),
            ComparisonWarning.runs(pair.after().runs().size()));
  }

  /** Returns the lines for a terminal. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (comparison.isInBlocks()) {
      lines.add("warning: the sides ran in blocks, one after the other: a change may be drift");
    }
    if (isNamed) {
      lines.add("candidate: " + VisibleText.of(comparison.candidate().name()));
    }
    comparison.pairs().forEach(pair -> lines.add(sides(pair)));
    List<String> reasons = new ArrayList<>();
    groups(comparison)
        .forEach(
            (title, changes) -> {
              List<List<String>> rows = new ArrayList<>(List.of(heading()));
              changes.stream().map(change -> withLetter(change, reasons)).forEach(rows::add);
              lines.add("");
              lines.add(VisibleText.of(title));
              int last = heading().size() - 1;
              lines.addAll(ConsoleText.table(rows, column -> column == 0 || column == last));
            });
    lines.add("");
    reasons.forEach(each -> lines.add("(%c) %s".formatted('a' + reasons.indexOf(each), each)));
    warnings.forEach(each -> lines.add("warning: " + each));
    lines.addAll(GateResult.lines(gate));
    lines.add(comparison.counts());
    return lines;
  }

  /** Returns the cells of a row, with a letter for the reason of its verdict, if it has one. */
  private static List<String> withLetter(RowChange change, List<String> reasons) {
    List<String> cells = new ArrayList<>(cells(change));
    int last = cells.size() - 1;
    String[] verdict = cells.get(last).split(": ", 2);
    if (verdict.length > 1) {
      if (!reasons.contains(verdict[1])) {
        reasons.add(verdict[1]);
      }
      cells.set(last, "%s (%c)".formatted(verdict[0], 'a' + reasons.indexOf(verdict[1])));
    }
    return cells;
  }

  /** Returns Markdown of GitHub and GitLab: the counts, the gate, the tables and the warnings. */
  String markdown() {
    StringBuilder text = new StringBuilder("### Quorate: " + comparison.headline() + "\n\n");
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
