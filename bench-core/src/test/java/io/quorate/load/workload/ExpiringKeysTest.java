// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Answer;
import io.quorate.store.Capabilities;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ExpiringKeysTest {
  private static final byte[] KEY = {'k'};
  private static final byte[] VALUE = {'v'};

  private long nanos = TimeUnit.SECONDS.toNanos(1_000);
  private final ExpiringKeys keys = keys(ZooKeeperStore.STORE.capabilities());
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
      Completion.of(
          answer -> outcomes.add(answer instanceof Answer.Missing ? "missing" : "answered"),
          (kind, message) -> outcomes.add(kind.label() + ": " + message));

  private ExpiringKeys keys(Capabilities can) {
    return new ExpiringKeys(Duration.ofSeconds(20), 3, can, () -> nanos);
  }

  @Test
  void a_key_must_exist_until_the_TTL_since_its_write_began_is_over() {
    write(keys, 0);
    pass(5_000);
    answer(Answer.WRITTEN);

    pass(14_999);
    assertThat(keys.mayBeMissing(0)).isFalse();
    read(0);
    answer(Answer.MISSING);
    pass(1);
    assertThat(keys.mayBeMissing(0)).isTrue();
    assertThat(keys.count()).isEqualTo(1);
    read(0);
    answer(Answer.MISSING);

    assertThat(outcomes).containsExactly("answered", "missing", "answered");
  }

  @Test
  void a_write_starts_the_TTL_again() {
    write(keys, 0);
    answer(Answer.WRITTEN);
    pass(15_000);
    write(keys, 0);
    answer(Answer.WRITTEN);
    pass(15_000);

    assertThat(keys.mayBeMissing(0)).isFalse();
    assertThat(keys.count()).isZero();
  }

  @Test
  void a_write_with_an_unknown_outcome_starts_no_TTL() {
    write(keys, 0);
    answer(Answer.WRITTEN);
    write(keys, 0);
    open.remove(0).failed(ErrorKind.TIMEOUT, "late");
    pass(10_000);
    write(keys, 0);
    answer(Answer.WRITTEN);

    assertThat(keys.mayBeMissing(0)).isFalse();
    pass(10_000);
    assertThat(keys.mayBeMissing(0)).isTrue();
  }

  @Test
  void without_leases_a_write_creates_or_updates_whichever_is_right() {
    write(keys, 0);
    open.remove(0).failed(ErrorKind.REJECTED, "NODEEXISTS");
    answer(Answer.WRITTEN);
    write(keys, 0);
    pass(20_000);
    answer(Answer.MISSING);
    answer(Answer.WRITTEN);

    assertThat(sent)
        .extracting(each -> each.getClass().getSimpleName())
        .containsExactly("CreateWithTtl", "Put", "Put", "CreateWithTtl");
    assertThat(((Request.CreateWithTtl) sent.get(0)).ttl()).isEqualTo(Duration.ofSeconds(20));
    assertThat(outcomes).containsExactly("answered", "answered");
  }

  @Test
  void a_key_that_is_created_once_must_not_exist() {
    keys.send(connection, 0, Request.create(KEY, VALUE), outcome);
    open.remove(0).failed(ErrorKind.REJECTED, "NODEEXISTS");

    assertThat(outcomes).containsExactly("rejected: NODEEXISTS");
    assertThat(sent).hasSize(1);
  }

  @Test
  void keys_share_a_lease_that_is_longer_than_their_TTL_until_it_is_used_up() {
    ExpiringKeys leased = keys(EtcdStore.STORE.capabilities());
    write(leased, 0);
    write(leased, 1);
    assertThat(sent).containsExactly(new Request.GrantLease(21));
    answer(new Answer.Granted("7"));
    assertThat(sent).hasSize(3);
    pass(999);
    write(leased, 2);
    pass(1);
    write(leased, 2);

    assertThat(sent).hasSize(5);
    assertThat(((Request.LeasedPut) sent.get(3)).lease()).isEqualTo("7");
    assertThat(sent.get(4)).isEqualTo(new Request.GrantLease(21));
    open.get(4 - 1).answered(new Answer.Granted("8"));
    assertThat(leased.leases()).containsExactly("7", "8");
  }

  @Test
  void a_lease_has_at_most_a_thousand_keys() {
    ExpiringKeys leased = keys(EtcdStore.STORE.capabilities());
    write(leased, 0);
    answer(new Answer.Granted("7"));
    for (int i = 1; i <= SharedLeases.MOST_KEYS; i++) {
      write(leased, 0);
    }

    assertThat(sent.stream().filter(Request.GrantLease.class::isInstance)).hasSize(2);
  }

  @Test
  void writes_that_wait_for_a_lease_fail_with_it_and_the_next_one_asks_again() {
    ExpiringKeys leased = keys(EtcdStore.STORE.capabilities());
    write(leased, 0);
    write(leased, 1);
    open.remove(0).failed(ErrorKind.TIMEOUT, "no answer");
    write(leased, 2);

    assertThat(outcomes)
        .containsExactly("timeout: no lease: no answer", "timeout: no lease: no answer");
    assertThat(sent).hasSize(2);
  }

  @Test
  void a_lease_that_is_refused_at_once_fails_only_the_write_that_asked_for_it() {
    ExpiringKeys leased = keys(EtcdStore.STORE.capabilities());
    Connection closed =
        new Connection() {
          @Override
          public void submit(Request request, Completion completion) {
            sent.add(request);
            completion.failed(ErrorKind.CONNECTION, "closed");
          }

          @Override
          public void close() {}
        };
    leased.send(closed, 0, Request.update(KEY, VALUE), outcome);
    leased.send(closed, 0, Request.update(KEY, VALUE), outcome);

    assertThat(sent).containsExactly(new Request.GrantLease(21), new Request.GrantLease(21));
    assertThat(outcomes)
        .containsExactly("connection: no lease: closed", "connection: no lease: closed");
  }

  @Test
  void a_key_with_a_lost_write_is_updated_by_one_request() {
    write(keys, 0);
    answer(Answer.WRITTEN);
    write(keys, 0);
    open.remove(0).failed(ErrorKind.TIMEOUT, "late");
    pass(15_000);
    write(keys, 0);
    answer(Answer.WRITTEN);
    pass(15_000);
    write(keys, 0);
    answer(Answer.WRITTEN);

    assertThat(sent)
        .extracting(each -> each.getClass().getSimpleName())
        .containsExactly("CreateWithTtl", "Put", "Put", "Put");
  }

  @Test
  void a_refused_write_is_not_open() {
    write(keys, 0);
    answer(Answer.WRITTEN);
    write(keys, 0);
    open.remove(0).failed(ErrorKind.REJECTED, "too large");
    pass(10_000);
    write(keys, 0);
    answer(Answer.WRITTEN);
    pass(15_000);

    assertThat(keys.mayBeMissing(0)).isFalse();
  }

  private void write(ExpiringKeys which, long number) {
    which.send(connection, number, Request.update(KEY, VALUE), outcome);
  }

  private void read(long number) {
    keys.send(connection, number, new Request.Get(KEY, ReadConsistency.LINEARIZABLE), outcome);
  }

  private void answer(Answer answer) {
    open.remove(0).answered(answer);
  }

  private void pass(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
