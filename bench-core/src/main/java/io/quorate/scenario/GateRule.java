// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.store.Operation;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The largest change of a metric, from a baseline to a candidate, that a gate lets pass: {@code p99
 * <= +10%}, {@code throughput >= -5%}, {@code errors <= +0}, {@code step 2 get p50 <= +5%}.
 *
 * @param step number of the step, from 1; empty for every step
 * @param operation operation; empty for every operation
 * @param change largest change: in percent of the baseline or, of a count, in requests
 */
public record GateRule(
    OptionalInt step, Optional<Operation> operation, Metric metric, BigDecimal change) {
  private static final int MAX_LENGTH = 200;
  private static final BigDecimal NOTHING_LEFT = BigDecimal.valueOf(-100);
  private static final Pattern RULE =
      Pattern.compile(
          "(?:step (?<step>[1-9][0-9]{0,2}):? )?(?:(?<operation>[a-z-]+):? )?(?<metric>[a-z0-9.-]+)"
              + " ?(?<sign><=|>=|:|=) ?(?<change>[+-]?[0-9]{1,9}(?:\\.[0-9]{1,3})?)(?<percent>%?)");

  /**
   * Parses a rule; {@code problem} receives what was found and what was expected in a wrong text.
   * {@code p99:+10%} is short for {@code p99 <= +10%}.
   */
  public static Optional<GateRule> parse(String text, BiConsumer<String, String> problem) {
    String found = "the rule " + VisibleText.quoted(text);
    Matcher rule = RULE.matcher(text.strip().replaceAll("\\s+", " "));
    if (text.length() > MAX_LENGTH || !rule.matches()) {
      problem.accept(found, "a rule such as 'p99 <= +10%', 'throughput >= -5%' or 'errors <= +0'");
      return Optional.empty();
    }
    Optional<Metric> metric = Metric.of(rule.group("metric"));
    if (metric.isEmpty()) {
      problem.accept(
          found,
          "one of the metrics "
              + String.join(", ", Metric.ids())
              + Spelling.hint(Metric.ids(), rule.group("metric")));
      return Optional.empty();
    }
    Optional<Operation> operation =
        Optional.ofNullable(rule.group("operation")).flatMap(Operation::named);
    if (rule.group("operation") != null && operation.isEmpty()) {
      problem.accept(found, "an operation such as put or get before the metric");
      return Optional.empty();
    }
    Optional<String> wrong = problem(metric.get(), rule);
    wrong.ifPresent(expected -> problem.accept(found, expected));
    return wrong.isPresent()
        ? Optional.empty()
        : Optional.of(
            new GateRule(
                rule.group("step") == null
                    ? OptionalInt.empty()
                    : OptionalInt.of(Integer.parseInt(rule.group("step"))),
                operation,
                metric.get(),
                new BigDecimal(rule.group("change"))));
  }

  /** Parses a rule for Jackson, which reports the exception. */
  @JsonCreator
  static GateRule of(String text) {
    return parse(text, (found, expected) -> {})
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "found "
                        + VisibleText.quoted(text)
                        + ", expected a rule such as 'p99 <= +10%'"));
  }

  private static Optional<String> problem(Metric metric, Matcher rule) {
    String sign = rule.group("sign");
    BigDecimal change = new BigDecimal(rule.group("change"));
    boolean percent = !rule.group("percent").isEmpty();
    String right = metric.isHigherBetter() ? ">=" : "<=";
    if (sign.endsWith("=") && sign.length() == 2 && !sign.equals(right)) {
      return Optional.of("%s after %s".formatted(right, metric.id()));
    }
    if (metric.isCount() ? percent || change.scale() > 0 : !percent) {
      return Optional.of(
          metric.isCount() ? "a number of requests such as +0" : "a percentage such as +10%");
    }
    if (metric.isHigherBetter() && change.compareTo(NOTHING_LEFT) <= 0) {
      return Optional.of("a change above -100%, as a lower " + metric.id() + " does not exist");
    }
    if (metric.isHigherBetter() ? change.signum() > 0 : change.signum() < 0) {
      return Optional.of(
          "the largest change for the worse that may pass: "
              + (metric.isHigherBetter() ? "-5% or 0%" : "+5% or +0"));
    }
    return Optional.empty();
  }

  /** Returns the rule in its shortest form: {@code step 3 get p99.9 <= +10%}. */
  @JsonValue
  @Override
  public String toString() {
    return (step.isPresent() ? "step " + step.getAsInt() + " " : "")
        + operation.map(name -> name + " ").orElse("")
        + metric.id()
        + (metric.isHigherBetter() ? " >= " : " <= ")
        + (change.signum() >= 0 && !metric.isHigherBetter() ? "+" : "")
        + change.toPlainString()
        + (metric.isCount() ? "" : "%");
  }
}
