// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepeatedScenarioTest {
  private static final String YAML =
      """
      title: Some puts
      operation: put
      requests: 1_000
      keys: {size: 16}
      values: {size: 8}
      load: {clients: 2}
      databases: [etcd, zookeeper]
      repeats: 5
      """;

  private static Optional<Matrix> read(String text, int repeats, String... databases) {
    List<Store> chosen = Arrays.stream(databases).map(id -> Stores.byId(id).orElseThrow()).toList();
    OptionalInt often = repeats == 0 ? OptionalInt.empty() : OptionalInt.of(repeats);
    return ScenarioReader.readMatrix("puts.yaml", text, 1, chosen, often);
  }

  private static List<String> ids(Optional<Matrix> matrix) {
    return matrix.orElseThrow().cells().stream().map(Matrix.Cell::id).toList();
  }

  @Test
  void a_repeated_scenario_has_a_cell_for_each_database() {
    Matrix matrix = read(YAML, 0).orElseThrow();
    assertThat(matrix.repeats()).isEqualTo(5);
    assertThat(matrix.axes()).containsExactly("database");
    assertThat(ids(Optional.of(matrix))).containsExactly("001-etcd", "002-zookeeper");
    Scenario cell = matrix.cells().get(1).scenario();
    assertThat(cell.heading().title()).isEqualTo("Some puts: zookeeper");
    assertThat(cell.heading().source())
        .contains("databases: [zookeeper]")
        .doesNotContain("repeats");
    assertThat(ScenarioReader.read("cell.yaml", cell.heading().source(), 1).requests().measured())
        .isEqualTo(1_000);
  }

  @Test
  void the_number_of_an_option_replaces_that_of_the_file() {
    assertThat(read(YAML, 3).orElseThrow().repeats()).isEqualTo(3);
    assertThat(read(YAML, 1)).isEmpty();
    assertThat(read(YAML.replace("repeats: 5", "repeats: 1"), 0)).isEmpty();
    assertThat(read(YAML.replace("repeats: 5", ""), 0)).isEmpty();
    assertThat(read(YAML.replace("repeats: 5", ""), 2).orElseThrow().repeats()).isEqualTo(2);
    assertThat(ScenarioReader.read("puts.yaml", YAML, 1).requests().measured()).isEqualTo(1_000);
  }

  @Test
  void versions_of_a_database_take_turns() {
    Optional<Matrix> matrix = read(YAML, 0, "etcd@3.5.35", "etcd@3.7.3");
    assertThat(ids(matrix)).containsExactly("001-etcd-3.5.35", "002-etcd-3.7.3");
    assertThat(matrix.orElseThrow().cells())
        .extracting(cell -> cell.scenario().databases().get(0).database().id())
        .containsExactly("etcd@3.5.35", "etcd@3.7.3");
    assertThat(ids(read(YAML, 0, "consul"))).containsExactly("001-consul");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{name: before}", "{name: before, settings: {snapshot-count: 1000}}", "{name: b}"})
  void a_named_database_shares_the_load(String before) {
    String named =
        YAML.replace("[etcd, zookeeper]", "{etcd: %s, etcd@3.5.35: {name: a}}".formatted(before));
    assertThat(ids(read(named, 0))).containsExactly("001-etcd", "002-etcd-3.5.35");
    assertThat(read(named, 0).orElseThrow().cells())
        .extracting(cell -> cell.scenario().databases().get(0).steps().get(0).clients())
        .containsExactly(2, 2);
    assertThat(
            read(named, 0)
                .orElseThrow()
                .cells()
                .get(1)
                .scenario()
                .databases()
                .get(0)
                .column()
                .name())
        .hasValue("a");
    String matrix =
        named
            .replace("repeats: 5", "matrix: {repeats: 2, axes: {values: [1, 2]}}")
            .replace("values: {size: 8}\n", "");
    assertThat(ids(read(matrix, 0))).hasSize(4);
  }

  @Test
  void a_name_is_used_once() {
    String twice =
        YAML.replace("[etcd, zookeeper]", "{etcd: {name: a}, zookeeper: {name: a, clients: 3}}");
    assertThatThrownBy(() -> read(twice, 0))
        .hasMessageContaining("found the name 'a' again, expected each name once");
  }

  @Test
  void a_version_has_the_load_of_its_database() {
    String separate =
        YAML.replace("load: {clients: 2}\n", "")
            .replace(
                "databases: [etcd, zookeeper]",
                "databases: {etcd: {clients: 3}, zookeeper: {clients: 4}}");
    assertThat(read(separate, 0, "etcd@3.5.35").orElseThrow().cells())
        .extracting(cell -> cell.scenario().databases().get(0).steps().get(0).clients())
        .containsExactly(3);
    assertThatThrownBy(() -> read(separate, 0, "consul"))
        .hasMessageContaining("puts.yaml:6:12: found no load for consul");
  }

  @Test
  void repeats_do_not_fit_a_capacity_search_and_a_matrix_has_its_own() {
    String matrix = YAML + "matrix: {axes: {operation: [put, get]}}\n";
    assertThatThrownBy(() -> read(matrix, 0))
        .hasMessageContaining("found the key 'repeats' with a matrix, expected it in the matrix");
    assertThatThrownBy(() -> read(YAML.replace("5", "0"), 0))
        .hasMessageContaining("found 0, expected a whole number from 1 to 100");
    assertThatThrownBy(() -> read(YAML.replace("5", "many"), 0)).hasMessageContaining("many");
    String search =
        YAML.replace("requests: 1_000\n", "") + "capacity: {thresholds: [p99 <= 20 ms]}\n";
    assertThatThrownBy(
            () -> read(search.replace("keys: {size: 16}", "keys: {size: 16, count: 9}"), 0))
        .hasMessageContaining("the key 'capacity' with repeats");
  }
}
