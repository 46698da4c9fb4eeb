// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the locks of a store's clients to their contract, against a cluster of one member. */
public abstract class LockContract extends StoreContract {
  private final List<String> kinds;

  private StoreClient started;
  private Locks locks;

  /**
   * @param kinds names of the kinds of clients that have locks
   */
  protected LockContract(Store database, String... kinds) {
    super(database);
    this.kinds = List.of(kinds);
  }

  protected List<String> kinds() {
    return kinds;
  }

  private void begin(String kind) {
    DriverSettings settings = new DriverSettings(endpoint(), LONG, LONG, access());
    started = database.client(kind).start();
    locks = start(started, List.of(settings), ttl());
  }

  /** For elections instead of locks. */
  protected Locks start(StoreClient client, List<DriverSettings> members, Duration ttl) {
    return client.locks(members, ttl);
  }

  @AfterEach
  void end() {
    locks.close();
    started.close();
  }

  private Duration ttl() {
    return database.sessions().orElseThrow().leastTtl();
  }

  private LockClient opened() {
    return locks.open(0, new RecordedSession());
  }

  private static RecordedCompletion acquiring(LockClient client, byte[] lock) {
    return started(done -> client.acquire(lock, done));
  }

  private static long token(RecordedCompletion acquired) {
    assertThat(acquired.outcome()).as(acquired.message()).isEqualTo("written");
    return ((Answer.Written) acquired.answer()).revision();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void a_lock_has_one_holder_and_goes_to_the_next_one_when_it_is_released(String kind) {
    begin(kind);
    byte[] lock = freshKey();
    LockClient first = opened();
    LockClient second = opened();

    long token = token(acquiring(first, lock));
    RecordedCompletion waiting = acquiring(second, lock);
    assertThat(token(acquiring(opened(), freshKey()))).isNotZero();
    assertThat(waiting.timesTold()).isZero();
    assertThat(ended(first::release)).isEqualTo("written");
    long next = token(waiting);
    assertThat(next > token || next == Answer.NO_REVISION && token == next).isTrue();
    RecordedCompletion again = acquiring(first, lock);
    assertThat(ended(second::release)).isEqualTo("written");
    token(again);
    assertThat(ended(first::release)).isEqualTo("written");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void the_lock_of_a_client_that_died_or_was_closed_goes_to_the_next_one(String kind) {
    begin(kind);
    byte[] lock = freshKey();
    RecordedSession reports = new RecordedSession();
    LockClient dead = locks.open(0, reports);
    LockClient closed = opened();
    token(acquiring(dead, lock));
    long start = System.nanoTime();
    dead.abandon();
    dead.abandon();
    token(acquiring(closed, lock));
    // keep-alives are up to a third of the TTL old
    assertThat(System.nanoTime() - start).isGreaterThan(ttl().toNanos() / 2);
    assertThat(reports.losses()).isEmpty();

    RecordedCompletion waiting = acquiring(opened(), lock);
    closed.close();
    closed.close();
    token(waiting);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void a_client_that_is_closed_while_it_waits_is_passed_over(String kind) {
    begin(kind);
    byte[] lock = freshKey();
    LockClient first = opened();
    LockClient second = opened();
    token(acquiring(first, lock));
    acquiring(second, lock);
    RecordedCompletion third = acquiring(opened(), lock);
    second.close();
    assertThat(ended(first::release)).isEqualTo("written");
    token(third);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void no_thread_is_left_when_all_locks_are_closed(String kind) {
    begin(kind);
    byte[] lock = freshKey();
    token(acquiring(opened(), lock));
    acquiring(opened(), lock);
    locks.close();
    started.close();
    await("no thread of a driver", () -> ConnectionContract.driverThreads().isEmpty());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void a_client_is_kept_alive_beyond_its_ttl(String kind) throws InterruptedException {
    begin(kind);
    RecordedSession reports = new RecordedSession();
    LockClient client = locks.open(0, reports);
    byte[] lock = freshKey();
    token(acquiring(client, lock));
    Thread.sleep(ttl().multipliedBy(2).toMillis());
    assertThat(reports.losses()).isEmpty();
    assertThat(ended(client::release)).isEqualTo("written");
  }
}
