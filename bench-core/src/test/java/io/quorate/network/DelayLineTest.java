// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class DelayLineTest {
  @Test
  void a_thing_arrives_at_its_time_and_not_before() {
    Direction.DelayLine<String> line = new Direction.DelayLine<>(0);
    line.add("a", 10, 100);

    assertThat(line.nextNanos()).hasValue(100);
    assertThat(line.poll(99)).isEmpty();
    assertThat(line.poll(100)).contains("a");
    assertThat(line.poll(100)).isEmpty();
    assertThat(line.nextNanos()).isEmpty();
  }

  @Test
  void nothing_arrives_before_the_connection_is_made() {
    Direction.DelayLine<String> line = new Direction.DelayLine<>(1_000);
    line.add("a", 10, 100);

    assertThat(line.nextNanos()).hasValue(1_000);
  }

  @Test
  void the_bytes_on_their_way_are_counted() {
    Direction.DelayLine<String> line = new Direction.DelayLine<>(0);
    line.add("a", 10, 100);
    line.add("b", 5, 200);
    assertThat(line.bytes()).isEqualTo(15);
    line.poll(150);
    assertThat(line.bytes()).isEqualTo(5);
  }

  @Property(seed = "1")
  void nothing_overtakes_another_whenever_it_is_said_to_arrive(
      @ForAll List<@LongRange(max = 1_000) Long> arrivals) {
    Direction.DelayLine<Integer> line = new Direction.DelayLine<>(0);
    for (int i = 0; i < arrivals.size(); i++) {
      line.add(i, 1, arrivals.get(i));
    }
    List<Integer> order = new ArrayList<>();
    for (long now = 0; now <= 1_000; now++) {
      for (var next = line.poll(now); next.isPresent(); next = line.poll(now)) {
        assertThat(now).isGreaterThanOrEqualTo(arrivals.get(next.get()));
        order.add(next.get());
      }
    }

    assertThat(order).hasSameSizeAs(arrivals).isSorted();
  }
}
