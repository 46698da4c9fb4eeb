// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.WatchedWrite;
import io.quorate.store.WatchListener;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class WatchedKeyTest {
  private static final byte[] NAME = {'k'};

  private long nowNanos = 1_000;
  private final WatchedKey key = new WatchedKey(2, NAME, true);
  private final WatchListener first = key.watch(() -> {}, () -> nowNanos);
  private final WatchListener second = key.watch(() -> {}, () -> nowNanos);

  private void acknowledged(long number) {
    assertThat(key.begins(number * 10)).isEqualTo(number);
    key.ended(number, OptionalLong.of(number * 10 + 5), false);
  }

  private void report(WatchListener watch, long number) {
    byte[] value = String.format(Locale.ROOT, "%016d", number).getBytes(StandardCharsets.US_ASCII);
    watch.changed(NAME, value, number);
  }

  @Test
  void an_event_is_late_until_the_last_watch_has_reported_it_or_a_later_one() {
    acknowledged(1);
    acknowledged(2);
    report(first, 1);
    report(first, 2);
    nowNanos = 2_000;
    report(second, 2);
    assertThat(key.writes())
        .containsExactly(
            new WatchedWrite(
                2, 1, 10, OptionalLong.of(15), true, 2, 1, 1, 0, 0, OptionalLong.of(2_000)),
            new WatchedWrite(
                2, 2, 20, OptionalLong.of(25), true, 2, 2, 0, 0, 0, OptionalLong.of(2_000)));
    assertThat(key.writes()).extracting(WatchedWrite::lost).containsExactly(1, 0);
  }

  @Test
  void repeated_and_reordered_events_are_counted_and_the_creation_is_not() {
    acknowledged(1);
    acknowledged(2);
    report(first, 0);
    report(first, 2);
    report(first, 1);
    report(first, 2);
    List<WatchedWrite> writes = key.writes();
    assertThat(writes).extracting(WatchedWrite::received).containsExactly(1, 1);
    assertThat(writes).extracting(WatchedWrite::passed).containsExactly(0, 0);
    assertThat(writes).extracting(WatchedWrite::reordered).containsExactly(1, 0);
    assertThat(writes).extracting(WatchedWrite::repeated).containsExactly(0, 1);
  }

  @Test
  void a_write_that_was_refused_is_left_out_and_one_without_an_answer_is_not() {
    key.begins(10);
    key.ended(1, OptionalLong.empty(), true);
    key.begins(20);
    key.ended(2, OptionalLong.empty(), false);
    assertThat(key.writes()).extracting(WatchedWrite::number).containsExactly(2L);
    assertThat(key.writes()).extracting(WatchedWrite::lost).containsExactly(0);
  }
}
