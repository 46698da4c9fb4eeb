// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.yaml.InvalidScenarioException;
import io.quorate.scenario.yaml.ScenarioReader;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateRuleTest {
  private static final String YAML =
      """
      title: Gate
      mix: {get: 9, put: 1}
      requests: 1_000
      keys: {size: 16, count: 100, distribution: uniform}
      values: {size: 8}
      load: {steps: [1, 2]}
      databases: [memory]
      fail-on: [p99 <= +10%, throughput >= -5%, errors <= +0, step 2 get p99.9 <= +20%]
      """;

  private static List<String> problems(String text) {
    List<String> problems = new ArrayList<>();
    assertThat(
            GateRule.parse(
                text,
                (found, expected) -> problems.add("found " + found + ", expected " + expected)))
        .isEmpty();
    return problems;
  }

  @ParameterizedTest
  @CsvSource({
    "p99 <= +10%, p99 <= +10%",
    "p99:+10%, p99 <= +10%",
    "p99.9<=5.5%, p99.9 <= +5.5%",
    "throughput >= -5%, throughput >= -5%",
    "throughput:-5%, throughput >= -5%",
    "errors <= +0, errors <= +0",
    "dropped <= 3, dropped <= +3",
    "step 2: get: p50 <= +1%, step 2 get p50 <= +1%",
    "server-cpu <= +20%, server-cpu <= +20%",
    "compare-and-set max <= +50%, compare-and-set max <= +50%"
  })
  void each_form_means_the_same_when_it_is_read_again(String text, String shown) {
    GateRule rule = GateRule.parse(text, (found, expected) -> {}).orElseThrow();
    assertThat(rule).hasToString(shown);
    assertThat(GateRule.parse(shown, (found, expected) -> {})).hasValue(rule);
  }

  @Test
  void a_wrong_rule_is_reported_with_what_was_expected() {
    assertThat(problems("p99 < 10 ms"))
        .containsExactly(
            "found the rule 'p99 < 10 ms', expected a rule such as 'p99 <= +10%', 'throughput >="
                + " -5%' or 'errors <= +0'");
    assertThat(problems("p98 <= +10%").get(0))
        .startsWith("found the rule 'p98 <= +10%', expected one of the metrics throughput, p50,");
    assertThat(problems("p99 >= +10%"))
        .containsExactly("found the rule 'p99 >= +10%', expected <= after p99");
    assertThat(problems("throughput >= +5%").get(0))
        .endsWith("expected the largest change for the worse that may pass: -5% or 0%");
    assertThat(problems("p99 <= -5%").get(0)).contains("+5% or +0");
    assertThat(problems("errors <= +1%").get(0))
        .endsWith("expected a number of requests such as +0");
    assertThat(problems("p99 <= +10").get(0)).endsWith("expected a percentage such as +10%");
    for (String change : List.of("-100%", "-101%", "-999999999.5%")) {
      assertThat(problems("throughput >= " + change).get(0))
          .endsWith("expected a change above -100%, as a lower throughput does not exist");
    }
    assertThat(problems("jump p99 <= +10%").get(0))
        .endsWith("expected an operation such as put or get before the metric");
    assertThat(problems("x".repeat(1_000))).hasSize(1);
  }

  @Test
  void a_scenario_has_a_gate() {
    assertThat(ScenarioReader.read("x.yaml", YAML, 1).goals().gate())
        .extracting(GateRule::toString)
        .containsExactly(
            "p99 <= +10%", "throughput >= -5%", "errors <= +0", "step 2 get p99.9 <= +20%");
    assertThat(ScenarioReader.read("x.yaml", YAML.replaceAll("fail-on:.*", ""), 1).goals().gate())
        .isEmpty();
  }

  @Test
  void all_problems_of_a_gate_are_reported_with_their_places() {
    String gate = "fail-on: [p99 <= 10 ms, txn p99 <= +1%, step 3 p50 <= +1%, p50 <= +1%, p50:+1%]";
    Assertions.assertThatThrownBy(
            () -> ScenarioReader.read("x.yaml", YAML.replaceAll("fail-on:.*", gate), 1))
        .isInstanceOfSatisfying(
            InvalidScenarioException.class,
            wrong ->
                assertThat(wrong.problems())
                    .extracting(each -> each.line() + ":" + each.column() + ": " + each.found())
                    .containsExactly(
                        "8:11: the rule 'p99 <= 10 ms'",
                        "8:25: a rule of txn, which the scenario does not have",
                        "8:41: a rule of step 3, but the load has 2 steps",
                        "8:72: the rule 'p50 <= +1%' again"));
  }
}
