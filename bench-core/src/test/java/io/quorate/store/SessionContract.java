// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds the clients of a store to its sessions, against a cluster of one member. */
public abstract class SessionContract extends StoreContract {
  private Sessions sessions;

  protected SessionContract(Store database) {
    super(database);
  }

  /** Ends a session in the store, as if it had expired. */
  protected abstract void endInStore(Session session) throws Exception;

  protected final DriverSettings settings() {
    return new DriverSettings(endpoint(), LONG, LONG, access());
  }

  @BeforeEach
  void openSessions() {
    sessions = client().sessions(List.of(settings()), ttl());
  }

  @AfterEach
  void closeSessions() {
    sessions.close();
  }

  private Duration ttl() {
    return database.sessions().orElseThrow().leastTtl();
  }

  private static String acquire(Session session, byte[] key) {
    return ended(done -> session.acquire(key, done));
  }

  private static long token(Session session, byte[] key) {
    RecordedCompletion acquired = started(done -> session.acquire(key, done));
    assertThat(acquired.outcome()).as(acquired.message()).isEqualTo("written");
    return ((Answer.Written) acquired.answer()).revision();
  }

  /** Both at once, as they take the TTL, which is at least 10 s in Consul. */
  @Test
  void a_session_and_its_key_outlive_the_ttl_and_an_abandoned_one_ends_not_before_it() {
    byte[] key = freshKey();
    RecordedSession reports = new RecordedSession();
    Session session = sessions.open(0, reports);
    assertThat(session.ttl()).isEqualTo(ttl());
    assertThat(acquire(session, key)).isEqualTo("written");

    abandonedEndsNotBeforeItsTtl();

    await("keep-alives", () -> isKept(reports));
    assertThat(read(open(), key)).isEqualTo("found:" + session.id());
    assertThat(reports.losses()).isEmpty();
    assertThat(reports.renewals()).isSorted();
  }

  private void abandonedEndsNotBeforeItsTtl() {
    byte[] key = freshKey();
    RecordedSession reports = new RecordedSession();
    Session session = sessions.open(0, reports);
    assertThat(acquire(session, key)).isEqualTo("written");
    Connection reader = open();
    await("a keep-alive", () -> !reports.renewals().isEmpty());

    session.abandon();
    await("the removal", () -> read(reader, key).equals("missing"));
    long last = reports.renewals().get(reports.renewals().size() - 1);
    assertThat(System.nanoTime() - last).isGreaterThan(ttl().toNanos());
    assertThat(reports.losses()).isEmpty();
  }

  private boolean isKept(RecordedSession reports) {
    List<Long> renewals = reports.renewals();
    return !renewals.isEmpty()
        && renewals.get(renewals.size() - 1) - renewals.get(0) > 2 * ttl().toNanos();
  }

  @Test
  void a_key_has_one_holder_until_it_is_released_and_each_has_a_greater_token() {
    byte[] key = freshKey();
    Session first = sessions.open(0, new RecordedSession());
    Session second = sessions.open(0, new RecordedSession());

    long token = token(first, key);
    assertThat(acquire(second, key)).isEqualTo("conflict");
    assertThat(acquire(first, key)).isEqualTo("conflict");
    assertThat(ended(done -> second.release(key, done))).isEqualTo("missing");
    assertThat(read(open(), key)).isEqualTo("found:" + first.id());
    assertThat(ended(done -> first.release(key, done))).isEqualTo("written");
    assertThat(ended(done -> first.release(key, done))).isEqualTo("missing");
    assertThat(token(second, key)).isGreaterThan(token);
  }

  @Test
  void the_key_of_a_closed_session_is_removed_and_nothing_is_reported() {
    byte[] key = freshKey();
    RecordedSession reports = new RecordedSession();
    Session session = sessions.open(0, reports);
    assertThat(acquire(session, key)).isEqualTo("written");
    Connection reader = open();

    session.close();
    session.close();
    await("the removal", () -> read(reader, key).equals("missing"));
    assertThat(reports.losses()).isEmpty();
  }

  @Test
  void a_session_that_the_store_has_ended_is_reported_once_and_acquires_nothing() throws Exception {
    RecordedSession reports = new RecordedSession();
    Session session = sessions.open(0, reports);
    endInStore(session);

    await("the loss", () -> !reports.losses().isEmpty());
    assertThat(acquire(session, freshKey())).startsWith("failed:");
    assertThat(reports.losses()).hasSize(1);
  }

  private static Answer.Place place(Session session, byte[] lock) {
    RecordedCompletion queued = started(done -> session.enqueue(lock, done));
    assertThat(queued.outcome()).as(queued.message()).startsWith("place");
    return (Answer.Place) queued.answer();
  }

  private static RecordedCompletion before(Session session, byte[] lock, Answer.Place place) {
    RecordedCompletion found = started(done -> session.predecessor(lock, place, done));
    found.outcome();
    return found;
  }

  @Test
  void places_are_in_the_order_of_joining_and_each_waits_for_the_one_before_it() {
    byte[] lock = freshKey();
    Session first = sessions.open(0, new RecordedSession());
    Session second = sessions.open(0, new RecordedSession());
    Session third = sessions.open(0, new RecordedSession());
    Answer.Place ofFirst = place(first, lock);
    Answer.Place ofSecond = place(second, lock);
    Answer.Place ofThird = place(third, lock);
    assertThat(List.of(ofFirst.revision(), ofSecond.revision(), ofThird.revision())).isSorted();

    assertThat(before(first, lock, ofFirst).outcome()).isEqualTo("missing");
    RecordedCompletion found = before(third, lock, ofThird);
    assertThat(found.outcome()).isEqualTo("place");
    assertThat(((Answer.Place) found.answer()).key()).isEqualTo(ofSecond.key());

    RecordedCompletion waiting =
        started(done -> third.awaitRemoval((Answer.Place) found.answer(), done));
    assertThat(ended(done -> first.leave(ofFirst, done))).isEqualTo("written");
    assertThat(before(second, lock, ofSecond).outcome()).isEqualTo("missing");
    assertThat(waiting.timesTold()).isZero();
    assertThat(ended(done -> second.leave(ofSecond, done))).isEqualTo("written");
    assertThat(waiting.outcome()).isEqualTo("missing");
    assertThat(before(third, lock, ofThird).outcome()).isEqualTo("missing");
    assertThat(place(first, lock).revision()).isGreaterThan(ofThird.revision());
  }

  @Test
  void a_session_that_joins_again_at_once_does_not_keep_others_waiting() {
    byte[] lock = freshKey();
    Session first = sessions.open(0, new RecordedSession());
    Session second = sessions.open(0, new RecordedSession());
    Answer.Place ofFirst = place(first, lock);
    Answer.Place ofSecond = place(second, lock);
    Answer.Place seen = (Answer.Place) before(second, lock, ofSecond).answer();
    RecordedCompletion waiting = started(done -> second.awaitRemoval(seen, done));

    assertThat(ended(done -> first.leave(ofFirst, done))).isEqualTo("written");
    Answer.Place again = place(first, lock);
    assertThat(waiting.outcome()).isEqualTo("missing");
    assertThat(((Answer.Place) before(first, lock, again).answer()).key())
        .isEqualTo(ofSecond.key());
  }

  @Test
  void a_session_that_is_closed_or_abandoned_waits_no_longer() {
    if (database.sessions().orElseThrow().connected()) {
      return; // it waits on its connection, which ends with it
    }
    byte[] lock = freshKey();
    place(sessions.open(0, new RecordedSession()), lock);
    for (Consumer<Session> end : List.<Consumer<Session>>of(Session::abandon, Session::close)) {
      Session second = sessions.open(0, new RecordedSession());
      Answer.Place seen = (Answer.Place) before(second, lock, place(second, lock)).answer();
      RecordedCompletion waiting = started(done -> second.awaitRemoval(seen, done));
      end.accept(second);
      assertThat(waiting.outcome()).startsWith("failed:");
    }
  }

  @Test
  void a_place_that_has_gone_is_not_waited_for_and_holds_nothing() {
    byte[] lock = freshKey();
    Session first = sessions.open(0, new RecordedSession());
    Session second = sessions.open(0, new RecordedSession());
    Answer.Place ofFirst = place(first, lock);
    Answer.Place ofSecond = place(second, lock);
    Answer.Place seen = (Answer.Place) before(second, lock, ofSecond).answer();

    first.close();
    assertThat(ended(done -> second.awaitRemoval(seen, done))).isEqualTo("missing");
    assertThat(ended(done -> second.awaitRemoval(seen, done))).isEqualTo("missing");
    assertThat(ended(done -> second.leave(ofSecond, done))).isEqualTo("written");
    Answer.Place ofThird = place(second, lock);
    assertThat(before(second, lock, ofSecond).outcome()).startsWith("failed:");
    assertThat(before(second, lock, ofThird).outcome()).isEqualTo("missing");
  }
}
