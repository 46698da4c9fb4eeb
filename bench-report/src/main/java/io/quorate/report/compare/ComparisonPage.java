// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.VisibleText;
import io.quorate.report.judge.Change;
import io.quorate.report.judge.Decision.Verdict;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.report.page.Page;
import io.quorate.report.plot.Strip;
import io.quorate.report.plot.draw.LinearScale;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

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
   * @param strip axis of the intervals
   * @param hasBand whether there is an A/A band
   * @param obstacles why values are not compared, each once
   */
  public record Section(
      String title,
      String counts,
      List<String> sides,
      Strip strip,
      List<GateLine> gate,
      boolean hasBand,
      List<Group> groups,
      List<String> obstacles,
      List<String> warnings,
      List<String> differences) {
    static Section of(
        Comparison comparison, List<String> warnings, List<GateResult> gate, boolean isNamed) {
      Strip strip = Interval.axis(comparison.changes());
      List<Group> groups = new ArrayList<>();
      ComparisonText.groups(comparison)
          .forEach(
              (title, changes) ->
                  groups.add(
                      new Group(
                          VisibleText.of(title),
                          changes.stream().map(each -> ChangeRow.of(each, strip)).toList())));
      return new Section(
          isNamed ? VisibleText.of(comparison.candidate().name()) : "",
          comparison.counts(),
          comparison.pairs().stream().map(ComparisonText::sides).toList(),
          strip,
          gate.stream().map(GateLine::of).toList(),
          comparison.changes().stream().anyMatch(each -> each.asked().band().isPresent()),
          groups,
          comparison.changes().stream()
              .filter(each -> each.verdict() == Verdict.NOT_COMPARABLE)
              .map(each -> each.decision().note().replaceFirst("^: ", ""))
              .distinct()
              .toList(),
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

  /**
   * The interval of a change. Places are percentages of the width of its picture.
   *
   * @param zero place of no change
   */
  public record Interval(double zero, double low, double estimate, double high) {
    /** Ratios that get a mark, if they are within the range of the axis. */
    private static final double[] WIDE = {-0.75, -0.5, 0, 1, 3};

    private static final double[] MIDDLE = {-0.4, -0.2, 0, 0.25, 0.67};
    private static final double[] NARROW = {-0.2, -0.1, 0, 0.1, 0.2};

    /** Ends of the narrowest and the widest axis, as logarithms of ratios. */
    private static final double LEAST = Math.log(1.25);

    private static final double MOST = Math.log(4.2);

    /** Returns the axis of all changes, on which twice is as far from zero as half. */
    static Strip axis(List<RowChange> changes) {
      double most =
          changes.stream()
              .filter(Interval::isShown)
              .flatMapToDouble(each -> DoubleStream.of(each.change().low(), each.change().high()))
              .map(change -> Math.abs(Math.log1p(change)))
              .max()
              .orElse(0);
      double end = Math.max(LEAST, Math.min(MOST, most * 1.05));
      double[] marks = end > 0.8 ? WIDE : end > 0.3 ? MIDDLE : NARROW;
      Strip strip = new Strip(List.of(), new LinearScale(false), -end, end);
      return strip.withMarks(
          DoubleStream.of(marks)
              .filter(mark -> Math.abs(Math.log1p(mark)) <= end)
              .mapToObj(
                  mark ->
                      new Strip.Mark(
                          strip.place(Math.log1p(mark)), mark == 0 ? "0" : Change.text(true, mark)))
              .toList());
    }

    private static boolean isShown(RowChange change) {
      return change.verdict() != Verdict.NOT_COMPARABLE
          && change.verdict() != Verdict.NOT_MEASURED
          && change.change().isRatio()
          && !change.change().isBound();
    }

    static Optional<Interval> of(RowChange row, Strip strip) {
      Change change = row.change();
      return isShown(row)
          ? Optional.of(
              new Interval(
                  strip.place(0),
                  strip.place(Math.log1p(change.low())),
                  strip.place(Math.log1p(change.estimate())),
                  strip.place(Math.log1p(change.high()))))
          : Optional.empty();
    }
  }

  /** Rows below a heading. */
  public record Group(String title, List<ChangeRow> rows) {}

  /**
   * A row.
   *
   * @param baselineRange least and greatest value; empty with one run
   * @param picture interval of the change; empty if it is not compared
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
      List<Interval> picture,
      String band,
      String verdict,
      String state) {
    static ChangeRow of(RowChange change, Strip strip) {
      return new ChangeRow(
          change.title(),
          cell(change, change.baseline()),
          change.range(change.baseline()),
          cell(change, change.candidate()),
          change.range(change.candidate()),
          change.changeText(),
          change.intervalText(),
          Interval.of(change, strip).stream().toList(),
          change.bandText(),
          change.verdict() == Verdict.NOT_COMPARABLE && !change.metric().isDerived()
              ? change.decision().word(change.change().kind())
              : change.verdictText(),
          change.metric().isDerived()
              ? ""
              : switch (change.verdict()) {
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
