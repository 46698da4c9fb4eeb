// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.scenario.StoreLoad;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtherClientsTest {
  /** A database with its own load, one with a load and settings, and two that share the load. */
  private static final String UNEQUAL =
      """
      # a comment
      title: 'Writes: many'
      description: |
        First line.
        Second line.
      operation: put
      requests: 100_000
      keys: {size: 16, distribution: uniform, count: 1_000}
      values: {size: 1024}
      load: {clients: 20, connections: 5}
      databases:
        etcd: {clients: 1_000, connections: 100, settings: {snapshot-count: 100_000}}
        zookeeper: {steps: [1, 700]}
        consul:
        memory: {name: map}
      timeout: 30s
      """;

  @Test
  void every_database_has_the_clients_of_the_option() {
    Scenario scenario = read(UNEQUAL, "500");

    assertThat(scenario.databases())
        .allSatisfy(
            load -> {
              assertThat(load.steps()).extracting(Step::clients).containsExactly(500);
              assertThat(load.steps()).extracting(Step::connections).containsExactly(500);
            });
    assertThat(scenario.heading().title()).isEqualTo("Writes: many (--clients 500)");
  }

  @Test
  void everything_else_is_that_of_the_file() {
    Scenario before = ScenarioReader.read("my.yaml", UNEQUAL, 1);
    Scenario after = read(UNEQUAL, "500");

    assertThat(after.heading().description()).isEqualTo(before.heading().description());
    assertThat(after.requests().measured()).isEqualTo(before.requests().measured());
    assertThat(after.requests().keys()).isEqualTo(before.requests().keys());
    assertThat(after.requests().timeout()).isEqualTo(before.requests().timeout());
    assertThat(after.databases())
        .extracting(StoreLoad::column)
        .isEqualTo(before.databases().stream().map(StoreLoad::column).toList());
  }

  @Test
  void several_numbers_are_steps() {
    assertThat(read(UNEQUAL, "1, 10,100").databases())
        .allSatisfy(
            load -> assertThat(load.steps()).extracting(Step::clients).containsExactly(1, 10, 100));
  }

  @Test
  void databases_may_be_a_list_or_a_map_on_one_line() {
    String list = UNEQUAL.replaceAll("(?s)databases:.*", "databases: [etcd, consul]\n");
    String map =
        UNEQUAL.replaceAll("(?s)databases:.*", "databases: {etcd: {clients: 5}, consul: }\n");

    for (String each : List.of(list, map)) {
      assertThat(read(each, "7").databases())
          .hasSize(2)
          .allSatisfy(
              load -> assertThat(load.steps()).extracting(Step::clients).containsExactly(7));
    }
  }

  @Test
  void a_limit_and_a_connection_for_each_request_stay() {
    String text =
        UNEQUAL.replaceAll(
            "(?s)load:.*", "load: {clients: 9, max-rate: 1_000/s}\ndatabases: [etcd]\n");

    assertThat(read(text, "50").databases().get(0).steps().get(0).model())
        .isEqualTo(new LoadModel.Closed(50, OptionalLong.of(1_000)));
    assertThat(
            read(text.replace("max-rate: 1_000/s", "connections: per-request"), "50")
                .databases()
                .get(0)
                .steps()
                .get(0)
                .model())
        .isEqualTo(new LoadModel.Closed(50, OptionalLong.empty(), true));
  }

  @Test
  void the_same_option_again_changes_nothing() {
    String once = ScenarioReader.withClients("my.yaml", UNEQUAL, "500");

    assertThat(ScenarioReader.withClients("my.yaml", once, "500")).isEqualTo(once);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "many => --clients: found 'many', expected a whole number from 1 to",
        "0 => --clients: found 0, expected a whole number from 1 to",
        "10,,100 => --clients: found ",
        "200_000 => --clients: found 200_000, expected ",
        "5, max-rate: 3/s => --clients: found ",
      })
  void wrong_numbers_are_reported_by_the_option(String numbers, String message) {
    assertThatThrownBy(() -> read(UNEQUAL, numbers))
        .isExactlyInstanceOf(QuorateException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void a_number_cannot_add_keys_to_the_scenario() {
    assertThatThrownBy(() -> read(UNEQUAL, "5\nmembers: 1"))
        .hasMessageStartingWith("--clients: found ");
  }

  @Test
  void a_scenario_without_clients_is_refused() {
    String rate = UNEQUAL.replaceAll("(?s)load:.*", "load: {rate: 5/s}\ndatabases: [etcd]\n");
    String matrix = rate.replace("load: {rate: 5/s}", "matrix: {axes: {load: [1, 10]}}");

    assertThatThrownBy(() -> read(rate, "5"))
        .hasMessage(
            "--clients: found a load of a rate, expected a scenario with clients: leave the option"
                + " out");
    assertThatThrownBy(() -> read(matrix, "5"))
        .hasMessage("--clients: found a matrix of runs, expected a scenario of one run");
  }

  @Test
  void problems_of_the_file_have_their_places_in_it() {
    assertThatThrownBy(() -> read(UNEQUAL.replace("100_000\nkeys", "none\nkeys"), "5"))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessageStartingWith("my.yaml:7:11: found 'none'");
  }

  private static Scenario read(String text, String clients) {
    return ScenarioReader.read("my.yaml", ScenarioReader.withClients("my.yaml", text, clients), 1);
  }
}
