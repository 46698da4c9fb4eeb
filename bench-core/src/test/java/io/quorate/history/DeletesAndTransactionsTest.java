// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import static io.quorate.history.Requests.delete;
import static io.quorate.history.Requests.get;
import static io.quorate.history.Requests.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.Contradiction.Kind;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class DeletesAndTransactionsTest {
  private static final long KEY = 17;
  private static final long OTHER = 18;

  /** After all requests of the histories of {@link MapModel}. */
  private static final long LATER = 1_000_000;

  private static final long NEW = 1_000_000;
  private static final int TXN = 1_000_000;

  @Test
  void a_value_that_is_read_after_its_acknowledged_delete_is_a_lost_delete() {
    UniqueValues.Result result =
        check(
            put(1, KEY, 41, 0, 10),
            delete(2, KEY, 20, 30, Outcome.OK),
            get(3, KEY, 41, 40, 50),
            get(3, KEY, 41, 60, 70));

    assertThat(result.counts()).isEqualTo(Map.of(Kind.LOST_WRITE, 1L));
    assertThat(result.lines())
        .containsExactly(
            "1 lost write; a value was read that was deleted before: "
                + "put 17 = v41 by client 1 from 0.000000 s, acknowledged at 0.000000 s; "
                + "delete 17 by client 2 from 0.000000 s, acknowledged at 0.000000 s; "
                + "get 17 by client 3 from 0.000000 s, returned v41 at 0.000000 s");
  }

  @Test
  void a_value_that_is_read_again_after_the_key_was_missing_has_reappeared() {
    UniqueValues.Result result =
        check(
            put(1, KEY, 41, 0, 10),
            delete(2, KEY, 20, 30, Outcome.OK),
            get(3, KEY, 0, 40, 50),
            get(3, KEY, 41, 60, 70));

    assertThat(result.counts()).isEqualTo(Map.of(Kind.REAPPEARED_VALUE, 1L));
  }

  @Test
  void a_deleted_value_is_stale_if_a_later_get_finds_nothing() {
    UniqueValues.Result result =
        check(
            put(1, KEY, 41, 0, 10),
            delete(2, KEY, 20, 30, Outcome.OK),
            get(3, KEY, 41, 40, 50),
            get(3, KEY, 0, 60, 70));

    assertThat(result.counts()).isEqualTo(Map.of(Kind.STALE_READ, 1L));
  }

  @Test
  void a_key_that_is_missing_after_an_acknowledged_put_without_a_delete_is_lost() {
    UniqueValues.Result result =
        check(delete(2, KEY, 0, 5, Outcome.OK), put(1, KEY, 41, 10, 20), get(3, KEY, 0, 30, 40));

    assertThat(result.counts()).isEqualTo(Map.of(Kind.LOST_WRITE, 1L));
    assertThat(result.witnesses().get(Kind.LOST_WRITE).reason())
        .isEqualTo("a key is missing that nothing had deleted");
  }

  @Test
  void a_delete_without_an_answer_may_remove_a_later_value_once() {
    RecordedRequest open = delete(2, KEY, 0, RecordedRequest.NEVER, Outcome.UNKNOWN);
    List<RecordedRequest> once = List.of(open, put(1, KEY, 41, 10, 20), get(3, KEY, 0, 30, 40));
    List<RecordedRequest> twice = new ArrayList<>(once);
    twice.addAll(List.of(put(1, KEY, 42, 50, 60), get(3, KEY, 0, 70, 80)));

    assertThat(UniqueValues.check(once).lines()).isEmpty();
    assertThat(UniqueValues.check(twice).counts()).isEqualTo(Map.of(Kind.NOT_LINEARIZABLE, 1L));
  }

  @Test
  void a_search_that_takes_too_long_is_neither_a_pass_nor_a_contradiction() {
    List<RecordedRequest> history = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      history.add(put(i, KEY, i, 0, 100));
      history.add(delete(100 + i, KEY, 0, 100, Outcome.OK));
    }
    history.add(get(200, KEY, 1, 10, 11));
    history.add(get(200, KEY, 0, 20, 21));
    history.add(get(200, KEY, 1, 30, 31));

    UniqueValues.Result result = UniqueValues.check(history);

    assertThat(result.lines()).isEmpty();
    assertThat(result.undecidedKeys()).containsExactly(KEY);
  }

  @Test
  void a_part_of_an_acknowledged_transaction_that_is_missing_is_lost() {
    UniqueValues.Result result =
        check(
            part(Action.PUT, KEY, 41, 0, 10, Outcome.OK, 1),
            part(Action.PUT, OTHER, 42, 0, 10, Outcome.OK, 1),
            get(3, KEY, 41, 20, 30),
            get(3, OTHER, 0, 20, 30));

    assertThat(result.counts()).isEqualTo(Map.of(Kind.LOST_WRITE, 1L));
    assertThat(result.transactions()).isEqualTo(1);
  }

  @Test
  void a_transaction_without_an_answer_is_proven_by_any_of_its_parts() {
    UniqueValues.Result result =
        check(
            part(Action.PUT, KEY, 41, 0, RecordedRequest.NEVER, Outcome.UNKNOWN, 1),
            part(Action.PUT, OTHER, 42, 0, RecordedRequest.NEVER, Outcome.UNKNOWN, 1),
            get(3, KEY, 41, 20, 30),
            get(3, OTHER, 0, 40, 50));

    assertThat(result.counts()).isEqualTo(Map.of(Kind.LOST_WRITE, 1L));
    assertThat(result.witnesses().get(Kind.LOST_WRITE).text()).contains("in transaction 1");
  }

  @Test
  void a_transaction_that_reads_half_of_a_concurrent_one_is_found() {
    List<RecordedRequest> history =
        List.of(
            put(1, KEY, 41, 0, 10),
            put(1, OTHER, 42, 20, 30),
            part(Action.PUT, KEY, 43, 40, 100, Outcome.OK, 1),
            part(Action.PUT, OTHER, 44, 40, 100, Outcome.OK, 1),
            part(Action.GET, KEY, 43, 50, 90, Outcome.OK, 2),
            part(Action.GET, OTHER, 42, 50, 90, Outcome.OK, 2));

    UniqueValues.Result result = UniqueValues.check(history);

    assertThat(result.counts()).isEqualTo(Map.of(Kind.FRACTURED_READ, 1L));
    assertThat(result.witnesses().get(Kind.FRACTURED_READ).requests())
        .containsExactlyElementsOf(history.subList(2, 6));
  }

  @Test
  void a_transaction_that_reads_a_deleted_part_of_another_one_is_found() {
    UniqueValues.Result result =
        check(
            put(1, OTHER, 42, 20, 30),
            part(Action.PUT, KEY, 43, 40, 100, Outcome.OK, 1),
            part(Action.DELETE, OTHER, 0, 40, 100, Outcome.OK, 1),
            part(Action.GET, KEY, 43, 50, 90, Outcome.OK, 2),
            part(Action.GET, OTHER, 42, 50, 90, Outcome.OK, 2));

    assertThat(result.counts()).isEqualTo(Map.of(Kind.FRACTURED_READ, 1L));
  }

  @Test
  void transactions_that_follow_from_each_other_in_a_circle_are_found() {
    UniqueValues.Result result =
        check(
            part(Action.PUT, 1, 41, 0, 10, Outcome.OK, 1),
            part(Action.GET, 2, 42, 0, 10, Outcome.OK, 1),
            part(Action.PUT, 2, 42, 0, 30, Outcome.OK, 2),
            part(Action.GET, 3, 43, 0, 30, Outcome.OK, 2),
            put(1, 3, 43, 20, 30));

    assertThat(result.isLinearizable()).isFalse();
  }

  @Test
  void a_thousand_legal_histories_pass() {
    long transactions = 0;
    for (int seed = 0; seed < 1_000; seed++) {
      UniqueValues.Result result = UniqueValues.check(MapModel.history(seed, 5, 60));
      transactions += result.transactions();

      assertThat(result.lines()).as("seed %d", seed).isEmpty();
      assertThat(result.undecidedKeys()).isEmpty();
    }

    assertThat(transactions).isGreaterThan(20_000);
  }

  /** Requests after a legal history, when nothing else is in flight; they lie. */
  private static final List<BiFunction<Long, Long, List<RecordedRequest>>> LIES =
      List.of(
          (key, last) ->
              List.of(
                  put(1, key, NEW, LATER, LATER + 1),
                  delete(2, key, LATER + 2, LATER + 3, Outcome.OK),
                  get(3, key, NEW, LATER + 4, LATER + 5)),
          (key, last) ->
              List.of(put(1, key, NEW, LATER, LATER + 1), get(3, key, 0, LATER + 2, LATER + 3)),
          (key, last) ->
              List.of(put(1, key, NEW, LATER, LATER + 1), get(3, key, last, LATER + 2, LATER + 3)),
          (key, last) -> List.of(get(3, key, NEW, LATER, LATER + 1)),
          (key, last) ->
              List.of(
                  later(Action.PUT, key, NEW, 0, 9, Outcome.OK, TXN),
                  later(Action.PUT, 99, NEW + 1, 0, 9, Outcome.OK, TXN),
                  get(3, key, NEW, LATER + 10, LATER + 11),
                  get(3, 99, 0, LATER + 10, LATER + 11)),
          (key, last) ->
              List.of(
                  later(Action.PUT, 99, NEW + 1, 0, 1, Outcome.OK, TXN),
                  later(Action.PUT, key, NEW, 2, 3, Outcome.OK, TXN + 1),
                  later(Action.DELETE, 99, 0, 2, 3, Outcome.OK, TXN + 1),
                  later(Action.GET, key, NEW, 2, 4, Outcome.OK, TXN + 2),
                  later(Action.GET, 99, NEW + 1, 2, 4, Outcome.OK, TXN + 2)),
          (key, last) ->
              List.of(
                  later(Action.PUT, key, NEW, 0, 9, Outcome.FAILED, TXN),
                  later(Action.PUT, 99, NEW + 1, 0, 9, Outcome.FAILED, TXN),
                  get(3, key, NEW, LATER + 10, LATER + 11)));

  @Test
  void every_planted_lie_is_found_after_a_thousand_legal_histories() {
    int planted = 0;
    for (int seed = 0; seed < 1_000; seed++) {
      List<RecordedRequest> history = MapModel.history(seed, 5, 60);
      history.removeIf(each -> each.outcome() == Outcome.UNKNOWN && each.txn() == 0);
      Random random = new Random(seed);
      long key = random.nextInt(3);
      long last =
          history.stream()
              .filter(each -> each.key() == key && each.isLinearizableRead() && each.read() != 0)
              .mapToLong(RecordedRequest::read)
              .max()
              .orElse(0);
      boolean isRead = UniqueValues.check(history).isLinearizable();
      List<RecordedRequest> lies = LIES.get(seed % LIES.size()).apply(key, last);
      boolean open = history.stream().anyMatch(each -> each.isOpen() && each.key() == key);
      if (!isRead || open) {
        continue; // what was left out was read, or may still be applied
      }
      history.addAll(lies);
      planted++;

      assertThat(UniqueValues.check(history).isLinearizable())
          .as("seed %d, lie %d", seed, seed % LIES.size())
          .isFalse();
    }

    assertThat(planted).isGreaterThan(400);
  }

  @Test
  void the_check_never_contradicts_all_orders_of_a_few_requests() {
    int legal = 0;
    int illegal = 0;
    int found = 0;
    for (int seed = 0; seed < 4_000; seed++) {
      List<RecordedRequest> history =
          mutated(MapModel.history(seed, seed % 2 == 0 ? 5 : 3, seed % 2 == 0 ? 5 : 6), seed);
      boolean isLegal = MapModel.isLegal(history);
      UniqueValues.Result result = UniqueValues.check(history);
      legal += isLegal ? 1 : 0;
      illegal += isLegal ? 0 : 1;
      found += result.isLinearizable() ? 0 : 1;

      if (isLegal || history.stream().allMatch(each -> each.txn() == 0)) {
        assertThat(result.isLinearizable()).as("seed %d: %s", seed, history).isEqualTo(isLegal);
      }
    }

    assertThat(legal).isGreaterThan(1_000);
    assertThat(illegal).isGreaterThan(500);
    assertThat(found).as("of %d", illegal).isGreaterThan(illegal * 3 / 4);
  }

  /** Lets some reads return what another request to the same key wrote. */
  private static List<RecordedRequest> mutated(List<RecordedRequest> history, long seed) {
    Random random = new Random(seed);
    List<RecordedRequest> changed = new ArrayList<>();
    for (RecordedRequest each : history) {
      List<Long> values =
          history.stream()
              .filter(other -> other.key() == each.key() && !other.isRead())
              .map(RecordedRequest::written)
              .toList();
      boolean lies = each.isLinearizableRead() && !values.isEmpty() && random.nextInt(3) > 0;
      long value = lies ? values.get(random.nextInt(values.size())) : 0;
      changed.add(
          lies
              ? new RecordedRequest(
                  each.client(),
                  each.action(),
                  each.key(),
                  0,
                  value,
                  0,
                  each.invokedNanos(),
                  each.completedNanos(),
                  each.outcome(),
                  each.txn())
              : each);
    }
    return changed;
  }

  private static RecordedRequest later(
      Action action, long key, long value, long invoked, long completed, Outcome outcome, int txn) {
    return part(action, key, value, LATER + invoked, LATER + completed, outcome, txn);
  }

  private static RecordedRequest part(
      Action action, long key, long value, long invoked, long completed, Outcome outcome, int txn) {
    boolean isRead = action == Action.GET;
    return new RecordedRequest(
        txn,
        action,
        key,
        isRead ? 0 : value,
        isRead ? value : 0,
        0,
        invoked,
        completed,
        outcome,
        txn);
  }

  private static UniqueValues.Result check(RecordedRequest... history) {
    return UniqueValues.check(List.of(history));
  }
}
