// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemovableKeysTest {
  private static final byte[] KEY = {'k'};
  private static final byte[] VALUE = {'v'};

  private final RemovableKeys keys = new RemovableKeys(2);
  private final HeldRequests held = new HeldRequests();

  @Test
  void a_key_that_nothing_has_removed_must_be_there() {
    get();
    held.answer(Answer.MISSING);
    put();
    held.answer(Answer.MISSING);
    delete();
    held.answer(Answer.MISSING);

    assertThat(held.outcomes).containsExactly("missing", "missing", "missing");
  }

  @Test
  void a_removed_key_may_be_missing_until_a_put_is_acknowledged() {
    delete();
    held.answer(Answer.WRITTEN);
    get();
    held.answer(Answer.MISSING);
    delete();
    held.answer(Answer.MISSING);
    assertThat(keys.count()).isEqualTo(1);

    put();
    held.answer(Answer.WRITTEN);
    assertThat(keys.count()).isZero();
    get();
    held.answer(Answer.MISSING);

    assertThat(held.outcomes)
        .containsExactly("answered", "answered", "answered", "answered", "missing");
    assertThat(keys.wasRemoved(0)).isTrue();
    assertThat(keys.wasRemoved(1)).isFalse();
  }

  @Test
  void a_get_may_miss_a_key_that_is_removed_meanwhile() {
    get();
    Completion read = held.open.remove(0);
    delete();
    read.answered(Answer.MISSING);

    assertThat(held.outcomes).containsExactly("answered");
  }

  @Test
  void a_removal_of_unknown_outcome_may_come_late() {
    delete();
    held.fail(ErrorKind.TIMEOUT, "no answer");
    put();
    held.answer(Answer.WRITTEN);

    assertThat(keys.mayBeMissing(0)).isTrue();
  }

  @Test
  void a_put_writes_the_key_whether_it_is_there_or_not() {
    delete();
    held.answer(Answer.WRITTEN);
    put(); // creates the removed key, which another put has created meanwhile
    held.fail(ErrorKind.REJECTED, "the key exists");
    held.answer(Answer.WRITTEN);
    put(); // updates the key, which is removed meanwhile
    Completion update = held.open.remove(0);
    delete();
    Completion removal = held.open.remove(0);
    update.answered(Answer.MISSING);
    held.answer(Answer.WRITTEN);
    removal.answered(Answer.WRITTEN);

    assertThat(held.sent)
        .map(each -> each instanceof Request.Put put ? (put.creates() ? "create" : "update") : "-")
        .containsExactly("-", "create", "update", "update", "-", "create");
    assertThat(held.outcomes).containsExactly("answered", "answered", "answered", "answered");
    assertThat(keys.mayBeMissing(0)).isTrue();
  }

  @Test
  void a_transaction_writes_and_removes_keys_that_may_be_missing() {
    long[] first = {0};
    long[] second = {1};
    var request = new Request.Txn(List.of(Request.update(KEY, VALUE)), List.of(KEY), List.of());
    keys.transact(held, first, second, request, held.outcome);
    held.answer(Answer.WRITTEN);
    assertThat(keys.mayBeMissing(0)).isFalse();
    assertThat(keys.mayBeMissing(1)).isTrue();

    keys.transact(held, second, first, request, held.outcome);
    held.answer(Answer.WRITTEN);
    assertThat(keys.mayBeMissing(0)).isTrue();
    assertThat(keys.mayBeMissing(1)).isFalse();

    keys.transact(held, first, second, request, held.outcome);
    held.fail(ErrorKind.TIMEOUT, "no answer");
    assertThat(keys.count()).isEqualTo(2);
  }

  private void get() {
    keys.read(held, 0, new Request.Get(KEY, ReadConsistency.LINEARIZABLE), held.outcome);
  }

  private void put() {
    keys.write(held, 0, Request.update(KEY, VALUE), held.outcome);
  }

  private void delete() {
    keys.remove(held, 0, new Request.Delete(KEY), held.outcome);
  }
}
