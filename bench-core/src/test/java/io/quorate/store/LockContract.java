// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the locks of a store's clients to their contract, against a cluster of one member. */
public abstract class LockContract extends StoreContract {
  private final List<String> kinds;
  private final List<Opened> opened = new ArrayList<>();
  private Locks locks;

  /** The locks of a client. */
  private record Opened(StoreClient client, Locks locks) {
    void close() {
      locks.close();
      client.close();
    }
  }

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
    locks = locks(kind);
  }

  private Locks locks(String kind) {
    DriverSettings settings = new DriverSettings(endpoint(), LONG, LONG, access());
    StoreClient client = database.client(kind).start();
    Locks started = start(client, List.of(settings), ttl());
    opened.add(new Opened(client, started));
    return started;
  }

  /** For elections instead of locks. */
  protected Locks start(StoreClient client, List<DriverSettings> members, Duration ttl) {
    return client.locks(members, ttl);
  }

  @AfterEach
  void end() {
    opened.forEach(Opened::close);
    opened.clear();
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

  /** All kinds at once, as each takes the TTL, which is at least 10 s in Consul. */
  @Test
  void a_client_is_kept_alive_beyond_its_ttl_and_one_that_died_is_not() {
    List<Expiration> expirations =
        kinds.stream().map(kind -> new Expiration(kind, locks(kind))).toList();

    expirations.forEach(Expiration::lockGoesToTheNextOne);
    expirations.forEach(Expiration::isKept);
  }

  /** A client that lives, one that dies with its lock, and one that waits for this lock. */
  private final class Expiration {
    private final String kind;
    private final RecordedSession keptReports = new RecordedSession();
    private final RecordedSession deadReports = new RecordedSession();
    private final byte[] lock = freshKey();
    private final LockClient kept;
    private final RecordedCompletion nextAcquired;
    private final long keptNanos;
    private final long deadNanos;

    Expiration(String kind, Locks own) {
      this.kind = kind;
      this.kept = own.open(0, keptReports);
      token(acquiring(kept, freshKey()));
      this.keptNanos = System.nanoTime();
      LockClient dead = own.open(0, deadReports);
      LockClient next = own.open(0, new RecordedSession());
      token(acquiring(dead, lock));
      this.deadNanos = System.nanoTime();
      dead.abandon();
      dead.abandon();
      this.nextAcquired = acquiring(next, lock);
    }

    void lockGoesToTheNextOne() {
      token(nextAcquired);
      // keep-alives are up to a third of the TTL old
      assertThat(nextAcquired.endNanos() - deadNanos).as(kind).isGreaterThan(ttl().toNanos() / 2);
      assertThat(deadReports.losses()).as(kind).isEmpty();
    }

    void isKept() {
      await(
          "twice the TTL", () -> System.nanoTime() - keptNanos >= ttl().multipliedBy(2).toNanos());
      assertThat(keptReports.losses()).as(kind).isEmpty();
      assertThat(ended(kept::release)).as(kind).isEqualTo("written");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void the_lock_of_a_client_that_was_closed_goes_to_the_next_one(String kind) {
    begin(kind);
    byte[] lock = freshKey();
    LockClient closed = opened();
    token(acquiring(closed, lock));
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
    end();
    await("no thread of a driver", () -> ConnectionContract.driverThreads().isEmpty());
  }
}
