// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.scenario.StoreLoad;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtherNumbersTest {
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

  private static final String RATE =
      UNEQUAL.replaceAll("(?s)load:.*", "load: {rates: [5/s, 10/s]}\ndatabases: [etcd]\n");

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
        .isEqualTo(new LoadModel.Closed(50, OptionalLong.empty(), true, Optional.empty()));
  }

  @Test
  void the_same_option_again_changes_nothing() {
    Map<String, String> option = Map.of("clients", "500");
    String once = ScenarioReader.with("my.yaml", UNEQUAL, option);

    assertThat(ScenarioReader.with("my.yaml", once, option)).isEqualTo(once);
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
  void the_clients_of_a_rate_are_its_connections() {
    Step step = with(RATE, Map.of("clients", "7")).databases().get(0).steps().get(0);

    assertThat(step.connections()).isEqualTo(7);
    assertThat(step.model()).isInstanceOf(LoadModel.Open.class);
  }

  @Test
  void rates_are_replaced_or_multiplied() {
    assertThat(rates(with(RATE, Map.of("rate", "300")))).containsExactly(300L);
    assertThat(rates(with(RATE, Map.of("rate", "x2")))).containsExactly(10L, 20L);
    assertThat(rates(with(RATE, Map.of("rate", "x0.2")))).containsExactly(1L, 2L);
    assertThat(with(RATE, Map.of("rate", "x2")).heading().title())
        .isEqualTo("Writes: many (--rate x2)");
    String limited =
        UNEQUAL.replaceAll(
            "(?s)load:.*", "load: {clients: 9, max-rate: 1_000/s}\ndatabases: [etcd]\n");
    assertThat(with(limited, Map.of("rate", "x3")).databases().get(0).steps().get(0).model())
        .isEqualTo(new LoadModel.Closed(9, OptionalLong.of(3_000)));
  }

  @Test
  void lengths_sizes_and_thresholds_are_replaced() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("duration", "20s");
    options.put("value.size", "2KiB");
    options.put("threshold", "p99 <= 7 ms, errors = 0");
    Scenario scenario = with(UNEQUAL, options);

    assertThat(scenario.databases().get(0).endsByTime()).isTrue();
    assertThat(scenario.requests().values().leastBytes()).isEqualTo(2_048);
    assertThat(scenario.goals().limits())
        .extracting(Object::toString)
        .containsExactly("p99 <= 7 ms", "errors = 0");
    assertThat(scenario.heading().title())
        .isEqualTo(
            "Writes: many (--duration 20s, --value-size 2KiB, --threshold p99 <= 7 ms, errors = 0)");
    assertThat(with(UNEQUAL, Map.of("requests", "50_000")).databases().get(1).requests())
        .isEqualTo(50_000);
  }

  @Test
  void the_runs_of_a_matrix_have_them_unless_an_axis_has() {
    String matrix = UNEQUAL + "matrix: {axes: {values: [16, 32]}}\n";

    assertThat(ScenarioReader.with("my.yaml", matrix, Map.of("requests", "50_000")))
        .contains("requests: 50_000");
    assertThatThrownBy(() -> ScenarioReader.with("my.yaml", matrix, Map.of("value.size", "64")))
        .hasMessage(
            "--value-size: found a matrix with different values of 'values', expected no option:"
                + " change a copy of the file");
  }

  @Test
  void sizes_of_data_replace_the_variants_of_a_matrix() {
    String matrix =
        UNEQUAL
            .replaceAll("(?s)databases:.*", "databases: [etcd, consul]\n")
            .concat(
                "matrix: {repeats: 2, axes: {variant: {x: {values: {size: 1}}}, load: [1, 2]}}\n");

    String text = ScenarioReader.with("my.yaml", matrix, Map.of("data.size", "0.5GB,1MB"));
    Matrix sizes =
        ScenarioReader.readMatrix("my.yaml", text, 1, List.of(), OptionalInt.empty()).orElseThrow();

    assertThat(sizes.axes()).containsExactly("database", "load", "variant");
    assertThat(sizes.cells()).hasSize(8);
    assertThat(sizes.cells().subList(0, 2))
        .extracting(each -> each.scenario().requests().keys().count())
        .containsExactly(962L, 480_769L);
    assertThat(sizes.repeats()).isEqualTo(2);
    assertThat(sizes.title()).isEqualTo("Writes: many (--data-size 0.5GB,1MB)");
  }

  @Test
  void sizes_of_data_make_a_matrix() {
    String text = ScenarioReader.with("my.yaml", RATE, Map.of("data.size", "2MB"));

    assertThat(text).contains("2MB:").contains("count: 1923");
    assertThatThrownBy(() -> ScenarioReader.with("my.yaml", RATE, Map.of("data.size", "2MB,much")))
        .hasMessage("--data-size: found 'much', expected sizes such as 100MB or 0.5GB");
    assertThatThrownBy(
            () -> ScenarioReader.with("my.yaml", RATE, Map.of("data.size", "1GB,1000MB")))
        .hasMessage("--data-size: found '1000MB' again, expected each size once");
  }

  @Test
  void data_of_a_size_is_refused_if_requests_create_their_keys() {
    String creates = RATE.replace("distribution: uniform, ", "distribution: sequential, ");

    assertThatThrownBy(
            () -> ScenarioReader.with("my.yaml", creates, Map.of("data.size", "1MB,1GB")))
        .hasMessage(
            "--data-size: found puts that create their keys, expected keys that are written before,"
                + " as with 'keys: {distribution: uniform}'");
  }

  @Test
  void data_of_a_size_has_no_place_where_values_differ() {
    String matrix = RATE + "matrix: {axes: {values: [16, 16_384]}}\n";

    assertThatThrownBy(() -> ScenarioReader.with("my.yaml", matrix, Map.of("data.size", "1GB")))
        .hasMessageContaining("--data-size: found a matrix with different values of 'values'");
  }

  @Test
  void a_factor_multiplies_the_end_of_a_ramp_too() {
    String ramp =
        RATE.replaceFirst("load: .*", "load: {rate: 100/s, ramp: {to: 1_000/s}}")
            .replaceFirst("requests: .*", "duration: 10s");

    assertThat(ScenarioReader.with("my.yaml", ramp, Map.of("rate", "x2")))
        .contains("200/s")
        .contains("to: 2000/s");
  }

  @Test
  void the_load_of_a_cluster_of_kubernetes_has_its_size() {
    String nodes =
        """
        title: Nodes
        kubernetes: {version: 1.37, nodes: 100, pods-per-node: 30, api-servers: 1}
        duration: 60s
        databases: [etcd]
        """;

    assertThatThrownBy(() -> ScenarioReader.with("my.yaml", nodes, Map.of("rate", "x2")))
        .hasMessage(
            "--rate: found a scenario with 'kubernetes', expected the size of the cluster: use"
                + " --nodes or --pod-changes");
  }

  private static final String PHASES =
      """
      title: Phases
      phases:
        - {operation: put, load: {rate: 100/s, ramp: {to: 300/s}}, duration: 10s}
        - {operation: get, load: {steps: [1, 20]}, requests: 1000}
        - duration: 10s
          groups:
            - {mix: {get: 1, put: 1}, load: {clients: 6, connections: 3, max-rate: 1_000/s}}
            - {operation: exists, load: {rate: 5/s, connections: 2}}
      keys: {size: 16, count: 100}
      values: {size: 64}
      databases: [etcd]
      """;

  @Test
  void the_rates_or_clients_of_phases_and_groups_are_multiplied() {
    assertThat(loads(with(PHASES, Map.of("rate", "x2"))))
        .containsExactly(
            "200/s to 600/s, put",
            "1 client, get",
            "20 clients, get",
            "6 clients, 50% get, 50% put next to 10/s, exists");
    Scenario scenario = with(PHASES, Map.of("clients", "x3"));
    assertThat(loads(scenario))
        .containsExactly(
            "100/s to 300/s, put",
            "3 clients, get",
            "60 clients, get",
            "18 clients, 50% get, 50% put next to 5/s, exists");
    assertThat(scenario.databases().get(0).steps().get(3).parts())
        .map(Step::connections)
        .containsExactly(9, 6);
    assertThat(with(UNEQUAL, Map.of("clients", "x2")).databases())
        .extracting(load -> load.steps().get(load.steps().size() - 1).clients())
        .containsExactly(2_000, 1_400, 40, 40);
  }

  private static List<String> loads(Scenario scenario) {
    return scenario.databases().get(0).steps().stream().map(Step::load).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "rate => 50 => a multiple of those that they have, such as x2",
        "clients => 50 => a multiple of those that they have, such as x2",
        "duration => 5s => --scale, for a part of each phase",
        "requests => 500 => --scale, for a part of each phase",
      })
  void phases_keep_what_they_have_separately(String option, String value, String expected) {
    assertThatThrownBy(() -> with(PHASES, Map.of(option, value)))
        .hasMessage(
            "--%s: found a scenario with 'phases', expected %s".formatted(option, expected));
  }

  @Test
  void keys_are_written_beforehand_if_the_number_of_requests_is_no_longer_known() {
    String creates =
        """
        title: Creates
        operation: put
        requests: 15_000
        keys: {size: 16}
        values: {size: 64}
        load: {clients: 5}
        databases: [etcd]
        """;

    assertThat(with(creates, Map.of("duration", "5s")).requests().keys())
        .matches(keys -> keys.count() == 15_000 && keys.prepared());
    assertThat(with(creates.replace("15_000", "2_000_000"), Map.of("duration", "5s")))
        .matches(scenario -> scenario.requests().keys().count() == 1_000_000);
    String rate = creates.replace("clients: 5", "rate: 5/s");
    assertThat(with(rate, Map.of("duration", "5s")).requests().keys())
        .matches(keys -> keys.count() == 25 && !keys.prepared());
    assertThat(with(creates.replace("put", "get"), Map.of("duration", "5s")).requests().keys())
        .matches(keys -> keys.count() == 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "rate => x2 => --rate: found a load of clients, which send as fast as the database answers,",
        "rate => fast => --rate: found ",
        "duration => soon => --duration: found 'soon', expected ",
        "value.size => 9TB => --value-size: found ",
        "threshold => p99 => --threshold: found ",
      })
  void an_option_without_a_place_is_refused(String option, String value, String message) {
    assertThatThrownBy(
            () -> with(option.equals("rate") ? closed(value) : UNEQUAL, Map.of(option, value)))
        .isExactlyInstanceOf(QuorateException.class)
        .hasMessageStartingWith(message);
  }

  private static String closed(String rate) {
    return rate.startsWith("x") ? UNEQUAL : RATE;
  }

  @Test
  void requests_and_a_duration_exclude_each_other() {
    assertThatThrownBy(() -> with(UNEQUAL, Map.of("requests", "1000", "duration", "5s")))
        .hasMessage("--duration: found it together with --requests, expected one of them");
  }

  private static List<Long> rates(Scenario scenario) {
    return scenario.databases().get(0).steps().stream()
        .map(step -> ((LoadModel.Open) step.model()).ratePerSecond())
        .toList();
  }

  @Test
  void problems_of_the_file_have_their_places_in_it() {
    assertThatThrownBy(() -> read(UNEQUAL.replace("100_000\nkeys", "none\nkeys"), "5"))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessageStartingWith("my.yaml:7:11: found 'none'");
  }

  private static Scenario read(String text, String clients) {
    return with(text, Map.of("clients", clients));
  }

  private static Scenario with(String text, Map<String, String> options) {
    return ScenarioReader.read("my.yaml", ScenarioReader.with("my.yaml", text, options), 1);
  }
}
