// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.scenario.yaml.InvalidScenarioException;
import io.quorate.scenario.yaml.ScenarioReader;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class ValueSizesTest {
  private static final String YAML =
      """
      title: Some writes
      operation: put
      requests: 1_000
      keys: {size: 16}
      values: {sizes: {30KB: 5, 100: 70, 1KiB: 25}}
      load: {clients: 10}
      databases: [etcd]
      """;

  private static final ValueSizes SIZES =
      new ValueSizes(
          List.of(
              new ValueSizes.Share(100, 70),
              new ValueSizes.Share(1024, 25),
              new ValueSizes.Share(30_000, 5)));

  @Test
  void a_scenario_has_several_sizes_of_values() {
    ValueSizes read = ScenarioReader.read("a.yaml", YAML, 1).requests().values();
    assertThat(read).isEqualTo(SIZES);
    assertThat(read.isFixed()).isFalse();
    assertThat(read.meanBytes()).isEqualTo(1826);
    assertThat(read.leastBytes()).isEqualTo(100);
    assertThat(read.mostBytes()).isEqualTo(30_000);
    assertThat(read).hasToString("100 (70%), 1KiB (25%), 30KB (5%)");
  }

  @Test
  void one_size_is_fixed() {
    String one = YAML.replace("{30KB: 5, 100: 70, 1KiB: 25}", "{1KiB: 3}");
    ValueSizes read = ScenarioReader.read("a.yaml", one, 1).requests().values();
    assertThat(read.isFixed()).isTrue();
    assertThat(read).hasToString("1024 bytes");
  }

  @Test
  void watchers_and_faults_need_values_that_all_contain_their_numbers() {
    String small = YAML.replace("100: 70", "5: 70");
    assertThat(problems(small + "watch: {watchers: 1}\n"))
        .containsExactly(
            "a.yaml:5:27: found 5, expected at least 6, so that each event can be matched to its"
                + " put");
  }

  @Test
  void there_are_1_to_100_sizes() {
    String many =
        IntStream.rangeClosed(1, 101)
            .mapToObj(i -> i + ": 1")
            .collect(java.util.stream.Collectors.joining(", ", "{", "}"));
    String expected =
        ", expected a map of 1 to 100 sizes to their weights, such as {100: 70, 1KiB: 25, 30KB:"
            + " 5}";
    assertThat(problems(YAML.replace("{30KB: 5, 100: 70, 1KiB: 25}", many)))
        .containsExactly("a.yaml:5:17: found 101 sizes" + expected);
    assertThat(problems(YAML.replace("{30KB: 5, 100: 70, 1KiB: 25}", "{}")))
        .containsExactly("a.yaml:5:17: found 0 sizes" + expected);
    assertThatIllegalArgumentException().isThrownBy(() -> new ValueSizes(List.of()));
  }

  private static List<String> problems(String yaml) {
    InvalidScenarioException wrong =
        Assertions.catchThrowableOfType(
            InvalidScenarioException.class, () -> ScenarioReader.read("a.yaml", yaml, 1));
    return List.of(wrong.getMessage().split("\n"));
  }
}
