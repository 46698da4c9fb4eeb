// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.quorate.gatling.QuorateDsl.acquire;
import static io.quorate.gatling.QuorateDsl.answeredBy;
import static io.quorate.gatling.QuorateDsl.await;
import static io.quorate.gatling.QuorateDsl.exists;
import static io.quorate.gatling.QuorateDsl.get;
import static io.quorate.gatling.QuorateDsl.outcome;
import static io.quorate.gatling.QuorateDsl.put;
import static io.quorate.gatling.QuorateDsl.register;
import static io.quorate.gatling.QuorateDsl.release;
import static io.quorate.gatling.QuorateDsl.watch;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.quorate.cluster.Await;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Users of a store that opens late, loses sessions, or does not answer. */
class LateStoreTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(50);

  private final LateStore store = new LateStore();
  private VirtualUsers users;

  /** Limits the time of requests, whose connection is opened for each user. */
  private static void impatient(StoreProtocol copy) {
    copy.requestTimeout = SHORT;
    copy.connections = 0;
  }

  private void users(Consumer<StoreProtocol> change) {
    List<Endpoint> members = List.of(new Endpoint("127.0.0.1", 1), new Endpoint("127.0.0.1", 2));
    users =
        new VirtualUsers(
            new StoreProtocol(store.store(), members, StoreKey.Etcd::new).with(change));
  }

  @AfterEach
  void end() {
    store.open();
    users.close();
  }

  /** Lets what was held open. */
  private ChainBuilder opening() {
    return exec(
        session -> {
          store.open();
          return session;
        });
  }

  @Test
  void a_session_that_comes_too_late_registers_nothing_and_is_left_to_the_next_user() {
    users(LateStoreTest::impatient);
    store.hold();
    users.run(register("late").key("a"), opening());
    assertThat(users.messages())
        .containsExactly("late: timeout: the store has not confirmed the registration");
    Await.until("the late session", LONG, () -> store.sessions().size() == 1);

    users.run(register("next").key("b").check(outcome().saveAs("any")));
    assertThat(store.registered()).containsExactly("b");
    assertThat(store.sessions()).hasSize(1);
  }

  @Test
  void nothing_is_sent_after_its_timeout_when_the_connection_opens() {
    users(LateStoreTest::impatient);
    store.hold();
    users.run(
        put("late").key("a").value("v"),
        opening(),
        put("next").key("b").value("v"),
        get("never sent").key("a").check(exists().is(false)));
    assertThat(users.messages())
        .containsExactly("late: timeout: no connection in time", "next: ", "never sent: ");
  }

  @Test
  void a_connection_that_has_failed_is_opened_again_within_the_time_of_a_request() {
    users(LateStoreTest::impatient);
    store.refuse();
    users.run(
        put("refused").key("a").value("v"),
        exec(
            session -> {
              store.hold();
              return session;
            }),
        put("late").key("a").value("v"));
    assertThat(users.messages())
        .containsExactly("refused: connection: refused", "late: timeout: no connection in time");
  }

  @Test
  void all_requests_of_a_put_have_the_time_of_one() {
    users(copy -> copy.requestTimeout = SHORT);
    store.swallow(request -> request instanceof Request.Put put && put.creates());
    users.run(put("put").key("a").value("v"));
    assertThat(users.messages())
        .containsExactly("put: timeout: no answer to all its requests in time");
  }

  @Test
  void no_member_answers_a_request_that_fails_with_timeout() {
    users(copy -> {});
    store.fail(ErrorKind.TIMEOUT);
    users.run(
        get("read").key("a").check(outcome().is("timeout"), answeredBy().notExists()),
        get("words").key("a").check(outcome().is("ok")));
    assertThat(users.messages())
        .containsExactly("read: ", "words: timeout: failed; outcome.find.is(ok), found timeout");
  }

  @Test
  void a_user_that_waits_for_a_lock_in_vain_leaves_the_queue_before_it_goes_on() {
    users(copy -> {});
    store.occupy();
    Session end =
        users.run(
            acquire("acquire").lock("a").within(SHORT),
            exec(session -> session.set("left", store.sessions().get(0).isAbandoned())));
    assertThat(end.getBoolean("left")).isTrue();
    assertThat(users.messages()).containsExactly("acquire: timeout: another client holds the lock");
    Await.until("the end of the session", LONG, () -> store.revoked().contains("session 1"));
  }

  @Test
  void a_lock_whose_session_was_lost_is_missing() {
    users(copy -> {});
    users.run(
        acquire("acquire").lock("a"),
        exec(
            session -> {
              store.sessions().get(0).lose();
              return session;
            }),
        release("release").lock("a"));
    assertThat(users.messages())
        .containsExactly("acquire: ", "release: missing: the session of the lock has ended");
  }

  @Test
  void sessions_end_at_another_member_if_the_first_one_does_not_answer() {
    users(copy -> {});
    store.refuseEndsAt(1);
    users.run(acquire("acquire").lock("a"));
    Await.until("the end of the session", LONG, () -> store.revoked().contains("session 1"));
  }

  @Test
  void the_end_of_a_simulation_waits_until_the_sessions_of_its_users_have_ended() {
    users(copy -> {});
    users.start(
        acquire("acquire").lock("a"),
        register("register").key("b"),
        watch("watch").key("c"),
        await("await").within(LONG));
    Await.until("a waiting user", LONG, () -> users.sawRequest("watch"));
    users.close();
    assertThat(store.revoked()).containsExactlyInAnyOrder("session 1", "session 2");
  }
}
