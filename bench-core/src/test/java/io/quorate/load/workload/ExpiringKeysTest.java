// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.Await;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ExpiringKeysTest {
  private static final byte[] KEY = {'k'};
  private static final byte[] VALUE = {'v'};

  private long nanos = TimeUnit.SECONDS.toNanos(1_000);
  private final ExpiringKeys keys = keys(ZooKeeperStore.STORE.capabilities());
  private final HeldRequests held = new HeldRequests();

  private ExpiringKeys keys(Capabilities can) {
    return keys(can, Duration.ofMinutes(5));
  }

  private ExpiringKeys keys(Capabilities can, Duration timeout) {
    return new ExpiringKeys(Duration.ofSeconds(20), 3, timeout, can, () -> nanos);
  }

  @Test
  void a_key_must_exist_until_the_TTL_since_its_write_began_is_over() {
    write(keys, 0);
    pass(5_000);
    held.answer(Answer.WRITTEN);

    pass(14_999);
    assertThat(keys.mayBeMissing(0)).isFalse();
    read(0);
    held.answer(Answer.MISSING);
    pass(1);
    assertThat(keys.mayBeMissing(0)).isTrue();
    assertThat(keys.count()).isEqualTo(1);
    read(0);
    held.answer(Answer.MISSING);

    assertThat(held.outcomes).containsExactly("answered", "missing", "answered");
  }

  @Test
  void a_write_starts_the_TTL_again() {
    write(keys, 0);
    held.answer(Answer.WRITTEN);
    pass(15_000);
    write(keys, 0);
    held.answer(Answer.WRITTEN);
    pass(15_000);

    assertThat(keys.mayBeMissing(0)).isFalse();
    assertThat(keys.count()).isZero();
  }

  @Test
  void a_write_with_an_unknown_outcome_starts_no_TTL() {
    write(keys, 0);
    held.answer(Answer.WRITTEN);
    write(keys, 0);
    held.fail(ErrorKind.TIMEOUT, "late");
    pass(10_000);
    write(keys, 0);
    held.answer(Answer.WRITTEN);

    assertThat(keys.mayBeMissing(0)).isFalse();
    pass(10_000);
    assertThat(keys.mayBeMissing(0)).isTrue();
  }

  @Test
  void without_leases_a_write_creates_or_updates_whichever_is_right() {
    write(keys, 0);
    held.fail(ErrorKind.REJECTED, "NODEEXISTS");
    held.answer(Answer.WRITTEN);
    write(keys, 0);
    pass(20_000);
    held.answer(Answer.MISSING);
    held.answer(Answer.WRITTEN);

    assertThat(held.sent)
        .extracting(each -> each.getClass().getSimpleName())
        .containsExactly("CreateWithTtl", "Put", "Put", "CreateWithTtl");
    assertThat(((Request.CreateWithTtl) held.sent.get(0)).ttl()).isEqualTo(Duration.ofSeconds(20));
    assertThat(held.outcomes).containsExactly("answered", "answered");
  }

  @Test
  void a_key_that_is_created_once_must_not_exist() {
    keys.send(held, 0, Request.create(KEY, VALUE), held.outcome);
    held.fail(ErrorKind.REJECTED, "NODEEXISTS");

    assertThat(held.outcomes).containsExactly("rejected: NODEEXISTS");
    assertThat(held.sent).hasSize(1);
  }

  @Test
  void keys_share_a_lease_that_is_longer_than_their_TTL_until_it_is_used_up() {
    ExpiringKeys leased = keys(EtcdStore.STORE.capabilities());
    write(leased, 0);
    write(leased, 1);
    assertThat(held.sent).containsExactly(new Request.GrantLease(21));
    held.answer(new Answer.Granted("7"));
    assertThat(held.sent).hasSize(3);
    pass(999);
    write(leased, 2);
    pass(1);
    write(leased, 2);

    assertThat(held.sent).hasSize(5);
    assertThat(((Request.LeasedPut) held.sent.get(3)).lease()).isEqualTo("7");
    assertThat(held.sent.get(4)).isEqualTo(new Request.GrantLease(21));
    held.open.get(4 - 1).answered(new Answer.Granted("8"));
    assertThat(leased.leases()).containsExactly("7", "8");
  }

  @Test
  void a_lease_has_at_most_a_thousand_keys() {
    ExpiringKeys leased = keys(EtcdStore.STORE.capabilities());
    write(leased, 0);
    held.answer(new Answer.Granted("7"));
    for (int i = 1; i <= SharedLeases.MOST_KEYS; i++) {
      write(leased, 0);
    }

    assertThat(held.sent.stream().filter(Request.GrantLease.class::isInstance)).hasSize(2);
  }

  @Test
  void writes_that_wait_for_a_lease_fail_with_it_and_the_next_one_asks_again() {
    ExpiringKeys leased = keys(EtcdStore.STORE.capabilities());
    write(leased, 0);
    write(leased, 1);
    held.fail(ErrorKind.TIMEOUT, "no answer");
    write(leased, 2);

    assertThat(held.outcomes)
        .containsExactly("timeout: no lease: no answer", "timeout: no lease: no answer");
    assertThat(held.sent).hasSize(2);
  }

  @Test
  void a_write_that_waits_for_a_lease_longer_than_its_timeout_fails_and_is_not_sent() {
    ExpiringKeys leased = keys(EtcdStore.STORE.capabilities(), Duration.ofMillis(1));
    write(leased, 0);
    Await.until("it has failed", Duration.ofMinutes(1), () -> held.outcomes.size() == 1);
    held.answer(new Answer.Granted("7"));

    assertThat(held.outcomes)
        .containsExactly("timeout: no answer within 1 ms, with the wait for a lease");
    assertThat(held.sent).containsExactly(new Request.GrantLease(21));
  }

  @Test
  void leases_that_have_ended_are_forgotten() {
    ExpiringKeys leased = keys(EtcdStore.STORE.capabilities());
    write(leased, 0);
    held.answer(new Answer.Granted("7"));
    pass(42_001);
    write(leased, 0);
    held.open.get(1).answered(new Answer.Granted("8"));

    assertThat(leased.leases()).containsExactly("8");
  }

  @Test
  void a_lease_that_is_refused_at_once_fails_only_the_write_that_asked_for_it() {
    ExpiringKeys leased = keys(EtcdStore.STORE.capabilities());
    Connection closed =
        new Connection() {
          @Override
          public void submit(Request request, Completion completion) {
            held.sent.add(request);
            completion.failed(ErrorKind.CONNECTION, "closed");
          }

          @Override
          public void close() {}
        };
    leased.send(closed, 0, Request.update(KEY, VALUE), held.outcome);
    leased.send(closed, 0, Request.update(KEY, VALUE), held.outcome);

    assertThat(held.sent).containsExactly(new Request.GrantLease(21), new Request.GrantLease(21));
    assertThat(held.outcomes)
        .containsExactly("connection: no lease: closed", "connection: no lease: closed");
  }

  @Test
  void a_key_with_a_lost_write_is_updated_by_one_request() {
    write(keys, 0);
    held.answer(Answer.WRITTEN);
    write(keys, 0);
    held.fail(ErrorKind.TIMEOUT, "late");
    pass(15_000);
    write(keys, 0);
    held.answer(Answer.WRITTEN);
    pass(15_000);
    write(keys, 0);
    held.answer(Answer.WRITTEN);

    assertThat(held.sent)
        .extracting(each -> each.getClass().getSimpleName())
        .containsExactly("CreateWithTtl", "Put", "Put", "Put");
  }

  @Test
  void a_refused_write_is_not_open() {
    write(keys, 0);
    held.answer(Answer.WRITTEN);
    write(keys, 0);
    held.fail(ErrorKind.REJECTED, "too large");
    pass(10_000);
    write(keys, 0);
    held.answer(Answer.WRITTEN);
    pass(15_000);

    assertThat(keys.mayBeMissing(0)).isFalse();
  }

  private void write(ExpiringKeys which, long number) {
    which.send(held, number, Request.update(KEY, VALUE), held.outcome);
  }

  private void read(long number) {
    keys.send(held, number, new Request.Get(KEY, ReadConsistency.LINEARIZABLE), held.outcome);
  }

  private void pass(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
