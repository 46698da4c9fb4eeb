// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class WireTest {
  private static final long NOW = 1_000_000_000;

  @Test
  void half_of_the_round_trip_is_added_in_each_direction() {
    Wire wire = new Wire(Link.of(Duration.ofMillis(3)), 1);

    assertThat(wire.arrivalNanos(NOW, 1)).isEqualTo(NOW + 1_500_000);
    assertThat(wire.arrivalNanos(NOW, 1_000_000)).isEqualTo(NOW + 1_500_000);
    assertThat(wire.lifeNanos()).isNegative();
  }

  @Test
  void bytes_follow_each_other_as_fast_as_the_bandwidth_lets_them() {
    Wire wire = new Wire(link(2_000_000, 0, 8_000_000), 1);

    assertThat(wire.arrivalNanos(NOW, 1_000)).isEqualTo(NOW + 1_000_000 + 1_000_000);
    assertThat(wire.arrivalNanos(NOW, 500)).isEqualTo(NOW + 1_500_000 + 1_000_000);
    long later = NOW + 100_000_000;
    assertThat(wire.arrivalNanos(later, 1_000)).isEqualTo(later + 1_000_000 + 1_000_000);
  }

  @Property(seed = "1")
  void the_bandwidth_is_kept_whatever_is_sent(
      @ForAll @LongRange(min = 64_000, max = 100_000_000_000L) long bitsPerSecond,
      @ForAll @Size(min = 1, max = 200) List<@IntRange(min = 1, max = 65_536) Integer> sizes) {
    Wire wire = new Wire(link(0, 0, bitsPerSecond), 1);
    long bytes = 0;
    long last = NOW;
    for (int size : sizes) {
      bytes += size;
      last = wire.arrivalNanos(NOW, size);
    }

    double wanted = bytes * 8e9 / bitsPerSecond;
    assertThat((double) (last - NOW)).isCloseTo(wanted, within(1 + wanted * 0.05));
  }

  @Property(seed = "1")
  void jitter_makes_a_direction_longer_by_up_to_half_of_it(
      @ForAll @LongRange(max = 10_000_000_000L) long jitterNanos, @ForAll long seed) {
    Wire wire = new Wire(link(2_000_000, jitterNanos, 0), seed);

    for (int i = 0; i < 100; i++) {
      assertThat(wire.arrivalNanos(NOW, 1) - NOW)
          .isBetween(1_000_000L, 1_000_000 + jitterNanos / 2);
    }
  }

  @Test
  void lives_of_connections_have_the_average_that_is_asked_for() {
    Wire wire =
        new Wire(
            new Link(0, 0, OptionalLong.empty(), Optional.of(Duration.ofSeconds(30))), 20_261_122);
    double sum = 0;
    for (int i = 0; i < 100_000; i++) {
      sum += wire.lifeNanos();
    }

    assertThat(sum / 100_000).isCloseTo(30e9, within(0.5e9));
  }

  private static Link link(long roundTripNanos, long jitterNanos, long bitsPerSecond) {
    return new Link(
        roundTripNanos,
        jitterNanos,
        bitsPerSecond == 0 ? OptionalLong.empty() : OptionalLong.of(bitsPerSecond),
        Optional.empty());
  }
}
