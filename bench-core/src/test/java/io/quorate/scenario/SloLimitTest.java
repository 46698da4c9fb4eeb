// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.yaml.ScenarioReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SloLimitTest {
  private static final String YAML =
      """
      title: Limits
      mix: {get: 9, put: 1}
      requests: 1_000
      keys: {size: 16, count: 100, distribution: uniform}
      values: {size: 8}
      load: {steps: [1, 2]}
      databases: [memory]
      thresholds:
        - p99 < 50 ms
        - step 2: p99.9 < 100 ms
        - get p50 <= 200us
        - errors = 0
        - dropped < 1%
        - {step 1: get max < 1.5 s}
      """;

  @Test
  void limits_are_read_with_and_without_a_colon() {
    assertThat(ScenarioReader.read("x.yaml", YAML, 1).goals().limits())
        .extracting(SloLimit::toString)
        .containsExactly(
            "p99 < 50 ms",
            "step 2 p99.9 < 100 ms",
            "get p50 <= 200 us",
            "errors = 0",
            "dropped < 1%",
            "step 1 get max < 1.5 s");
  }

  @ParameterizedTest
  @CsvSource({
    "p99 < 50 ms, p99 < 50 ms",
    "p99<50ms, p99 < 50 ms",
    "p99.99 <= 1.5s, p99.99 <= 1.5 s",
    "p100 < 2 s, p100 < 2 s",
    "errors<=0.1%, errors <= 0.1%",
    "dropped=0, dropped = 0",
    "get dropped<1%, get dropped < 1%",
    "shed = 0, dropped = 0",
    "throughput >= 5_000/s, throughput >= 5000/s",
    "step 12: compare-and-set: mean < 900 us, step 12 compare-and-set mean < 900 us",
    "write max < 1 s, put max < 1 s"
  })
  void each_form_means_the_same_when_it_is_read_again(String text, String shown) {
    SloLimit limit = SloLimit.parse(text).orElseThrow();
    assertThat(limit).hasToString(shown);
    assertThat(SloLimit.parse(shown)).hasValue(limit);
  }

  @ParameterizedTest
  @CsvSource({
    "p99 < 50 ms, 49.9, 50",
    "p99 <= 0.05 s, 50, 50.1",
    "mean < 900 us, 0.8, 0.9",
    "throughput > 5000/s, 5000.1, 5000",
    "throughput >= 5000/s, 5000, 4999",
    "errors = 0, 0, 1",
    "errors <= 0.1%, 0.1, 0.11",
    "dropped < 1%, 0.9, 1"
  })
  void a_value_keeps_it_or_not(String text, double kept, double broken) {
    SloLimit limit = SloLimit.parse(text).orElseThrow();
    assertThat(limit.isKeptBy(kept)).isTrue();
    assertThat(limit.isKeptBy(broken)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "''",
    "p0 < 1 ms",
    "p99",
    "p99 <",
    "p99 < 5 ms 3",
    "step: p99 < 5 ms",
    "errors = 1.5",
    "p99 < 0 ms",
    "errors < 0",
    "errors < 0%",
    "throughput < 0/s",
    "max <= 0.0 s",
    "errors <= 200%",
    "dropped < 100.1%"
  })
  void anything_else_is_none(String text) {
    assertThat(SloLimit.parse(text)).isEmpty();
  }
}
