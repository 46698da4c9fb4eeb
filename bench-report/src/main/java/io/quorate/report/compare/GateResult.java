package io.quorate.report.compare;

import io.quorate.Named;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
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
 * change.
 *
 * @param reason the change in words
 */
record GateResult(GateRule rule, String database, String group, Outcome outcome, String reason) {
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
      List<Change> matching =
          comparison.changes().stream().filter(change -> matches(rule, change)).toList();
      if (matching.isEmpty()) {
        problems.add(
            "gate '%s': found no such value in these runs, expected one of %s"
                .formatted(rule, measured(comparison)));
      }
      matching.forEach(change -> results.add(of(rule, change)));
    }
    QuorateException.throwIfAny(problems);
    return results;
  }

  private static String measured(Comparison comparison) {
    Set<String> ids = new LinkedHashSet<>();
    comparison.changes().stream()
        .filter(each -> each.verdict() != Verdict.NOT_MEASURED)
        .forEach(each -> ids.add(each.metric().id()));
    return String.join(", ", ids);
  }

  private static boolean matches(GateRule rule, Change change) {
    boolean rightStep = rule.step().isEmpty() || rule.step().equals(change.row().step());
    boolean rightOperation =
        rule.operation().isEmpty()
            || rule.operation().map(Object::toString).equals(change.row().operation());
    return rule.metric() == change.metric()
        && change.verdict() != Verdict.NOT_MEASURED
        && rightStep
        && rightOperation;
  }

  private static GateResult of(GateRule rule, Change change) {
    double limit = rule.change().doubleValue() / (change.metric().isCount() ? 1 : 100);
    double found =
        change
            .estimate()
            .map(RatioEstimate::change)
            .orElseGet(
                () -> {
                  double before = Change.median(change.baseline()).getAsDouble();
                  double after = Change.median(change.candidate()).getAsDouble();
                  return change.metric().isCount() || before == 0
                      ? after - before
                      : after / before - 1;
                });
    boolean beyond = change.metric().isHigherBetter() ? found < limit : found > limit;
    Outcome outcome =
        !beyond
            ? Outcome.PASSED
            : change.verdict() == Verdict.WORSE
                ? Outcome.FAILED
                : change.verdict() == Verdict.SAME ? Outcome.PASSED : Outcome.INCONCLUSIVE;
    String interval = change.intervalText();
    return new GateResult(
        rule,
        change.database(),
        change.row().group(),
        outcome,
        "%s, from %s to %s%s: %s"
            .formatted(
                change.changeText(),
                change.text(change.baseline()),
                change.text(change.candidate()),
                interval.isEmpty() ? "" : " (95% interval: " + interval + ")",
                change.verdictText()));
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
