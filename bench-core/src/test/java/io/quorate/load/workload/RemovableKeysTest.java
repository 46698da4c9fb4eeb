// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemovableKeysTest {
  private static final byte[] KEY = {'k'};
  private static final byte[] VALUE = {'v'};

  private final RemovableKeys keys = new RemovableKeys(2);
  private final List<Request> sent = new ArrayList<>();
  private final List<Completion> open = new ArrayList<>();
  private final List<String> outcomes = new ArrayList<>();

  private final Connection connection =
      new Connection() {
        @Override
        public void submit(Request request, Completion completion) {
          sent.add(request);
          open.add(completion);
        }

        @Override
        public void close() {}
      };

  private final Completion outcome =
      new Completion() {
        @Override
        public void answered(Answer answer) {
          outcomes.add(answer instanceof Answer.Missing ? "missing" : "answered");
        }

        @Override
        public void failed(ErrorKind kind, String message) {
          outcomes.add(kind.label());
        }
      };

  @Test
  void a_key_that_nothing_has_removed_must_be_there() {
    get();
    answer(Answer.MISSING);
    put();
    answer(Answer.MISSING);
    delete();
    answer(Answer.MISSING);

    assertThat(outcomes).containsExactly("missing", "missing", "missing");
  }

  @Test
  void a_removed_key_may_be_missing_until_a_put_is_acknowledged() {
    delete();
    answer(Answer.WRITTEN);
    get();
    answer(Answer.MISSING);
    delete();
    answer(Answer.MISSING);
    assertThat(keys.count()).isEqualTo(1);

    put();
    answer(Answer.WRITTEN);
    assertThat(keys.count()).isZero();
    get();
    answer(Answer.MISSING);

    assertThat(outcomes).containsExactly("answered", "answered", "answered", "answered", "missing");
    assertThat(keys.wasRemoved(0)).isTrue();
    assertThat(keys.wasRemoved(1)).isFalse();
  }

  @Test
  void a_get_may_miss_a_key_that_is_removed_meanwhile() {
    get();
    Completion read = open.remove(0);
    delete();
    read.answered(Answer.MISSING);

    assertThat(outcomes).containsExactly("answered");
  }

  @Test
  void a_removal_of_unknown_outcome_may_come_late() {
    delete();
    open.remove(0).failed(ErrorKind.TIMEOUT, "no answer");
    put();
    answer(Answer.WRITTEN);

    assertThat(keys.mayBeMissing(0)).isTrue();
  }

  @Test
  void a_put_writes_the_key_whether_it_is_there_or_not() {
    delete();
    answer(Answer.WRITTEN);
    put(); // creates the removed key, which another put has created meanwhile
    open.remove(0).failed(ErrorKind.REJECTED, "the key exists");
    answer(Answer.WRITTEN);
    put(); // updates the key, which is removed meanwhile
    Completion update = open.remove(0);
    delete();
    Completion removal = open.remove(0);
    update.answered(Answer.MISSING);
    answer(Answer.WRITTEN);
    removal.answered(Answer.WRITTEN);

    assertThat(sent)
        .map(each -> each instanceof Request.Put put ? (put.creates() ? "create" : "update") : "-")
        .containsExactly("-", "create", "update", "update", "-", "create");
    assertThat(outcomes).containsExactly("answered", "answered", "answered", "answered");
    assertThat(keys.mayBeMissing(0)).isTrue();
  }

  @Test
  void a_transaction_writes_and_removes_keys_that_may_be_missing() {
    long[] first = {0};
    long[] second = {1};
    var request = new Request.Txn(List.of(Request.update(KEY, VALUE)), List.of(KEY), List.of());
    keys.transact(connection, first, second, request, outcome);
    answer(Answer.WRITTEN);
    assertThat(keys.mayBeMissing(0)).isFalse();
    assertThat(keys.mayBeMissing(1)).isTrue();

    keys.transact(connection, second, first, request, outcome);
    answer(Answer.WRITTEN);
    assertThat(keys.mayBeMissing(0)).isTrue();
    assertThat(keys.mayBeMissing(1)).isFalse();

    keys.transact(connection, first, second, request, outcome);
    open.remove(0).failed(ErrorKind.TIMEOUT, "no answer");
    assertThat(keys.count()).isEqualTo(2);
  }

  private void get() {
    keys.read(connection, 0, new Request.Get(KEY, ReadConsistency.LINEARIZABLE), outcome);
  }

  private void put() {
    keys.write(connection, 0, Request.update(KEY, VALUE), outcome);
  }

  private void delete() {
    keys.remove(connection, 0, new Request.Delete(KEY), outcome);
  }

  private void answer(Answer answer) {
    open.remove(0).answered(answer);
  }
}
