// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.store.Operation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PhasesTest {
  private static final String PHASES =
      """
      title: Phases
      phases:
        - {operation: put, load: {rate: 100/s}, duration: 10s}
        - {mix: {get: 90, put: 10}, load: {rate: 100/s, ramp: {to: 300/s}}, duration: 10s}
        - {operation: get, load: {clients: 5, think-time: 50ms}, duration: 5s}
      keys: {size: 16, count: 1_000}
      values: {size: 64}
      databases: [etcd]
      """;

  private static final String GROUPS =
      """
      title: Groups
      groups:
        - {operation: range, load: {clients: 3, connections: 1}}
        - {operation: put, load: {rate: 50/s, connections: 2}}
      range: {keys: 10}
      duration: 4s
      keys: {size: 16, count: 1_000}
      values: {size: 64}
      databases: [etcd]
      """;

  @Test
  void phases_are_steps_with_operations_of_their_own() {
    Scenario scenario = read(PHASES, 1);

    assertThat(steps(scenario))
        .map(Step::load)
        .containsExactly(
            "100/s, put",
            "100/s to 300/s, 90% get, 10% put",
            "5 clients that think for 50 ms, get");
    assertThat(steps(scenario)).map(Step::requests).containsExactly(1_000L, 2_000L, 1_000_000_000L);
    assertThat(scenario.requests().mix().operations())
        .containsExactly(Operation.PUT, Operation.GET);
    assertThat(scenario.requests().keys().prepared()).isTrue();
  }

  @Test
  void a_scaled_phase_is_as_much_shorter() {
    assertThat(steps(read(PHASES, 0.5)))
        .map(step -> step.duration().orElseThrow())
        .containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(2_500));
    assertThat(steps(read(PHASES, 0.5))).first().extracting(Step::requests).isEqualTo(500L);
  }

  @Test
  void groups_are_one_step() {
    Step step = steps(read(GROUPS, 1)).get(0);

    assertThat(step.load()).isEqualTo("3 clients, range next to 50/s, put");
    assertThat(step.clients()).isEqualTo(5);
    assertThat(step.connections()).isEqualTo(3);
    assertThat(step.endsByTime()).isTrue();
    assertThat(step.parts()).map(Step::requests).containsExactly(1_000_000_000L, 200L);
  }

  @Test
  void watchers_of_groups_receive_the_puts_of_the_one_that_writes() {
    String watch = "watch: {watchers: 20, streams: 2}\n";
    Step step = steps(read(GROUPS + watch, 1)).get(0);

    assertThat(step.load())
        .endsWith("3 clients, range next to 50/s, put, 20 watchers on 2 streams");
    assertThat(step.watchedParts()).map(Step::requests).containsExactly(200L);
    assertThat(problems(GROUPS.replace("rate: 50/s", "clients: 5") + watch))
        .contains("found the key 'duration' with watchers of puts by clients");
    assertThat(problems(GROUPS.replace("range, load", "delete, load") + watch))
        .contains("the key 'watch' with groups, expected");
    for (String wrong :
        List.of(
            GROUPS + "watch: {watchers: [1, 2]}\n",
            GROUPS + "watch: {watchers: 1, history: 5}\n",
            PHASES + watch)) {
      assertThat(problems(wrong))
          .contains(
              "found the key 'watch' with phases or groups, expected one step, one number of"
                  + " watchers, one group that writes, and no 'history'");
    }
  }

  @Test
  void what_does_not_suit_them_is_refused_with_its_place() {
    assertThat(problems(PHASES + "capacity: {thresholds: [p99 < 5ms]}\nload: {clients: 1}\n"))
        .isEqualTo(
            """
            my.yaml:9:1: found the key 'capacity' together with 'phases', expected one of them
            my.yaml:10:1: found the key 'load' together with 'phases', expected it in each of them\
            """);
    assertThat(problems(GROUPS.replace("operation: put", "mix: {put: 1, range: 1}")))
        .isEqualTo(
            "my.yaml:2:1: found an operation in several groups, expected each operation in one"
                + " group, so that its latency is that of this group");
    assertThat(problems(GROUPS.replace("duration: 4s", "requests: 1_000")))
        .isEqualTo(
            "my.yaml:2:1: found groups without a duration, expected duration, as they end together");
    assertThat(problems(PHASES.replace(", duration: 5s", "")))
        .isEqualTo(
            "my.yaml:5:5: found neither the key 'requests' nor 'duration', expected one of them,"
                + " such as requests: 100_000 or duration: 30s");
    assertThat(problems(PHASES.replace("{clients: 5, think-time: 50ms}", "{clint: 5}")))
        .contains("my.yaml:5:29: found unknown key 'clint'");
  }

  private static List<Step> steps(Scenario scenario) {
    return scenario.databases().get(0).steps();
  }

  private static Scenario read(String text, double scale) {
    return ScenarioReader.read("my.yaml", text, scale);
  }

  private static String problems(String text) {
    return catchThrowableOfType(InvalidScenarioException.class, () -> read(text, 1)).getMessage();
  }
}
