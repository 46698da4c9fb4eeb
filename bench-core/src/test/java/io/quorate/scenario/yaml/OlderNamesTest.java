// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.scenario.Matrix;
import io.quorate.scenario.Scenario;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class OlderNamesTest {
  private static final String NOW =
      """
      title: Some requests
      operation: get
      requests: 1_000
      keys: {size: 16, count: 100, distribution: hotspot, hotspot: {keys: 10, requests: 90}}
      values: {size: 8}
      consistency: serializable
      load: {rate: 100/s, arrivals: constant, max-in-flight: 50}
      databases:
        etcd: {clients: 10, max-rate: 10/s}
        zookeeper:
      thresholds: [errors = 0, dropped = 0]
      capacity: {thresholds: [dropped = 0]}
      fail-on: [p99 <= +10%]
      """;

  private static final String OLDER =
      """
      title: Some requests
      operation: get
      requests: 1_000
      keys: {size: 16, count: 100, order: hot-set, hot-set: {keys: 10, requests: 90}}
      values: {size: 8}
      reads: stale
      load: {rate: 100/s, arrivals: uniform, outstanding: 50}
      databases:
        etcd: {clients: 10, limit: 10/s}
        zookeeper:
      limits: [errors = 0, shed = 0]
      capacity: {limits: [shed = 0]}
      gate: [p99 <= +10%]
      """;

  @Test
  void older_names_mean_the_same() {
    Scenario now = ScenarioReader.read("my.yaml", NOW, 1);
    Scenario older = ScenarioReader.read("my.yaml", OLDER, 1);

    assertThat(older.requests()).isEqualTo(now.requests());
    assertThat(older.databases()).isEqualTo(now.databases());
    assertThat(older.goals()).isEqualTo(now.goals());
  }

  @Test
  void each_has_a_hint() {
    assertThat(ScenarioReader.hints("my.yaml", OLDER))
        .containsExactly(
            "my.yaml:4:37: 'hot-set' is now called 'hotspot'",
            "my.yaml:4:30: 'order' is now called 'distribution'",
            "my.yaml:4:46: 'hot-set' is now called 'hotspot'",
            "my.yaml:6:1: 'reads' is now called 'consistency'",
            "my.yaml:7:31: 'uniform' is now called 'constant'",
            "my.yaml:7:40: 'outstanding' is now called 'max-in-flight'",
            "my.yaml:9:23: 'limit' is now called 'max-rate'",
            "my.yaml:11:22: 'shed' is now called 'dropped'",
            "my.yaml:11:1: 'limits' is now called 'thresholds'",
            "my.yaml:12:21: 'shed' is now called 'dropped'",
            "my.yaml:12:12: 'limits' is now called 'thresholds'",
            "my.yaml:13:1: 'gate' is now called 'fail-on'");
    assertThat(ScenarioReader.hints("my.yaml", NOW)).isEmpty();
  }

  @Test
  void a_file_with_both_names_of_a_key_is_refused_where_the_older_one_is() {
    assertThatThrownBy(() -> ScenarioReader.read("my.yaml", NOW + "limits: [errors = 0]\n", 1))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessage(
            "my.yaml:14:1: found the key 'limits' together with 'thresholds', expected only"
                + " 'thresholds': 'limits' is its older name");
  }

  @Test
  void axes_and_keys_of_their_values_may_have_older_names() {
    String now =
        """
        title: A matrix
        operation: get
        requests: 1_000
        keys: {size: 16, count: 100}
        load: {clients: 10}
        databases: [etcd]
        matrix:
          axes:
            variant:
              few: {keys: {size: 16, count: 100, distribution: random}}
              many: {thresholds: [errors = 0], values: {size: 9}}
            consistency: [linearizable, default]
            routing: [leader, followers]
            load: {slow: {clients: 10, max-rate: 10/s}}
            values: [256]
        """;
    String older =
        now.replace("variant:", "case:")
            .replace("distribution:", "order:")
            .replace("thresholds:", "limits:")
            .replace("consistency:", "reads:")
            .replace("routing:", "target:")
            .replace("max-rate:", "limit:")
            .replace("values: [", "value-size: [");

    assertThat(matrix(older).axes())
        .containsExactly("database", "variant", "consistency", "routing", "load", "values");
    assertThat(matrix(older).cells())
        .extracting(Matrix.Cell::id)
        .isEqualTo(matrix(now).cells().stream().map(Matrix.Cell::id).toList());
    assertThat(matrix(older).cells().get(4).scenario().goals().limits()).hasSize(1);
    assertThat(ScenarioReader.hints("my.yaml", older)).hasSize(7);
  }

  private static Matrix matrix(String text) {
    return ScenarioReader.readMatrix("my.yaml", text, 1, List.of(), OptionalInt.empty())
        .orElseThrow();
  }
}
