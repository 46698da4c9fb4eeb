// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.etcd.EtcdStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scales the requests of scenarios. */
class ScenarioScaleTest {
  @Test
  void scale_takes_part_of_the_requests_and_of_the_keys_that_follow_from_them() {
    Scenario scenario = ScenarioReader.read("writes.yaml", ScenarioTexts.SHORTEST, 0.01);

    assertThat(scenario.scale()).isEqualTo(0.01);
    assertThat(scenario.requests().measured()).isEqualTo(10_000);
    assertThat(scenario.requests().warmUp()).isEqualTo(1_000);
    assertThat(scenario.requests().keys().count()).isEqualTo(10_000);
    assertThat(scenario.load(EtcdStore.STORE).orElseThrow().requests()).isEqualTo(10_000);
  }

  @Test
  void scale_takes_part_of_a_given_warm_up_but_not_of_a_given_count_of_keys() {
    Scenario scenario = ScenarioReader.read("all.yaml", ScenarioTexts.LONGEST, 0.5);

    assertThat(scenario.requests().measured()).isEqualTo(15_000);
    assertThat(scenario.requests().warmUp()).isEqualTo(250);
    assertThat(scenario.requests().keys().count()).isEqualTo(2_000);
  }

  @Test
  void scale_leaves_every_client_of_every_database_a_request() {
    Scenario scenario = ScenarioReader.read("all.yaml", ScenarioTexts.LONGEST, 0.000001);

    assertThat(scenario.requests().measured()).isEqualTo(1_000);
    assertThat(scenario.databases()).allMatch(load -> load.requests() == 1_000);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.5, 1.0001, Double.NaN, Double.POSITIVE_INFINITY})
  void a_scale_out_of_bounds_is_refused(double scale) {
    assertThatThrownBy(() -> ScenarioReader.read("writes.yaml", ScenarioTexts.SHORTEST, scale))
        .isExactlyInstanceOf(QuorateException.class)
        .hasMessage(
            "The scale is "
                + scale
                + ", but it must be a number above 0 and at most 1, such as 0.01 for a hundredth of"
                + " the requests.");
  }

  @ParameterizedTest
  @CsvSource({"1,1.0", "0.01,0.01", ".5,0.5", "1.0,1.0"})
  void a_scale_is_a_decimal_number(String text, double scale) {
    assertThat(ScenarioReader.scale(text)).isEqualTo(scale);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "0.0", "2", "-1", "0,5", "1%", "NaN", "1d", "0x1p-1", " 1"})
  void a_scale_that_is_none_is_refused(String text) {
    assertThatThrownBy(() -> ScenarioReader.scale(text))
        .isExactlyInstanceOf(QuorateException.class)
        .hasMessageStartingWith("The scale is '" + text + "', but it must be a number above 0");
  }
}
