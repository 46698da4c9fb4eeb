// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import static io.quorate.history.Requests.compareAndSet;
import static io.quorate.history.Requests.get;
import static io.quorate.history.Requests.put;
import static io.quorate.history.Requests.staleGet;
import static io.quorate.history.Requests.unknownPut;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.Contradiction.Kind;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UniqueValuesTest {
  private static final long MS = 1_000_000;

  @Test
  void no_requests_violate_nothing() {
    UniqueValues.Result result = check();

    assertThat(result.isLinearizable()).isTrue();
    assertThat(result.lines()).isEmpty();
  }

  @Test
  void a_linearizable_get_of_an_older_value_is_stale_if_the_newer_one_is_read_later() {
    UniqueValues.Result result =
        check(
            put(1, 17, 41, 1_000 * MS, 1_001 * MS),
            put(3, 17, 42, 1_201 * MS, 1_203 * MS),
            get(7, 17, 41, 1_450 * MS, 1_452 * MS),
            get(7, 17, 42, 1_500 * MS, 1_502 * MS));

    assertThat(result.isLinearizable()).isFalse();
    assertThat(result.lines())
        .containsExactly(
            "1 stale read; a newer value was acknowledged, but not read: "
                + "put 17 = v41 by client 1 from 1.000000 s, acknowledged at 1.001000 s; "
                + "put 17 = v42 by client 3 from 1.201000 s, acknowledged at 1.203000 s; "
                + "get 17 by client 7 from 1.450000 s, returned v41 at 1.452000 s");
  }

  @Test
  void an_acknowledged_put_that_no_get_returns_is_lost_once_however_often_it_is_missed() {
    UniqueValues.Result result =
        check(
            put(1, 17, 41, 0, 10),
            put(3, 17, 42, 20, 30),
            get(7, 17, 41, 40, 50),
            get(7, 17, 41, 60, 70));

    assertThat(result.counts()).isEqualTo(Map.of(Kind.LOST_WRITE, 1L));
  }

  @Test
  void a_first_put_is_lost_if_the_key_is_absent_afterwards() {
    UniqueValues.Result result = check(put(1, 17, 41, 0, 10), get(7, 17, 0, 20, 30));

    assertThat(result.counts()).isEqualTo(Map.of(Kind.LOST_WRITE, 1L));
    assertThat(result.witnesses().get(Kind.LOST_WRITE).requests()).hasSize(2);
  }

  @Test
  void a_put_that_a_later_put_replaced_before_any_get_is_not_lost() {
    UniqueValues.Result result =
        check(put(1, 17, 41, 0, 10), put(1, 17, 42, 20, 30), get(7, 17, 42, 40, 50));

    assertThat(result.isLinearizable()).isTrue();
  }

  @Test
  void a_value_that_is_read_after_the_next_one_was_read_has_reappeared() {
    UniqueValues.Result result =
        check(
            put(1, 17, 41, 0, 100),
            put(2, 17, 42, 0, 100),
            get(7, 17, 41, 10, 20),
            get(8, 17, 42, 30, 40),
            get(9, 17, 41, 50, 60));

    assertThat(result.counts()).isEqualTo(Map.of(Kind.REAPPEARED_VALUE, 1L));
    assertThat(result.witnesses().get(Kind.REAPPEARED_VALUE).requests())
        .containsExactly(get(7, 17, 41, 10, 20), get(8, 17, 42, 30, 40), get(9, 17, 41, 50, 60));
  }

  @Test
  void a_value_that_was_never_written_is_a_phantom() {
    assertThat(check(get(7, 17, 41, 10, 20)).lines())
        .containsExactly(
            "1 phantom read; a value was read that nothing had written: "
                + "get 17 by client 7 from 0.000000 s, returned v41 at 0.000000 s");
  }

  @Test
  void a_value_whose_put_failed_is_a_phantom_even_for_a_stale_get() {
    UniqueValues.Result result =
        check(put(1, 17, 41, 0, 10, Outcome.FAILED), staleGet(7, 17, 41, 20, 30));

    assertThat(result.isLinearizable()).isFalse();
    assertThat(result.witnesses().get(Kind.PHANTOM_READ).requests())
        .containsExactly(put(1, 17, 41, 0, 10, Outcome.FAILED), staleGet(7, 17, 41, 20, 30));
  }

  @Test
  void a_value_that_is_read_before_its_put_began_is_a_phantom() {
    UniqueValues.Result result = check(get(7, 17, 41, 10, 20), put(1, 17, 41, 30, 40));

    assertThat(result.witnesses().get(Kind.PHANTOM_READ).requests())
        .containsExactly(get(7, 17, 41, 10, 20), put(1, 17, 41, 30, 40));
  }

  @Test
  void a_put_with_an_unknown_outcome_may_be_read_at_any_time_later() {
    UniqueValues.Result result =
        check(
            unknownPut(1, 17, 41, 0),
            put(2, 17, 42, 10, 20),
            get(7, 17, 42, 30, 40),
            get(7, 17, 41, 50, 60));

    assertThat(result.isLinearizable()).isTrue();
  }

  @Test
  void a_put_with_an_unknown_outcome_may_never_be_read() {
    UniqueValues.Result result =
        check(put(2, 17, 42, 0, 5), unknownPut(1, 17, 41, 10), get(7, 17, 42, 50, 60));

    assertThat(result.isLinearizable()).isTrue();
  }

  @Test
  void a_put_with_an_unknown_outcome_takes_effect_once() {
    UniqueValues.Result result =
        check(
            unknownPut(1, 17, 41, 0),
            get(7, 17, 41, 10, 20),
            put(2, 17, 42, 30, 40),
            get(7, 17, 41, 50, 60));

    assertThat(result.isLinearizable()).isFalse();
  }

  @Test
  void requests_at_the_same_moment_are_concurrent() {
    UniqueValues.Result result =
        check(put(1, 17, 41, 0, 10), put(3, 17, 42, 20, 30), get(7, 17, 41, 30, 40));

    assertThat(result.isLinearizable()).isTrue();
  }

  @Test
  void the_age_of_stale_gets_is_measured_in_time_and_in_writes() {
    RecordedRequest oldest = staleGet(7, 17, 41, 75, 80);
    UniqueValues.Result result =
        check(
            put(1, 17, 41, 0, 10),
            put(1, 17, 42, 20, 30),
            put(1, 17, 43, 40, 50),
            put(1, 17, 44, 60, 70),
            staleGet(6, 17, 44, 72, 74),
            oldest,
            staleGet(8, 17, 43, 90, 95));

    assertThat(result.isLinearizable()).isTrue();
    assertThat(result.staleReads())
        .isEqualTo(new UniqueValues.StaleReads(3, 2, 45, 3, Optional.of(oldest)));
  }

  @Test
  void a_client_whose_stale_gets_go_back_in_time_is_reported_apart() {
    UniqueValues.Result result =
        check(
            put(1, 17, 41, 0, 10),
            put(1, 17, 42, 20, 30),
            staleGet(7, 17, 42, 40, 50),
            staleGet(7, 17, 41, 60, 70),
            staleGet(8, 17, 41, 60, 70));

    assertThat(result.isLinearizable()).isTrue();
    assertThat(result.counts()).isEqualTo(Map.of(Kind.NON_MONOTONIC_READ, 1L));
    assertThat(result.witnesses().get(Kind.NON_MONOTONIC_READ).requests())
        .containsExactly(
            put(1, 17, 41, 0, 10),
            put(1, 17, 42, 20, 30),
            staleGet(7, 17, 42, 40, 50),
            staleGet(7, 17, 41, 60, 70));
  }

  @Test
  void nothing_is_said_of_keys_with_other_actions_or_with_a_value_put_twice() {
    UniqueValues.Result result =
        check(
            put(1, 3, 41, 0, 10),
            put(1, 3, 41, 20, 30),
            compareAndSet(1, 2, 0, 41, 0, 10, Outcome.OK),
            get(1, 1, 0, 0, 10),
            get(1, 3, 99, 0, 10));

    assertThat(result.requests()).isEqualTo(1);
    assertThat(result.decidedKeys()).isEqualTo(1);
    assertThat(result.otherKeys()).containsExactly(2L, 3L);
    assertThat(result.isLinearizable()).isTrue();
  }

  @Test
  void a_get_without_an_answer_says_nothing() {
    RecordedRequest unanswered =
        new RecordedRequest(
            1, Action.GET, 17, 0, 0, 0, 20, RecordedRequest.NEVER, Outcome.UNKNOWN, 0);

    assertThat(check(put(1, 17, 41, 0, 10), unanswered).isLinearizable()).isTrue();
  }

  @Test
  void the_shortest_of_several_witnesses_is_kept() {
    UniqueValues.Result result =
        check(
            put(1, 1, 41, 0, 10),
            put(1, 1, 42, 20, 30),
            get(7, 1, 41, 40, 50),
            put(1, 2, 41, 0, 10),
            get(7, 2, 0, 40, 50));

    assertThat(result.counts()).isEqualTo(Map.of(Kind.LOST_WRITE, 2L));
    assertThat(result.witnesses().get(Kind.LOST_WRITE).requests())
        .containsExactly(put(1, 2, 41, 0, 10), get(7, 2, 0, 40, 50));
  }

  private static UniqueValues.Result check(RecordedRequest... history) {
    return UniqueValues.check(List.of(history));
  }
}
