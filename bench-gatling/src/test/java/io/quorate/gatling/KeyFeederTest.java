// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static io.quorate.gatling.QuorateDsl.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.load.workload.KeySequence;
import io.quorate.load.workload.ValueSource;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.ValueSizes;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeyFeederTest {
  private static List<Object> fed(KeyFeeder feeder, String attribute, int number) {
    return Stream.generate(feeder::next).limit(number).map(each -> each.get(attribute)).toList();
  }

  @Test
  void keys_come_in_order_from_the_first_and_from_the_start_again() {
    assertThat(fed(keys(3).size(4), "key", 4)).containsExactly("0000", "0001", "0002", "0000");
    assertThat(fed(keys(2).size(6).prefix("a/").first(7), "key", 3))
        .containsExactly("a/0007", "a/0008", "a/0007");
  }

  @ParameterizedTest
  @EnumSource(names = "LATEST", mode = EnumSource.Mode.EXCLUDE)
  void keys_and_values_are_those_of_a_scenario(KeySpace.Order order) {
    KeyFeeder feeder = keys(1000).size(12).prefix("x/").seed(7).values(Map.of(10, 3, 100, 1));
    KeyFeeder ordered =
        switch (order) {
          case SEQUENTIAL -> feeder.inOrder();
          case RANDOM -> feeder.shuffled();
          case UNIFORM -> feeder.uniform();
          case ZIPFIAN -> feeder.zipf();
          default -> feeder.hotspot(10, 90);
        };
    KeySpace space = new KeySpace(12, order, 1000, true, new KeySpace.HotSet(10, 90), 0, "x/");
    KeySequence expected = KeySequence.measured(space, 7);
    ValueSizes sizes =
        new ValueSizes(List.of(new ValueSizes.Share(10, 3), new ValueSizes.Share(100, 1)));
    ValueSource values = new ValueSource(sizes, 1L << 40, 7);
    for (int i = 0; i < 500; i++) {
      Map<String, Object> next = ordered.next();
      assertThat(next.get("key").toString())
          .asString()
          .isEqualTo(new String(expected.ofRequest(i)));
      assertThat(next.get("value").toString()).isEqualTo(new String(values.at(i)));
    }
  }

  @Test
  void the_latest_keys_are_those_that_another_feeder_has_just_fed() {
    KeyFeeder writes = keys(1000).size(8);
    fed(writes, "key", 600);
    List<Object> read = fed(keys(1).latest(writes), "key", 200);
    assertThat(read).contains("00000599");
    long recent =
        read.stream()
            .mapToLong(each -> Long.parseLong(each.toString()))
            .filter(n -> n >= 500 && n < 600)
            .count();
    assertThat(recent).isGreaterThan(100);
  }

  @Test
  void only_keys_that_were_fed_are_the_latest() {
    for (KeyFeeder writes :
        List.of(
            keys(100_000).size(8),
            keys(100_000).size(8).uniform(),
            keys(100_000).size(8).shuffled())) {
      List<Object> written = fed(writes, "key", 50);
      assertThat(written).containsAll(fed(keys(1).latest(writes), "key", 500));
    }
  }

  @Test
  void every_method_returns_a_feeder_that_begins_anew() {
    KeyFeeder feeder = keys(10).size(2);
    assertThat(fed(feeder, "key", 2)).containsExactly("00", "01");
    assertThat(fed(feeder.seed(2), "key", 1)).containsExactly("00");
    assertThat(fed(feeder, "key", 1)).containsExactly("02");
    assertThat(feeder.hasNext()).isTrue();
  }

  @Test
  void keys_that_are_too_short_are_refused() {
    assertThatThrownBy(() -> keys(1001).size(6).prefix("abc"))
        .hasMessage("1,001 keys from abc0 on have no room in 6 bytes");
    assertThatThrownBy(() -> keys(10).size(-1)).hasMessageContaining("no room in -1 bytes");
    assertThatThrownBy(() -> keys(0)).hasMessageContaining("count >= 1");
    assertThatThrownBy(() -> keys(1).first(-1)).hasMessageContaining("first >= 0");
    assertThatThrownBy(() -> keys(1).values(-1)).hasMessageContaining("found -1 bytes");
    assertThat(fed(keys(100).prefix("a-long-prefix-of-keys/"), "key", 1))
        .containsExactly("a-long-prefix-of-keys/00");
  }

  @Test
  void the_latest_keys_come_with_the_values_and_the_seed_of_their_reader() {
    KeyFeeder writes = keys(1000).size(8);
    fed(writes, "key", 500);
    KeyFeeder reads = keys(1).seed(2).values(5).latest(writes);
    assertThat(reads.next().get("value").toString()).hasSize(5);
    assertThat(fed(reads, "key", 50)).isNotEqualTo(fed(reads.seed(3), "key", 50));
    assertThat(writes.next()).doesNotContainKey("value");
  }
}
