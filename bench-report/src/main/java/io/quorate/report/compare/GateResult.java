// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.report.compare.RowChange.Judged;
import io.quorate.report.judge.Change;
import io.quorate.report.judge.Decision.Verdict;
import io.quorate.report.judge.Family;
import io.quorate.report.judge.Gate;
import io.quorate.report.judge.Gate.Outcome;
import io.quorate.report.judge.Pairs;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.scenario.GateRule;
import io.quorate.scenario.Metric;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a gate says of one change. It passes if the whole one-sided 95% interval of the change is
 * within the limit, fails if all of it is beyond, and is inconclusive otherwise. It is
 * inconclusive, too, if the load generator's delay in one of the sides may explain the result, or
 * if some run may not be used.
 *
 * @param reason the change in words
 */
record GateResult(GateRule rule, String database, String group, Outcome outcome, String reason) {
  private static final double PERCENT = 100;
  private static final String NO_VALUE = "the candidate has no such value";
  private static final String TOO_FEW = "the candidate has too few requests for this percentile";
  private static final String NO_RUN = "no run of the candidate is complete";

  /**
   * Applies the rules to a comparison.
   *
   * @param blocks whether a rule fails although all runs of one side were before the other's
   * @throws QuorateException with all rules that no measured value matches
   */
  static List<GateResult> of(Comparison comparison, List<GateRule> rules, boolean blocks) {
    List<GateResult> results = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (GateRule rule : rules) {
      List<RowChange> matching =
          comparison.changes().stream()
              .filter(change -> matches(rule, change))
              .filter(change -> !isOfRareOperation(rule, change, comparison))
              .toList();
      if (matching.isEmpty()) {
        problems.add(
            "gate '%s': found no such value in these runs, expected one of %s"
                .formatted(rule, measured(comparison)));
      }
      matching.forEach(
          change ->
              results.add(
                  isOfFew(change, comparison)
                      ? new GateResult(
                          rule,
                          change.database(),
                          change.row().group(),
                          Outcome.INCONCLUSIVE,
                          TOO_FEW)
                      : of(rule, change, comparison.isIncomplete(change.database()))));
      comparison.missing().forEach(name -> results.add(missing(rule, name)));
    }
    QuorateException.throwIfAny(problems);
    return results.stream()
        .map(each -> blocks || !comparison.isInBlocks() ? each : each.ofBlocks())
        .map(each -> each.and(comparison.leftOut(each.database)))
        .toList();
  }

  /** Returns the result with what was left out, which may be empty. */
  private GateResult and(String leftOut) {
    return leftOut.isEmpty()
        ? this
        : new GateResult(rule, database, group, outcome, reason + "; " + leftOut);
  }

  /** Returns the result of runs that took no turns: a change may be that of the machine. */
  private GateResult ofBlocks() {
    return outcome != Outcome.FAILED || reason.equals(NO_VALUE) || reason.equals(NO_RUN)
        ? this
        : new GateResult(
            rule,
            database,
            group,
            Outcome.INCONCLUSIVE,
            reason + "; but the sides ran in blocks (--ignore=order lets it fail)");
  }

  /** Returns the result for a database of the baseline that the candidate lacks. */
  private static GateResult missing(GateRule rule, Comparison.Missing database) {
    return new GateResult(
        rule,
        VisibleText.of(database.key()),
        "all steps",
        database.failed() ? Outcome.FAILED : Outcome.INCONCLUSIVE,
        database.failed() ? NO_RUN : "not in the candidate");
  }

  private static String measured(Comparison comparison) {
    Set<String> ids = new LinkedHashSet<>();
    comparison.changes().stream()
        .filter(each -> each.verdict() != Verdict.NOT_MEASURED)
        .forEach(each -> ids.add(each.metric().id()));
    return String.join(", ", ids);
  }

  private static boolean matches(GateRule rule, RowChange change) {
    boolean rightStep = rule.step().isEmpty() || rule.step().equals(change.row().step());
    boolean rightOperation =
        rule.operation().isEmpty()
            || rule.operation().map(Object::toString).equals(change.row().operation());
    return rule.metric() == change.metric()
        && change.baseline().count() > 0
        && rightStep
        && rightOperation;
  }

  /**
   * Returns whether an operation of a mix has too few requests for a percentile, so that a rule for
   * all operations applies to the others, and to all together.
   */
  private static boolean isOfRareOperation(GateRule rule, RowChange change, Comparison comparison) {
    return rule.operation().isEmpty()
        && change.row().operation().isPresent()
        && change.rare()
        && comparison.changes().stream()
            .filter(each -> each.database().equals(change.database()))
            .filter(each -> each.metric() == rule.metric() && each.baseline().count() > 0)
            .map(RowChange::row)
            .filter(row -> row.operation().isEmpty())
            .anyMatch(row -> row.step().equals(change.row().step()));
  }

  private static GateResult of(GateRule rule, RowChange change, boolean incomplete) {
    Outcome outcome = outcome(rule, change);
    boolean open = outcome == Outcome.PASSED && incomplete;
    boolean ours = outcome == Outcome.FAILED && !isBrokenWithoutDelay(rule, change);
    Outcome found = open || ours ? Outcome.INCONCLUSIVE : outcome;
    return new GateResult(
        rule,
        change.database(),
        change.row().group(),
        found,
        change.candidate().count() == 0
            ? NO_VALUE
            : "%s (medians %s and %s%s): %s%s"
                .formatted(
                    change.changeText(),
                    change.text(change.baseline()),
                    change.text(change.candidate()),
                    confidence(change),
                    change.isOnlyDelayed() && found != Outcome.INCONCLUSIVE
                        ? "also without the load generator's delay"
                        : change.decision().word(change.change().kind()),
                    open
                        ? "; but not all runs of the candidate are complete and readable"
                        : ours
                            ? "; but %s without the load generator's delay"
                                .formatted(
                                    change.text(change.lessOfCandidate().change().candidate()))
                            : outcome == Outcome.INCONCLUSIVE ? openness(rule, change) : ""));
  }

  /** Returns the ends of the one-sided intervals: {@code , with 95% confidence >= +4%, <= +9%}. */
  private static String confidence(RowChange row) {
    Change found = row.change();
    Optional<Pairs> known = row.values().pairs();
    double atLeast = known.map(pairs -> pairs.end(true)).orElse(found.atLeast());
    double atMost = known.map(pairs -> pairs.end(false)).orElse(found.atMost());
    return found.hasInterval()
            && !found.isBound()
            && Double.isFinite(atLeast)
            && Double.isFinite(atMost)
        ? ", with 95%% confidence >= %s, <= %s".formatted(found.text(atLeast), found.text(atMost))
        : "";
  }

  /** Returns why a change is undecided, after its verdict. */
  private static String openness(GateRule rule, RowChange change) {
    if (change.verdict() == Verdict.NOT_COMPARABLE) {
      return change.decision().note();
    }
    if (!change.change().hasInterval()) {
      return "; but a gate needs %s runs of each side".formatted(Sample.MIN_RUNS);
    }
    if (change.change().isBound()) {
      return "; but it may be more, as an outage did not end";
    }
    return "; "
        + (unit(change.change()) == 0
            ? "percent of 0 decide nothing"
            : Family.furtherRuns(
                change
                    .values()
                    .pairs()
                    .map(pairs -> pairs.furtherPairs(gate(rule, pairs)))
                    .orElseGet(() -> gate(rule, change.change()).furtherRuns(change.change()))));
  }

  /**
   * Returns whether the candidate breaks a rule by the same test without the load generator's
   * delay, too; true if its values contain no delay.
   */
  private static boolean isBrokenWithoutDelay(GateRule rule, RowChange row) {
    Change found = row.lessOfCandidate().change();
    return found.candidate().count() == 0
        || found.isRatio() != row.change().isRatio()
        || outcome(rule, row.lessOfCandidate()) == Outcome.FAILED;
  }

  /** Judges a change by its pairs if it has some. */
  private static Outcome outcome(GateRule rule, Judged judged) {
    return judged
        .pairs()
        .map(known -> known.outcome(gate(rule, known)))
        .orElseGet(() -> gate(rule, judged.change()).of(judged.change()));
  }

  private static Gate gate(GateRule rule, Change change) {
    return new Gate(rule.change().doubleValue() * unit(change));
  }

  private static Gate gate(GateRule rule, Pairs pairs) {
    double unit = pairs.kind() == Kind.COUNT ? 1 : pairs.unit() / PERCENT;
    return new Gate(rule.change().doubleValue() * unit);
  }

  private static double unit(Change change) {
    return change.kind() == Kind.COUNT ? 1 : change.unit() / PERCENT;
  }

  private static Outcome outcome(GateRule rule, RowChange row) {
    Change change = row.change();
    if (row.candidate().count() == 0) {
      return Outcome.FAILED;
    }
    boolean delayed = row.isOnlyDelayed();
    if (!change.hasInterval() || row.verdict() == Verdict.NOT_COMPARABLE && !delayed) {
      return Outcome.INCONCLUSIVE;
    }
    Outcome outcome = outcome(rule, row.values());
    boolean ours =
        delayed
            && outcome == Outcome.PASSED
            && outcome(rule, row.lessOfBaseline()) != Outcome.PASSED;
    return ours || unit(change) == 0 && outcome == Outcome.FAILED ? Outcome.INCONCLUSIVE : outcome;
  }

  /** Returns whether the candidate succeeded too rarely for this percentile, but did succeed. */
  private static boolean isOfFew(RowChange change, Comparison comparison) {
    return change.metric() == Metric.P99_9
        && change.candidate().count() == 0
        && comparison.changes().stream()
            .filter(each -> each.metric() == Metric.P50 && each.candidate().count() > 0)
            .anyMatch(
                each ->
                    each.database().equals(change.database())
                        && each.row().group().equals(change.row().group()));
  }

  /** Returns the worst outcome; passed without a rule. */
  static Outcome worst(List<GateResult> results) {
    return results.stream().map(GateResult::outcome).max(Enum::compareTo).orElse(Outcome.PASSED);
  }

  /**
   * Returns the result as a line: {@code gate FAILED: p99 <= +10%: etcd, 10 clients, put: +21%}.
   */
  String line() {
    return VisibleText.of(
        "gate %s: %s: %s, %s: %s"
            .formatted(
                outcome == Outcome.PASSED ? "passed" : outcome.id().toUpperCase(Locale.ROOT),
                rule,
                database,
                group,
                reason));
  }

  /** Returns the lines of the results, the worst first. */
  static List<String> lines(List<GateResult> results) {
    return results.stream()
        .sorted((one, other) -> other.outcome.compareTo(one.outcome))
        .map(GateResult::line)
        .collect(Collectors.toList());
  }
}
