// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import static io.quorate.history.Requests.get;
import static io.quorate.history.Requests.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.history.Linearizability.Verdict;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RandomHistoriesTest {
  private static final LongPredicate LIMIT = states -> states >= 1_000_000;
  private static final long NEW_VALUE = 1_000_000;
  private static final long LATER = 1_000_000;

  /** A change that makes a legal history illegal; empty if the history has no place for it. */
  private interface Mutation {
    Optional<List<RecordedRequest>> apply(List<RecordedRequest> legal, Random random);
  }

  @Test
  void a_thousand_legal_histories_of_puts_and_gets_pass_both_checks() {
    for (int seed = 0; seed < 1_000; seed++) {
      List<RecordedRequest> history = RegisterSimulation.PUTS_AND_GETS.history(seed);

      assertThat(UniqueValues.check(history).lines())
          .as("seed %d", seed)
          .allMatch(each -> each.contains("non monotonic read"));
      assertThat(Linearizability.check(history, LIMIT).verdict())
          .as("seed %d", seed)
          .isEqualTo(Verdict.LINEARIZABLE);
    }
  }

  @Test
  void a_thousand_legal_histories_of_all_actions_pass_the_search() {
    for (int seed = 0; seed < 1_000; seed++) {
      List<RecordedRequest> history = RegisterSimulation.ALL_ACTIONS.history(seed);

      assertThat(Linearizability.check(history, LIMIT).verdict())
          .as("seed %d", seed)
          .isEqualTo(Verdict.LINEARIZABLE);
    }
  }

  @Test
  void a_thousand_illegal_histories_of_puts_and_gets_are_found_by_both_checks_with_a_witness() {
    List<Mutation> mutations =
        List.of(
            RandomHistoriesTest::withoutAcknowledgedPut,
            RandomHistoriesTest::withLostPut,
            RandomHistoriesTest::withOldValue,
            RandomHistoriesTest::withUnwrittenValue,
            RandomHistoriesTest::withSwappedValues,
            RandomHistoriesTest::withAppliedFailure);
    int found = 0;
    for (int seed = 0; found < 1_000; seed++) {
      List<RecordedRequest> legal = RegisterSimulation.PUTS_AND_GETS.history(seed);
      Optional<List<RecordedRequest>> illegal =
          mutations.get(seed % mutations.size()).apply(legal, new Random(seed));
      if (illegal.isEmpty()) {
        continue;
      }
      found++;
      UniqueValues.Result decided = UniqueValues.check(illegal.get());
      assertThat(decided.isLinearizable()).as("seed %d", seed).isFalse();
      assertThat(decided.witnesses().values()).allMatch(each -> each.requests().size() <= 5);
      Linearizability.Result searched = Linearizability.check(illegal.get(), LIMIT);
      assertThat(searched.verdict()).as("seed %d", seed).isEqualTo(Verdict.NOT_LINEARIZABLE);
      assertThat(searched.witness()).isPresent();
    }
  }

  @Test
  void a_thousand_illegal_histories_with_compare_and_set_are_found_by_the_search() {
    List<Mutation> mutations =
        List.of(
            RandomHistoriesTest::withRepeatedCompareAndSet,
            RandomHistoriesTest::withUnwrittenValue,
            RandomHistoriesTest::withAppliedFailure);
    int found = 0;
    for (int seed = 0; found < 1_000; seed++) {
      List<RecordedRequest> legal = RegisterSimulation.WITHOUT_DELETES.history(seed);
      Optional<List<RecordedRequest>> illegal =
          mutations.get(seed % mutations.size()).apply(legal, new Random(seed));
      if (illegal.isEmpty()) {
        continue;
      }
      found++;
      Linearizability.Result searched = Linearizability.check(illegal.get(), LIMIT);
      assertThat(searched.verdict()).as("seed %d", seed).isEqualTo(Verdict.NOT_LINEARIZABLE);
      List<RecordedRequest> shown = searched.witness().orElseThrow().requests();
      assertThat(shown).hasSizeBetween(1, 5);
      assertThat(Linearizability.check(shown, LIMIT).verdict())
          .as("seed %d", seed)
          .isEqualTo(Verdict.NOT_LINEARIZABLE);
    }
  }

  @Test
  void both_checks_agree_with_all_orders_of_up_to_six_puts_and_gets() {
    int legal = 0;
    for (int seed = 0; seed < 10_000; seed++) {
      List<RecordedRequest> history = few(seed, List.of(Action.PUT, Action.GET));
      boolean isLinearizable = BruteForce.isLinearizable(history);
      legal += isLinearizable ? 1 : 0;

      assertThat(UniqueValues.check(history).isLinearizable())
          .as("seed %d: %s", seed, history)
          .isEqualTo(isLinearizable);
      assertThat(Linearizability.check(history, LIMIT).verdict() == Verdict.LINEARIZABLE)
          .as("seed %d: %s", seed, history)
          .isEqualTo(isLinearizable);
    }

    assertThat(legal).isBetween(2_500, 7_500);
  }

  /** Tests that requests are left out of a contradiction only if the rest contradicts itself. */
  @Test
  void a_legal_history_stays_legal_without_the_requests_of_some_values() {
    for (int seed = 0; seed < 1_000; seed++) {
      Random random = new Random(seed);
      List<RecordedRequest> history =
          RegisterSimulation.ALL_ACTIONS.history(seed).stream()
              .filter(each -> each.key() == 1 && each.outcome() != Outcome.MISMATCH)
              .toList();
      Set<Long> values =
          history.stream()
              .flatMap(each -> Stream.of(each.written(), each.read()))
              .filter(each -> random.nextBoolean())
              .collect(Collectors.toSet());

      assertThat(Linearizability.check(Linearizability.ofValues(history, values), LIMIT).verdict())
          .as("seed %d", seed)
          .isEqualTo(Verdict.LINEARIZABLE);
    }
  }

  @Test
  void a_legal_history_stays_legal_without_the_writes_that_no_result_depends_on() {
    int left = 0;
    for (int seed = 0; seed < 1_000; seed++) {
      List<RecordedRequest> history =
          RegisterSimulation.ALL_ACTIONS.history(seed).stream()
              .filter(each -> each.key() == 1 && each.action() != Action.STALE_GET)
              .toList();
      List<RecordedRequest> some = Linearizability.withoutWrites(history, any -> true);
      left += history.size() - some.size();
      assertThat(Linearizability.check(some, LIMIT).verdict())
          .as("seed %d", seed)
          .isEqualTo(Verdict.LINEARIZABLE);
    }
    assertThat(left).isGreaterThan(1_000);
  }

  @Test
  void a_fault_in_four_hundred_thousand_requests_is_shown_by_at_most_five_of_them() {
    List<RecordedRequest> legal =
        new RegisterSimulation(
                400,
                100,
                400_000,
                List.of(Action.PUT, Action.GET, Action.COMPARE_AND_SET, Action.DELETE),
                0.001,
                0.001)
            .history(1);
    for (Mutation each :
        List.<Mutation>of(
            RandomHistoriesTest::withRepeatedCompareAndSet,
            RandomHistoriesTest::withUnwrittenValue,
            RandomHistoriesTest::withOldValue)) {
      List<RecordedRequest> illegal = each.apply(legal, new Random(2)).orElseThrow();
      assertThat(Linearizability.check(illegal, LIMIT).witness().orElseThrow().requests())
          .hasSizeBetween(1, 5);
    }
  }

  @Test
  void the_search_agrees_with_all_orders_of_up_to_six_requests_of_all_actions() {
    int legal = 0;
    for (int seed = 0; seed < 10_000; seed++) {
      List<RecordedRequest> history = few(seed, List.of(Action.values()));
      boolean isLinearizable = BruteForce.isLinearizable(history);
      legal += isLinearizable ? 1 : 0;

      assertThat(Linearizability.check(history, LIMIT).verdict() == Verdict.LINEARIZABLE)
          .as("seed %d: %s", seed, history)
          .isEqualTo(isLinearizable);
    }

    assertThat(legal).isBetween(2_500, 7_500);
  }

  @Test
  void both_checks_agree_on_longer_histories_that_may_be_illegal() {
    int legal = 0;
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      List<RecordedRequest> history =
          new ArrayList<>(RegisterSimulation.PUTS_AND_GETS.history(seed));
      for (int i = 0; i < 2; i++) {
        int changed = random.nextInt(history.size());
        RecordedRequest from = history.get(random.nextInt(history.size()));
        if (history.get(changed).isLinearizableRead() && from.isLinearizableRead()) {
          history.set(changed, reading(history.get(changed), from.read()));
        }
      }
      history.removeIf(each -> each.action() == Action.STALE_GET);
      boolean isLinearizable = UniqueValues.check(history).isLinearizable();
      legal += isLinearizable ? 1 : 0;

      assertThat(Linearizability.check(history, LIMIT).verdict() == Verdict.LINEARIZABLE)
          .as("seed %d", seed)
          .isEqualTo(isLinearizable);
    }

    assertThat(legal).isBetween(400, 1_800);
  }

  @Test
  void a_hundred_thousand_requests_are_decided() {
    List<RecordedRequest> history =
        new RegisterSimulation(
                50, 20, 100_000, List.of(Action.PUT, Action.GET, Action.STALE_GET), 0.01, 0.01)
            .history(1);

    UniqueValues.Result result = UniqueValues.check(history);

    assertThat(result.requests()).isEqualTo(100_000);
    assertThat(result.otherKeys()).isEmpty();
    assertThat(result.isLinearizable()).isTrue();
  }

  /** Returns one to six requests to one key within a few nanoseconds, so that many overlap. */
  private static List<RecordedRequest> few(long seed, List<Action> actions) {
    Random random = new Random(seed);
    List<RecordedRequest> history = new ArrayList<>();
    int requests = 1 + random.nextInt(6);
    for (int i = 1; i <= requests; i++) {
      Action action = actions.get(random.nextInt(actions.size()));
      boolean isRead = action == Action.GET || action == Action.STALE_GET;
      boolean isWrite = action == Action.PUT || action == Action.COMPARE_AND_SET;
      long invoked = random.nextInt(12);
      Outcome outcome =
          switch (random.nextInt(8)) {
            case 0 -> Outcome.UNKNOWN;
            case 1 -> Outcome.FAILED;
            case 2 -> action == Action.COMPARE_AND_SET ? Outcome.MISMATCH : Outcome.OK;
            default -> Outcome.OK;
          };
      history.add(
          new RecordedRequest(
              i,
              action,
              7,
              isWrite ? i : 0,
              isRead && outcome == Outcome.OK ? random.nextInt(requests + 1) : 0,
              action == Action.COMPARE_AND_SET ? random.nextInt(requests + 1) : 0,
              invoked,
              invoked + random.nextInt(8),
              outcome,
              0));
    }
    return history;
  }

  /** Leaves out a put whose value was read. */
  private static Optional<List<RecordedRequest>> withoutAcknowledgedPut(
      List<RecordedRequest> legal, Random random) {
    return readPut(legal, random).map(put -> legal.stream().filter(each -> each != put).toList());
  }

  /** Says that a put failed, although its value was read. */
  private static Optional<List<RecordedRequest>> withAppliedFailure(
      List<RecordedRequest> legal, Random random) {
    return readPut(legal, random)
        .map(
            put ->
                replaced(
                    legal,
                    put,
                    put(
                        put.client(),
                        put.key(),
                        put.written(),
                        put.invokedNanos(),
                        put.completedNanos(),
                        Outcome.FAILED)));
  }

  /** Appends a read, an acknowledged put, and a read of the first value. */
  private static Optional<List<RecordedRequest>> withLostPut(
      List<RecordedRequest> legal, Random random) {
    return lastRead(legal, random)
        .map(
            last ->
                with(
                    legal,
                    last,
                    put(1, last.key(), NEW_VALUE, LATER + 20, LATER + 30),
                    get(2, last.key(), last.read(), LATER + 40, LATER + 50)));
  }

  /** Appends reads of two values that were read before, so that one of them comes back. */
  private static Optional<List<RecordedRequest>> withOldValue(
      List<RecordedRequest> legal, Random random) {
    Optional<RecordedRequest> last = lastRead(legal, random);
    return last.flatMap(
        read ->
            legal.stream()
                .filter(each -> each.isLinearizableRead() && each.key() == read.key())
                .filter(each -> each.read() != read.read())
                .findFirst()
                .map(each -> reading(get(4, each.key(), 0, LATER + 20, LATER + 30), each.read()))
                .map(old -> with(legal, read, old)));
  }

  private static Optional<List<RecordedRequest>> withUnwrittenValue(
      List<RecordedRequest> legal, Random random) {
    return any(legal.stream().filter(RecordedRequest::isLinearizableRead).toList(), random)
        .map(read -> replaced(legal, read, reading(read, NEW_VALUE)));
  }

  /** Swaps the values of two reads, of which the second one was written after the first read. */
  private static Optional<List<RecordedRequest>> withSwappedValues(
      List<RecordedRequest> legal, Random random) {
    Map<Long, RecordedRequest> puts = new HashMap<>();
    legal.stream()
        .filter(each -> each.action() == Action.PUT)
        .forEach(each -> puts.put(each.written(), each));
    List<RecordedRequest> reads =
        legal.stream().filter(RecordedRequest::isLinearizableRead).toList();
    return any(reads, random)
        .flatMap(
            one ->
                reads.stream()
                    .filter(each -> each.key() == one.key() && each.read() != 0)
                    .filter(each -> puts.get(each.read()).invokedNanos() > one.completedNanos())
                    .findFirst()
                    .map(
                        other ->
                            replaced(
                                replaced(legal, one, reading(one, other.read())),
                                other,
                                reading(other, one.read()))));
  }

  private static Optional<List<RecordedRequest>> withRepeatedCompareAndSet(
      List<RecordedRequest> legal, Random random) {
    List<RecordedRequest> applied =
        legal.stream()
            .filter(each -> each.action() == Action.COMPARE_AND_SET && each.isOk())
            .toList();
    return any(applied, random)
        .map(
            each -> {
              List<RecordedRequest> history = new ArrayList<>(legal);
              history.add(
                  Requests.compareAndSet(
                      9,
                      each.key(),
                      each.expected(),
                      each.written(),
                      each.invokedNanos() + random.nextInt(500),
                      LATER,
                      Outcome.OK));
              return history;
            });
  }

  /** Returns an acknowledged put whose value was read. */
  private static Optional<RecordedRequest> readPut(List<RecordedRequest> legal, Random random) {
    List<Long> read =
        legal.stream()
            .filter(RecordedRequest::isLinearizableRead)
            .map(RecordedRequest::read)
            .toList();
    return any(
        legal.stream()
            .filter(each -> each.action() == Action.PUT && each.isOk())
            .filter(each -> read.contains(each.written()))
            .toList(),
        random);
  }

  /** Returns a read after everything else, of a value that was read before. */
  private static Optional<RecordedRequest> lastRead(List<RecordedRequest> legal, Random random) {
    return any(legal.stream().filter(RecordedRequest::isLinearizableRead).toList(), random)
        .map(each -> get(3, each.key(), each.read(), LATER, LATER + 10));
  }

  private static List<RecordedRequest> with(
      List<RecordedRequest> legal, RecordedRequest... appended) {
    List<RecordedRequest> history = new ArrayList<>(legal);
    history.addAll(List.of(appended));
    return history;
  }

  private static List<RecordedRequest> replaced(
      List<RecordedRequest> legal, RecordedRequest old, RecordedRequest by) {
    return legal.stream().map(each -> each == old ? by : each).toList();
  }

  private static RecordedRequest reading(RecordedRequest get, long value) {
    return get(get.client(), get.key(), value, get.invokedNanos(), get.completedNanos());
  }

  private static Optional<RecordedRequest> any(List<RecordedRequest> some, Random random) {
    return some.isEmpty() ? Optional.empty() : Optional.of(some.get(random.nextInt(some.size())));
  }
}
