// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunOrderTest {
  private static String turns(RunOrder order, int repeats) {
    return IntStream.rangeClosed(1, repeats)
        .mapToObj(repeat -> String.join("", order.of(List.of("A", "B"), repeat)))
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource({"abba, AB BA AB BA", "abab, AB AB AB AB"})
  void databases_take_turns(String text, String turns) {
    RunOrder order = RunOrder.parse(text).orElseThrow();
    assertThat(turns(order, 4)).isEqualTo(turns);
    assertThat(order).hasToString(text);
  }

  @Test
  void a_random_order_is_repeated_with_its_seed() {
    RunOrder order = RunOrder.parse("random").orElseThrow();
    RunOrder same = RunOrder.parse(order.toString()).orElseThrow();
    assertThat(same).isEqualTo(order);
    assertThat(turns(same, 50)).isEqualTo(turns(order, 50)).contains("AB").contains("BA");
    assertThat(turns(RunOrder.parse("random:1").orElseThrow(), 50))
        .isNotEqualTo(turns(RunOrder.parse("random:2").orElseThrow(), 50));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "baab", "random:", "random:x", "random:-1", "abba:1"})
  void other_orders_are_refused(String text) {
    assertThat(RunOrder.parse(text)).isEmpty();
  }
}
