// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.Named;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.report.judge.Change;
import io.quorate.report.judge.Decision.Verdict;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.scenario.GateRule;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a gate says of one change. It fails if the change is beyond the limit and beyond the noise;
 * it is inconclusive if the estimate is beyond the limit, but the noise allows that there is no
 * change, if it is within the limit without the load generator's delay, or if some run may not be
 * used.
 *
 * @param reason the change in words
 */
record GateResult(GateRule rule, String database, String group, Outcome outcome, String reason) {
  private static final double PERCENT = 100;

  /** The outcomes of a gate, from best to worst. */
  enum Outcome implements Named {
    PASSED,
    INCONCLUSIVE,
    FAILED
  }

  /**
   * Applies the rules to a comparison.
   *
   * @throws QuorateException with all rules that no measured value matches
   */
  static List<GateResult> of(Comparison comparison, List<GateRule> rules) {
    List<GateResult> results = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (GateRule rule : rules) {
      List<RowChange> matching =
          comparison.changes().stream().filter(change -> matches(rule, change)).toList();
      if (matching.isEmpty()) {
        problems.add(
            "gate '%s': found no such value in these runs, expected one of %s"
                .formatted(rule, measured(comparison)));
      }
      matching.forEach(
          change -> results.add(of(rule, change, comparison.isIncomplete(change.database()))));
      comparison.missing().forEach(name -> results.add(missing(rule, name)));
    }
    QuorateException.throwIfAny(problems);
    return results;
  }

  /** Returns the result for a database of the baseline that the candidate lacks. */
  private static GateResult missing(GateRule rule, Comparison.Missing database) {
    return new GateResult(
        rule,
        VisibleText.of(database.key()),
        "all steps",
        database.failed() ? Outcome.FAILED : Outcome.INCONCLUSIVE,
        database.failed() ? "no run of the candidate is complete" : "not in the candidate");
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

  private static GateResult of(GateRule rule, RowChange change, boolean incomplete) {
    Outcome outcome = outcome(rule, change);
    boolean open = outcome == Outcome.PASSED && incomplete;
    boolean ours = outcome == Outcome.FAILED && !isBroken(rule, change.change(), change.punctual());
    String but =
        open
            ? "; but not all runs of the candidate are complete and readable"
            : ours
                ? "; but %s without the load generator's delay"
                    .formatted(change.text(change.punctual()))
                : !change.change().hasInterval()
                    ? "; but a gate needs %s runs of each side".formatted(Sample.MIN_RUNS)
                    : change.verdict() == Verdict.WORSE
                            && change.candidate().isBound()
                            && outcome == Outcome.INCONCLUSIVE
                        ? "; but it may be more, as an outage did not end"
                        : "";
    String interval = change.intervalText();
    return new GateResult(
        rule,
        change.database(),
        change.row().group(),
        open || ours ? Outcome.INCONCLUSIVE : outcome,
        change.candidate().count() == 0
            ? "the candidate has no such value"
            : "%s (medians %s and %s%s): %s%s"
                .formatted(
                    change.changeText(),
                    change.text(change.baseline()),
                    change.text(change.candidate()),
                    interval.isEmpty() ? "" : ", 95% interval " + interval,
                    change.verdictText(),
                    but));
  }

  /** Returns whether other values of the candidate break a rule, too. */
  private static boolean isBroken(GateRule rule, Change change, Sample candidate) {
    Change found = Change.of(change.baseline(), candidate);
    return candidate.count() == 0 || found.isRatio() != change.isRatio() || isBeyond(rule, found);
  }

  private static boolean isBeyond(GateRule rule, Change change) {
    double limit = rule.change().doubleValue() * unit(change);
    return change.kind().isBetter(change.estimate(), limit);
  }

  private static double unit(Change change) {
    return change.kind() == Kind.COUNT ? 1 : change.unit() / PERCENT;
  }

  private static Outcome outcome(GateRule rule, RowChange change) {
    if (change.candidate().count() == 0) {
      return Outcome.FAILED;
    }
    if (!change.change().hasInterval() || change.verdict() == Verdict.NOT_COMPARABLE) {
      return Outcome.INCONCLUSIVE;
    }
    if (!isBeyond(rule, change.change())) {
      return change.change().isBound() ? Outcome.INCONCLUSIVE : Outcome.PASSED;
    }
    if (unit(change.change()) == 0) {
      return Outcome.INCONCLUSIVE; // in percent of 0
    }
    return switch (change.verdict()) {
      case WORSE -> Outcome.FAILED;
      case SAME -> Outcome.PASSED;
      default -> Outcome.INCONCLUSIVE;
    };
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
