// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.yaml.ScenarioReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduledPartsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{rate: 50/s}                      | false, false, true, false, true",
        "{clients: 5}                      | false, false, false, false, false",
        "{clients: 5, max-rate: 50/s}      | false, false, false, false, false",
      })
  void every_second_part_of_the_warm_up_of_an_open_loop_is_on_schedule(String load, String parts) {
    String yaml =
        """
        title: Warm-up
        operation: put
        requests: 100
        keys: {size: 8}
        values: {size: 8}
        load: %s
        databases: [etcd]
        """
            .formatted(load);
    ScheduledParts scheduled =
        new ScheduledParts(ScenarioReader.read("w.yaml", yaml, 1).databases().get(0), 1);
    List<String> present = new ArrayList<>(List.of(String.valueOf(scheduled.isPresent())));
    for (int part = 1; part < 5; part++) {
      scheduled.next();
      present.add(String.valueOf(scheduled.isPresent()));
    }
    assertThat(String.join(", ", present)).isEqualTo(parts);
  }
}
