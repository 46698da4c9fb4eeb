// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WatchRecorderTest {
  private static final long FIRST = 100;

  /** A recorder of puts 100 to 103, sent at 1, 2, 3 and 4 ms. */
  private static WatchRecorder recorder(int watchers, boolean coalesces) {
    WatchRecorder recorder = new WatchRecorder(FIRST, 4, watchers, watchers, 1, coalesces);
    for (int i = 0; i < 4; i++) {
      recorder.sent(FIRST + i, millis(i + 1));
    }
    return recorder;
  }

  private static long millis(long count) {
    return count * 1_000_000;
  }

  private static EventCounts counts(WatchRecorder recorder) {
    return recorder.measurement().counts();
  }

  @Test
  void first_median_and_last_watcher_are_timed_from_when_the_put_was_due() {
    WatchRecorder recorder = recorder(4, false);
    recorder.told(2, FIRST, 7, millis(3));
    recorder.told(0, FIRST, 7, millis(4));
    recorder.told(3, FIRST, 7, millis(6));
    recorder.told(1, FIRST, 7, millis(11));
    recorder.acknowledged(FIRST);

    Histogram first = recorder.firstInterval();
    Histogram median = recorder.medianInterval();
    Histogram last = recorder.lastInterval();
    assertThat(first.getTotalCount()).isEqualTo(1);
    assertThat(first.valuesAreEquivalent(first.getMaxValue(), millis(2))).isTrue();
    assertThat(median.valuesAreEquivalent(median.getMaxValue(), millis(3))).isTrue();
    assertThat(last.valuesAreEquivalent(last.getMaxValue(), millis(10))).isTrue();
    assertThat(counts(recorder)).isEqualTo(new EventCounts(4, 4, 0, 0, 0, 0, 4, 0));
    assertThat(recorder.isComplete()).isTrue();
  }

  @Test
  void all_three_times_cover_the_puts_that_every_watcher_received() {
    WatchRecorder recorder = recorder(3, true);
    // slow, and received by one watcher only
    recorder.told(0, FIRST, 1, millis(1_000));
    recorder.told(0, FIRST + 1, 2, millis(4));
    recorder.told(1, FIRST + 1, 2, millis(5));
    recorder.told(2, FIRST + 1, 2, millis(6));
    Histogram first = recorder.firstInterval();
    Histogram last = recorder.lastInterval();
    assertThat(first.getTotalCount()).isEqualTo(1);
    assertThat(recorder.medianInterval().getTotalCount()).isEqualTo(1);
    assertThat(last.getTotalCount()).isEqualTo(1);
    assertThat(first.getMaxValue()).isLessThan(last.getMaxValue());
  }

  @Test
  void the_first_is_never_later_than_the_median_nor_that_than_the_last() {
    WatchRecorder recorder = recorder(3, false);
    // threads may count their events in another order than they received them
    recorder.told(0, FIRST, 1, millis(9));
    recorder.told(1, FIRST, 1, millis(5));
    recorder.told(2, FIRST, 1, millis(3));
    Histogram first = recorder.firstInterval();
    long median = recorder.medianInterval().getMaxValue();
    assertThat(first.valuesAreEquivalent(first.getMaxValue(), millis(2))).isTrue();
    assertThat(median).isGreaterThanOrEqualTo(millis(4));
    assertThat(recorder.lastInterval().getMaxValue()).isEqualTo(median);
  }

  @Test
  void an_event_before_the_acknowledgement_is_counted_as_early_and_one_after_it_is_not() {
    WatchRecorder recorder = recorder(1, false);
    recorder.told(0, FIRST, 1, millis(2));
    recorder.acknowledged(FIRST);
    recorder.acknowledged(FIRST + 1);
    recorder.told(0, FIRST + 1, 2, millis(3));
    assertThat(counts(recorder)).isEqualTo(new EventCounts(2, 2, 0, 0, 0, 0, 1, 0));
  }

  @Test
  void what_does_not_come_is_lost_and_what_comes_again_or_too_late_in_order_is_counted() {
    WatchRecorder recorder = recorder(2, false);
    for (int i = 0; i < 4; i++) {
      recorder.acknowledged(FIRST + i);
      recorder.told(0, FIRST + i, i, millis(9));
    }
    recorder.told(1, FIRST + 2, 2, millis(9));
    recorder.told(1, FIRST, 0, millis(9));
    recorder.told(1, FIRST + 2, 2, millis(9));
    recorder.interrupted();
    assertThat(counts(recorder)).isEqualTo(new EventCounts(8, 6, 0, 2, 1, 1, 0, 1));
    assertThat(recorder.isComplete()).isFalse();
  }

  @Test
  void what_was_left_out_before_the_latest_state_is_coalesced_and_the_latest_state_is_not() {
    WatchRecorder recorder = recorder(2, true);
    for (int i = 0; i < 4; i++) {
      recorder.acknowledged(FIRST + i);
    }
    recorder.told(0, FIRST + 1, 2, millis(9));
    recorder.told(0, FIRST + 3, 4, millis(9));
    recorder.told(1, FIRST + 2, 3, millis(9));
    recorder.ended(4);
    // the second watcher was never told of the latest put: all that it has missed is lost
    assertThat(counts(recorder)).isEqualTo(new EventCounts(8, 3, 2, 3, 0, 0, 0, 0));
    assertThat(recorder.isComplete()).isFalse();

    recorder.told(1, FIRST + 3, 4, millis(9));
    assertThat(counts(recorder)).isEqualTo(new EventCounts(8, 4, 4, 0, 0, 0, 0, 0));
    assertThat(recorder.isComplete()).isTrue();
  }

  @Test
  void nothing_is_expected_of_a_put_that_was_not_acknowledged() {
    WatchRecorder recorder = recorder(2, false);
    recorder.acknowledged(FIRST);
    recorder.told(0, FIRST, 1, millis(9));
    recorder.told(1, FIRST, 1, millis(9));
    recorder.told(0, FIRST + 1, 2, millis(9)); // of a put that failed, and was written all the same
    assertThat(counts(recorder)).isEqualTo(new EventCounts(2, 2, 0, 0, 0, 0, 0, 0));
    assertThat(recorder.isComplete()).isTrue();
  }

  @Test
  void what_comes_after_it_was_waited_for_is_lost_all_the_same() {
    WatchRecorder recorder = recorder(1, false);
    recorder.acknowledged(FIRST);
    recorder.drained(millis(10));
    recorder.told(0, FIRST, 1, millis(30));
    assertThat(counts(recorder)).isEqualTo(new EventCounts(1, 0, 0, 1, 0, 0, 0, 0));
    assertThat(recorder.firstInterval().getTotalCount()).isZero();
    assertThat(recorder.measurement().drainNanos()).isEqualTo(millis(10));
  }

  @Test
  void events_of_other_puts_are_left_out() {
    WatchRecorder recorder = recorder(1, false);
    recorder.told(0, -1, 1, millis(9));
    recorder.told(0, FIRST - 1, 2, millis(9));
    recorder.told(0, FIRST + 4, 3, millis(9));
    assertThat(counts(recorder)).isEqualTo(new EventCounts(0, 0, 0, 0, 0, 0, 0, 0));
    assertThat(recorder.firstInterval().getTotalCount()).isZero();
  }

  @Test
  void counts_that_do_not_add_up_are_refused() {
    assertThatThrownBy(() -> new EventCounts(4, 1, 1, 1, 0, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("4 events are not 1 + 1 + 1");
  }
}
