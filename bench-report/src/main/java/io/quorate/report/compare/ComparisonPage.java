// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.VisibleText;
import io.quorate.report.judge.Decision.Verdict;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.report.page.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The content of the page of a comparison, in its order. All texts are plain: the template escapes
 * them.
 *
 * @param sections comparisons of the candidates with the baseline
 * @param plots plots of typical runs of all sides
 * @param command command that repeats the comparison
 */
public record ComparisonPage(
    String title,
    List<Section> sections,
    List<Page.DrawnPlot> plots,
    Page.Scripts scripts,
    String command) {

  /**
   * The comparison of a candidate.
   *
   * @param title name of the candidate; empty if it is the only one
   * @param sides what is compared, with the numbers of runs
   * @param hasBand whether there is an A/A band
   */
  public record Section(
      String title,
      String counts,
      List<String> sides,
      List<GateLine> gate,
      boolean hasBand,
      List<Group> groups,
      List<String> warnings,
      List<String> differences) {
    static Section of(
        Comparison comparison, List<String> warnings, List<GateResult> gate, boolean isNamed) {
      List<Group> groups = new ArrayList<>();
      ComparisonText.groups(comparison)
          .forEach(
              (title, changes) ->
                  groups.add(
                      new Group(
                          VisibleText.of(title), changes.stream().map(ChangeRow::of).toList())));
      return new Section(
          isNamed ? VisibleText.of(comparison.candidate().name()) : "",
          comparison.counts(),
          comparison.pairs().stream().map(ComparisonText::sides).toList(),
          gate.stream().map(GateLine::of).toList(),
          comparison.changes().stream().anyMatch(each -> each.asked().band().isPresent()),
          groups,
          warnings,
          comparison.differences().stream().map(Object::toString).toList());
    }
  }

  /**
   * A result of the gate.
   *
   * @param state good, bad or empty
   */
  public record GateLine(String text, String state) {
    static GateLine of(GateResult result) {
      return new GateLine(
          result.line(),
          switch (result.outcome()) {
            case PASSED -> "good";
            case FAILED -> "bad";
            case INCONCLUSIVE -> "";
          });
    }
  }

  /** Rows below a heading. */
  public record Group(String title, List<ChangeRow> rows) {}

  /**
   * A row.
   *
   * @param baselineRange least and greatest value; empty with one run
   * @param state good, bad or empty
   */
  public record ChangeRow(
      String metric,
      Page.Cell baseline,
      String baselineRange,
      Page.Cell candidate,
      String candidateRange,
      String change,
      String interval,
      String band,
      String verdict,
      String state) {
    static ChangeRow of(RowChange change) {
      return new ChangeRow(
          change.metric().title(),
          cell(change, change.baseline()),
          change.range(change.baseline()),
          cell(change, change.candidate()),
          change.range(change.candidate()),
          change.changeText(),
          change.intervalText(),
          change.bandText(),
          change.verdictText(),
          switch (change.verdict()) {
            case BETTER -> "good";
            case WORSE -> "bad";
            default -> "";
          });
    }

    /** Returns a median with its ratio to the better of the two, unless they are not compared. */
    private static Page.Cell cell(RowChange change, Sample sample) {
      double before = change.baseline().median();
      double after = change.candidate().median();
      Kind kind = change.change().kind();
      boolean ratio =
          before > 0
              && after > 0
              && kind != Kind.COUNT
              && !change.change().isBound()
              && change.verdict() != Verdict.NOT_COMPARABLE;
      double best = kind.isBetter(before, after) ? after : before;
      return new Page.Cell(
          change.text(sample),
          false,
          ratio ? OptionalDouble.of(sample.median() / best) : OptionalDouble.empty(),
          !change.decision().isDecided());
    }
  }
}
