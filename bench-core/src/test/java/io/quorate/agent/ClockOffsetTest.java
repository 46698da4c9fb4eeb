// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockOffsetTest {
  private static final long MILLI = 1_000_000;
  private static final long HERE = 1_700_000_000_000L * MILLI;
  private static final long BEHIND = -3_600_250 * MILLI;

  private final ClockOffset offset = new ClockOffset();

  /** Asks at a time; the agent, whose clock is behind, answers. */
  private void ask(long number, long atNanos, long thereNanos, long backNanos) {
    offset.asked(number, HERE + atNanos, atNanos);
    offset.answered(number, HERE + atNanos + thereNanos + BEHIND, atNanos + thereNanos + backNanos);
  }

  @Test
  void before_the_first_answer_nothing_is_known() {
    offset.asked(1, HERE, 0);
    assertThat(offset.aheadNanos()).isEmpty();
    assertThat(offset.count()).isZero();
  }

  @Test
  void an_answer_that_took_as_long_as_the_question_tells_the_offset_exactly() {
    ask(1, 0, 3 * MILLI, 3 * MILLI);
    assertThat(offset.aheadNanos()).hasValue(BEHIND);
  }

  @Test
  void it_is_wrong_by_half_of_the_time_between_question_and_answer_at_most() {
    ask(1, 0, 0, 8 * MILLI);
    assertThat(offset.aheadNanos()).hasValue(BEHIND - 4 * MILLI);
    ask(2, 0, 6 * MILLI, 0);
    assertThat(offset.aheadNanos()).hasValue(BEHIND + 3 * MILLI);
  }

  @Test
  void the_fastest_of_the_last_answers_counts() {
    ask(1, 0, MILLI, MILLI);
    for (int number = 2; number <= ClockOffset.KEPT; number++) {
      ask(number, 0, 0, 100 * MILLI);
    }
    assertThat(offset.aheadNanos()).hasValue(BEHIND);
    ask(ClockOffset.KEPT + 1, 0, 0, 100 * MILLI);
    assertThat(offset.aheadNanos()).hasValue(BEHIND - 50 * MILLI);
    assertThat(offset.count()).isEqualTo(ClockOffset.KEPT);
  }

  @Test
  void an_answer_to_no_question_does_not_count() {
    offset.answered(7, HERE, MILLI);
    assertThat(offset.aheadNanos()).isEmpty();
  }
}
