// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.OutputFiles;
import io.quorate.report.export.JunitXml;
import io.quorate.report.export.JunitXml.TestCase;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.judge.Family.Limits;
import io.quorate.report.judge.Gate.Outcome;
import io.quorate.report.page.Page;
import io.quorate.report.page.PageTemplate;
import io.quorate.report.page.RunFiles;
import io.quorate.report.plot.RunPlotFiles;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunDirectory;
import io.quorate.scenario.GateRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Comparisons of candidates with one baseline: what their gates say, their text, files and page.
 *
 * @param all comparison of each candidate, or of the baseline with itself
 * @param isOfNoise whether the baseline is compared with itself
 */
public record ComparisonReport(List<Judged> all, boolean isOfNoise) {
  /**
   * A comparison and what is said of it.
   *
   * @param gate results of the gate
   */
  public record Judged(Comparison comparison, List<String> warnings, List<GateResult> gate) {
    /** Returns the content of {@code comparison.json}. */
    String json() {
      return ComparisonFile.text(comparison, warnings, gate);
    }
  }

  /**
   * Which differences between the sides are accepted.
   *
   * @param anyway whether all are
   * @param conditions names of those that are
   */
  public record Accepted(boolean anyway, List<String> conditions) {
    public static final Accepted NOTHING = new Accepted(false, List.of());

    private boolean accepts(String condition) {
      return anyway || conditions.contains(condition);
    }
  }

  /** Returns the rules of {@code --fail-on}, or throws an exception with all problems. */
  public static List<GateRule> rules(
      List<String> texts, Function<String, ? extends RuntimeException> wrongUsage) {
    List<GateRule> parsed = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (String text : texts) {
      GateRule.parse(
              text,
              (found, expected) ->
                  problems.add("--fail-on: found %s, expected %s".formatted(found, expected)))
          .ifPresent(parsed::add);
    }
    if (!problems.isEmpty()) {
      throw wrongUsage.apply(String.join("\n", problems));
    }
    return parsed;
  }

  /**
   * Compares the odd runs of a side with its even runs.
   *
   * @throws QuorateException if a database has one run only
   */
  static ComparisonReport ofItself(Side side, Limits limits, Accepted accepted) {
    Comparison comparison = Comparison.ofItself(side, limits);
    refuse(comparison, accepted);
    return new ComparisonReport(
        List.of(new Judged(comparison, ComparisonWarning.of(comparison), List.of())), true);
  }

  /**
   * Compares candidates with a baseline.
   *
   * @param aa runs of one version, which show the noise; empty for those of the baseline
   * @param rules rules that add to the gate of each candidate's scenario
   * @throws QuorateException if sides cannot be compared, or a rule matches no measured value
   */
  public static ComparisonReport of(
      Side baseline,
      List<Side> candidates,
      Optional<Side> aa,
      List<GateRule> rules,
      Limits limits,
      Accepted accepted) {
    List<Judged> all = new ArrayList<>();
    for (Side each : candidates) {
      Comparison comparison = Comparison.of(baseline, each, aa, limits);
      refuse(comparison, accepted);
      all.add(
          new Judged(
              comparison,
              ComparisonWarning.of(comparison),
              GateResult.of(
                  comparison,
                  Stream.concat(comparison.gate().stream(), rules.stream()).distinct().toList(),
                  accepted.accepts(Comparison.ORDER))));
    }
    return new ComparisonReport(all, false);
  }

  private static void refuse(Comparison comparison, Accepted accepted) {
    List<Comparison.Difference> differences =
        comparison.differences().stream()
            .filter(each -> !accepted.accepts(each.condition()))
            .toList();
    if (comparison.pairs().isEmpty() || !differences.isEmpty()) {
      throw new QuorateException(
          "%s cannot be compared with %s:\n  %s%s"
              .formatted(
                  VisibleText.of(comparison.candidate().name()),
                  VisibleText.of(comparison.baseline().name()),
                  (comparison.pairs().isEmpty() ? comparison.differences() : differences)
                      .stream().map(Object::toString).collect(Collectors.joining("\n  ")),
                  comparison.pairs().isEmpty()
                      ? ""
                      : "\nRun both under the same conditions, or pass --ignore="
                          + differences.stream()
                              .map(Comparison.Difference::condition)
                              .distinct()
                              .collect(Collectors.joining(","))
                          + " to compare them all the same."));
    }
  }

  /** Returns the worst outcome of all gates; passed without a rule. */
  public Outcome outcome() {
    return GateResult.worst(all.stream().flatMap(each -> each.gate.stream()).toList());
  }

  /** Returns the worst outcome of some rules; passed if none of them is applied. */
  public Outcome outcome(List<GateRule> rules) {
    return GateResult.worst(
        all.stream()
            .flatMap(each -> each.gate.stream())
            .filter(each -> rules.contains(each.rule()))
            .toList());
  }

  /** Returns what the gates say, the worst first. */
  public List<String> gate() {
    return all.stream().flatMap(each -> GateResult.lines(each.gate).stream()).toList();
  }

  /** Returns the report for a console. */
  public List<String> lines() {
    return all.stream().flatMap(each -> text(each).lines().stream()).toList();
  }

  ComparisonText text(Judged each) {
    return new ComparisonText(each.comparison, each.warnings, each.gate, all.size() > 1);
  }

  /**
   * Writes the page and the files.
   *
   * @param command command that repeats the comparison
   */
  public void write(RunDirectory directory, String command) {
    OutputFiles files = new OutputFiles(directory.path());
    List<ComparisonPage.Section> sections = new ArrayList<>();
    List<TestCase> tests = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Judged each = all.get(i);
      String number = i == 0 ? "" : "-" + (i + 1);
      files.add(directory.path().resolve("comparison" + number + ".json"), each.json());
      files.add(directory.path().resolve("comparison" + number + ".md"), text(each).markdown());
      sections.add(
          ComparisonPage.Section.of(each.comparison, each.warnings, each.gate, all.size() > 1));
      String name = all.size() == 1 ? "" : each.comparison.candidate().name() + ".";
      each.gate.forEach(result -> tests.add(test(result, name)));
    }
    if (!tests.isEmpty()) {
      files.add(directory.junitXml(), new JunitXml("gate", tests).text());
    }
    List<Page.DrawnPlot> plots = plots(directory, files);
    files.add(
        directory.page(),
        PageTemplate.html(
            "comparison.html.ftl",
            new ComparisonPage(title(), sections, plots, Page.Scripts.of(plots), command)));
    files.write();
  }

  private static TestCase test(GateResult result, String name) {
    Optional<String> reason = Optional.of(result.reason());
    return new TestCase(
        name + result.database() + "." + result.group(),
        result.rule().toString(),
        reason.filter(any -> result.outcome() == Outcome.FAILED),
        reason.filter(any -> result.outcome() == Outcome.INCONCLUSIVE));
  }

  private String title() {
    List<String> names =
        all.get(0).comparison.pairs().stream().map(SeriesPair::name).limit(3).toList();
    String counts = all.size() == 1 ? ": " + all.get(0).comparison.headline() : "";
    return (isOfNoise ? "Noise of " : "") + String.join(", ", names) + counts;
  }

  /** Draws a typical run of each side in the same plots. */
  private List<Page.DrawnPlot> plots(RunDirectory directory, OutputFiles files) {
    List<DatabaseRun> databases = new ArrayList<>();
    all.get(0).comparison.pairs().forEach(pair -> databases.add(column(pair.before(), "baseline")));
    for (int i = 0; i < all.size(); i++) {
      String side = all.size() == 1 ? "candidate" : "candidate " + (i + 1);
      all.get(i).comparison.pairs().forEach(pair -> databases.add(column(pair.after(), side)));
    }
    RunFigures figures = RunFigures.of(new ExperimentRun(directory, databases, List.of()));
    return Page.DrawnPlot.all(
        RunPlotFiles.drawTogether(figures, files), new RunFiles(figures.run(), files));
  }

  private static DatabaseRun column(Series series, String side) {
    DatabaseRun typical = DatabaseRun.read(series.typical());
    String store = typical.manifest().store().baseId();
    return typical.asColumn(store + "@" + series.key() + "-" + side, side + " " + series.key());
  }
}
