// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import static io.quorate.history.Requests.compareAndSet;
import static io.quorate.history.Requests.delete;
import static io.quorate.history.Requests.get;
import static io.quorate.history.Requests.put;
import static io.quorate.history.Requests.staleGet;
import static io.quorate.history.Requests.unknownPut;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.Linearizability.Verdict;
import io.quorate.history.RecordedRequest.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LinearizabilityTest {
  @Test
  void compare_and_set_replaces_the_expected_value() {
    assertThat(
            verdict(
                compareAndSet(1, 17, 0, 41, 0, 10, Outcome.OK),
                compareAndSet(1, 17, 41, 42, 20, 30, Outcome.OK),
                get(2, 17, 42, 40, 50)))
        .isEqualTo(Verdict.LINEARIZABLE);
  }

  @Test
  void two_clients_cannot_both_replace_the_same_value() {
    Linearizability.Result result =
        check(
            put(3, 17, 41, 0, 10),
            compareAndSet(1, 17, 41, 42, 20, 30, Outcome.OK),
            compareAndSet(2, 17, 41, 43, 25, 35, Outcome.OK));

    assertThat(result.verdict()).isEqualTo(Verdict.NOT_LINEARIZABLE);
    assertThat(result.witness().orElseThrow().text())
        .isEqualTo(
            "no order of 3 requests, out of 3 to the key, explains the results: "
                + "put 17 = v41 by client 3 from 0.000000 s, acknowledged at 0.000000 s; "
                + "compare-and-set 17 from v41 to v42 by client 1 from 0.000000 s,"
                + " acknowledged at 0.000000 s; "
                + "compare-and-set 17 from v41 to v43 by client 2 from 0.000000 s,"
                + " acknowledged at 0.000000 s");
  }

  @Test
  void a_reduction_of_many_parts_ends_before_it_has_tried_them_all() {
    List<Integer> all = IntStream.range(0, 100_000).boxed().toList();
    AtomicInteger tests = new AtomicInteger();
    List<Integer> left =
        DeltaDebugging.fewest(
            all,
            few -> {
              tests.incrementAndGet();
              return few.size() == all.size();
            });
    assertThat(left).isEqualTo(all);
    assertThat(tests.get() * (long) all.size()).isLessThanOrEqualTo(DeltaDebugging.MOST_WORK);
  }

  /** Returns compare-and-sets that follow one another, from value 0 to 50. */
  private static List<RecordedRequest> fiftyInTurn() {
    List<RecordedRequest> history = new ArrayList<>();
    for (int value = 1; value <= 50; value++) {
      history.add(compareAndSet(1, 17, value - 1, value, 20 * value, 20 * value + 10, Outcome.OK));
    }
    return history;
  }

  @Test
  void a_contradiction_contradicts_itself_without_the_expected_values_that_are_left_out() {
    List<RecordedRequest> history = fiftyInTurn();
    history.add(compareAndSet(2, 17, 20, 99, 600, 605, Outcome.OK));

    List<RecordedRequest> shown =
        Linearizability.check(history, states -> states >= 100_000)
            .witness()
            .orElseThrow()
            .requests();

    assertThat(shown).hasSizeLessThanOrEqualTo(4);
    assertThat(shown.get(0).what()).endsWith(", expected value left out");
    assertThat(Linearizability.check(shown, states -> states >= 100_000).verdict())
        .isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void a_refused_compare_and_set_is_shown_with_the_write_that_it_did_not_see() {
    List<RecordedRequest> history = fiftyInTurn();
    history.add(compareAndSet(2, 17, 20, 99, 412, 415, Outcome.MISMATCH));

    assertThat(check(history.toArray(RecordedRequest[]::new)).witness().orElseThrow().requests())
        .extracting(RecordedRequest::what)
        .containsExactly(
            "compare-and-set 17 to v20, expected value left out",
            "compare-and-set 17 from v20 to v99");
  }

  @Test
  void a_lost_delete_is_shown_without_other_deletes() {
    List<RecordedRequest> history = new ArrayList<>();
    for (int value = 1; value <= 50; value++) {
      history.add(put(1, 17, value, 20 * value, 20 * value + 5));
      history.add(delete(1, 17, 20 * value + 8, 20 * value + 10, Outcome.OK));
    }
    history.add(get(2, 17, 20, 412, 415));

    assertThat(check(history.toArray(RecordedRequest[]::new)).witness().orElseThrow().requests())
        .containsExactly(
            put(1, 17, 20, 400, 405),
            delete(1, 17, 408, 410, Outcome.OK),
            get(2, 17, 20, 412, 415));
  }

  @Test
  void a_mismatch_proves_that_the_key_had_another_value() {
    assertThat(
            verdict(put(3, 17, 41, 0, 10), compareAndSet(1, 17, 41, 42, 20, 30, Outcome.MISMATCH)))
        .isEqualTo(Verdict.NOT_LINEARIZABLE);
    assertThat(
            verdict(put(3, 17, 41, 0, 10), compareAndSet(1, 17, 40, 42, 20, 30, Outcome.MISMATCH)))
        .isEqualTo(Verdict.LINEARIZABLE);
  }

  @Test
  void a_deleted_key_is_absent() {
    assertThat(
            verdict(
                put(1, 17, 41, 0, 10), delete(1, 17, 20, 30, Outcome.OK), get(1, 17, 0, 40, 50)))
        .isEqualTo(Verdict.LINEARIZABLE);
    assertThat(
            verdict(
                put(1, 17, 41, 0, 10), delete(1, 17, 20, 30, Outcome.OK), get(1, 17, 41, 40, 50)))
        .isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void a_write_with_an_unknown_outcome_may_be_applied_later_or_never() {
    assertThat(verdict(unknownPut(1, 17, 41, 0), get(2, 17, 0, 10, 20), get(2, 17, 41, 30, 40)))
        .isEqualTo(Verdict.LINEARIZABLE);
    assertThat(verdict(unknownPut(1, 17, 41, 0), get(2, 17, 0, 10, 20), get(2, 17, 0, 30, 40)))
        .isEqualTo(Verdict.LINEARIZABLE);
    assertThat(
            verdict(
                compareAndSet(1, 17, 99, 41, 0, RecordedRequest.NEVER, Outcome.UNKNOWN),
                get(2, 17, 41, 30, 40)))
        .isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void a_client_that_gave_up_does_not_end_its_request() {
    assertThat(
            verdict(
                put(1, 17, 41, 0, 10, Outcome.UNKNOWN),
                get(2, 17, 0, 20, 30),
                get(2, 17, 41, 40, 50)))
        .isEqualTo(Verdict.LINEARIZABLE);
  }

  @Test
  void failed_requests_and_stale_gets_are_left_out() {
    assertThat(
            verdict(
                put(1, 17, 41, 0, 10, Outcome.FAILED),
                staleGet(2, 17, 99, 0, 10),
                get(2, 17, 0, 20, 30)))
        .isEqualTo(Verdict.LINEARIZABLE);
  }

  @Test
  void keys_are_independent_and_the_shortest_witness_is_kept() {
    Linearizability.Result result =
        check(
            put(1, 1, 41, 0, 10),
            get(1, 1, 41, 20, 30),
            put(1, 2, 41, 0, 10),
            put(1, 2, 42, 20, 30),
            get(1, 2, 41, 40, 50),
            get(1, 3, 41, 0, 10));

    assertThat(result.verdict()).isEqualTo(Verdict.NOT_LINEARIZABLE);
    assertThat(result.witness().orElseThrow().requests()).containsExactly(get(1, 3, 41, 0, 10));
  }

  @Test
  void a_search_that_reaches_its_limit_has_not_decided() {
    List<RecordedRequest> history = new ArrayList<>();
    for (int client = 1; client <= 20; client++) {
      history.add(put(client, 17, client, 0, 100));
    }
    history.add(get(1, 17, 99, 200, 300));

    Linearizability.Result result = Linearizability.check(history, states -> states >= 1_000);

    assertThat(result)
        .isEqualTo(
            new Linearizability.Result(Verdict.NOT_DECIDED, 1_000, List.of(17L), Optional.empty()));
  }

  @Test
  void a_search_without_time_has_not_decided() {
    assertThat(Linearizability.check(List.of(put(1, 17, 41, 0, 10)), states -> true).verdict())
        .isEqualTo(Verdict.NOT_DECIDED);
  }

  @Test
  void a_contradiction_on_one_key_counts_although_another_key_is_not_decided() {
    List<RecordedRequest> history = new ArrayList<>(List.of(get(1, 1, 99, 0, 10)));
    for (int client = 1; client <= 20; client++) {
      history.add(put(client, 17, client, 0, 100));
    }
    history.add(get(1, 17, 99, 200, 300));

    Linearizability.Result result = Linearizability.check(history, states -> states >= 1_000);

    assertThat(result.verdict()).isEqualTo(Verdict.NOT_LINEARIZABLE);
    assertThat(result.undecidedKeys()).containsExactly(17L);
  }

  @Test
  void many_writes_with_unknown_outcomes_that_nothing_read_do_not_slow_the_search() {
    List<RecordedRequest> history = new ArrayList<>();
    for (int i = 1; i <= 1_000; i++) {
      history.add(unknownPut(i, 17, 10_000 + i, i));
      history.add(put(2_000, 17, i, 10 * i, 10 * i + 1));
      history.add(get(2_000, 17, i, 10 * i + 2, 10 * i + 3));
    }

    Linearizability.Result result = Linearizability.check(history, states -> states > 2_000);

    assertThat(result.verdict()).isEqualTo(Verdict.LINEARIZABLE);
  }

  private static Verdict verdict(RecordedRequest... history) {
    return check(history).verdict();
  }

  private static Linearizability.Result check(RecordedRequest... history) {
    return Linearizability.check(List.of(history), states -> states >= 100_000);
  }
}
