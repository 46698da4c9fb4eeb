// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OlderNamesTest {
  private static final String YAML =
      """
      title: Some requests
      operation: put
      requests: 1_000
      keys: {size: 16}
      values: {size: 8}
      load: {clients: 10}
      databases: [etcd]
      """;

  @Test
  void a_limit_with_its_older_name_means_the_same_and_has_a_hint() {
    String older = YAML + "limits: [errors = 0, shed = 0]\n";
    assertThat(ScenarioReader.read("my.yaml", older, 1).goals().limits())
        .extracting(Object::toString)
        .containsExactly("errors = 0", "dropped = 0");
    assertThat(ScenarioReader.hints("my.yaml", older))
        .containsExactly("my.yaml:8:22: 'shed' is now called 'dropped'");
    assertThat(ScenarioReader.hints("my.yaml", older.replace("shed", "dropped"))).isEmpty();
  }
}
