// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static io.quorate.gatling.QuorateDsl.acquire;
import static io.quorate.gatling.QuorateDsl.answeredBy;
import static io.quorate.gatling.QuorateDsl.await;
import static io.quorate.gatling.QuorateDsl.bytes;
import static io.quorate.gatling.QuorateDsl.compareAndSet;
import static io.quorate.gatling.QuorateDsl.count;
import static io.quorate.gatling.QuorateDsl.delete;
import static io.quorate.gatling.QuorateDsl.exists;
import static io.quorate.gatling.QuorateDsl.get;
import static io.quorate.gatling.QuorateDsl.key;
import static io.quorate.gatling.QuorateDsl.keys;
import static io.quorate.gatling.QuorateDsl.outcome;
import static io.quorate.gatling.QuorateDsl.put;
import static io.quorate.gatling.QuorateDsl.range;
import static io.quorate.gatling.QuorateDsl.register;
import static io.quorate.gatling.QuorateDsl.release;
import static io.quorate.gatling.QuorateDsl.revision;
import static io.quorate.gatling.QuorateDsl.txn;
import static io.quorate.gatling.QuorateDsl.unwatch;
import static io.quorate.gatling.QuorateDsl.value;
import static io.quorate.gatling.QuorateDsl.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatling.javaapi.core.Session;
import io.quorate.cluster.Await;
import io.quorate.store.Capabilities;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Security;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Every action and every check of the DSL, on the servers of one store. */
abstract class DslContract extends DslFailureContract {
  DslContract(Store store, Security security) {
    super(store, security);
  }

  private boolean detectsCreation() {
    return store.equals(ZooKeeperStore.STORE) || store.equals(MemoryStore.STORE);
  }

  private boolean isLogged(String name) {
    return users.sawRequest(name);
  }

  @Test
  void a_put_creates_and_changes_a_key_and_a_get_checks_it() {
    Session end =
        users.run(
            put("create").key(k).value("v1"),
            put("change").key(session -> k).value(session -> "v2".getBytes()),
            get("read")
                .key(k)
                .consistency(ReadConsistency.LINEARIZABLE)
                .check(
                    value().is("v2"),
                    bytes().transform(String::new).is("v2"),
                    value().transform(String::length).is(2),
                    value().saveAs("saved"),
                    exists().is(true),
                    revision().gte(0L),
                    answeredBy().is(server.toString())),
            get("again").key("#{absent}").check(value().isEL("#{saved}")));
    assertThat(end.getString("saved")).isEqualTo("v2");
    assertThat(end.isFailed()).isTrue();
    assertThat(users.messages())
        .hasSize(4)
        .startsWith("create: ", "change: ", "read: ")
        .last()
        .asString()
        .startsWith("again: crash: key: ");
  }

  @Test
  void a_failed_check_fails_the_request_and_the_session() {
    Session end =
        users.run(put("put").key(k).value("v"), get("read").key(k).check(value().is("other")));
    assertThat(end.isFailed()).isTrue();
    assertThat(users.messages()).containsExactly("put: ", "read: value.find.is(other), found v");
  }

  @Test
  void a_deleted_key_is_missing() {
    users.run(
        put("put").key(k).value("v"),
        delete("delete").key(k),
        get("read").key(k).check(exists().is(false)));
    allOk("put", "delete", "read");
  }

  @Test
  void a_compare_and_set_with_an_old_revision_is_a_conflict() {
    Session end =
        users.run(
            put("put").key(k).value("v1"),
            get("read").key(k).check(revision().saveAs("revision")),
            compareAndSet("first").key(k).value("v2").revision("#{revision}"),
            compareAndSet("expected")
                .key(k)
                .value("v3")
                .revision("#{revision}")
                .check(outcome().is("conflict")),
            compareAndSet("second")
                .key(k)
                .value("v3")
                .revision(session -> session.getLong("revision")));
    assertThat(end.isFailed()).isTrue();
    assertThat(users.messages())
        .containsExactly(
            "put: ",
            "read: ",
            "first: ",
            "expected: ",
            "second: conflict: another client was first");
  }

  @Test
  void a_transaction_writes_all_keys() {
    users.run(
        detectsCreation()
            ? txn("txn").put(k + "1", "a").put(k + "2", "b").create()
            : txn("txn").put(k + "1", "a").put(session -> k + "2", session -> "b".getBytes()),
        get("first").key(k + "1").check(value().is("a")),
        get("second").key(k + "2").check(value().is("b")));
    allOk("txn", "first", "second");
  }

  @Test
  void a_creation_of_a_key_that_exists_changes_nothing() {
    users.run(
        put("create").key(k).value("v1").create(),
        put("again")
            .key(k)
            .value("v2")
            .create()
            .check(outcome().is(detectsCreation() ? "rejected" : "conflict")),
        get("read").key(k).check(value().is("v1")));
    allOk("create", "again", "read");
    if (!detectsCreation()) {
      assertThatThrownBy(() -> users.run(txn("txn").put(k, "a").create()))
          .hasMessageContaining("its transactions do not require that keys do not exist");
    }
  }

  @Test
  void no_key_has_a_revision_that_is_too_large() {
    users.run(
        put("put").key(k).value("v1"),
        compareAndSet("change")
            .key(k)
            .value("v2")
            .revision("9000000000000")
            .check(outcome().is("conflict")));
    allOk("put", "change");
  }

  @Test
  void a_range_returns_keys_or_says_why_the_store_cannot() {
    Capabilities.RangeReads can = store.capabilities().range();
    if (!can.isByPrefix()) {
      assertThatThrownBy(() -> users.run(range("range").prefix(prefix)))
          .hasMessage(
              "range on %s: %s", store, store.capabilities().reasons().get(Operation.RANGE));
      return;
    }
    users.run(
        put("put").key(prefix + "a").value("1"),
        put("put").key(prefix + "b").value("2"),
        range("range")
            .prefix(prefix)
            .check(
                count().is(2L),
                keys().is(List.of(prefix + "a", prefix + "b")),
                value().is("1"),
                key().is(prefix + "a")),
        range("keys").prefix(prefix).check(exists().is(true)),
        range("none").prefix(session -> prefix + "z").check(count().is(0L), exists().is(false)));
    allOk("put", "put", "range", "keys", "none");
    if (can.isLimited()) {
      users.run(
          range("one").prefix(prefix).limit(1).check(keys().is(List.of(prefix + "a"))),
          range("count").prefix(prefix).countOnly().check(count().is(2L)));
      allOk("one", "count");
    } else {
      assertThatThrownBy(() -> users.run(range("range").prefix(prefix).limit(1)))
          .hasMessageContaining(store.capabilities().reasons().get(Operation.RANGE));
    }
  }

  @Test
  void a_watch_of_a_prefix_reports_changes_until_it_is_ended() {
    boolean values = store.watches().ofPrefix() != WatchSupport.Delivery.EVERY_KEY;
    users.run(
        watch("watch").prefix(prefix),
        put("put").key(k).value("v"),
        await("await").within(LONG).check(key().is(k), count().gte(1L)),
        put("put").key(k).value("w"),
        values
            ? await("value").within(LONG).check(value().is("w"))
            : await("value").within(LONG).check(exists().is(true)),
        unwatch("unwatch"),
        await("no watch").check(outcome().is("missing")),
        watch("another").prefix(prefix),
        put("put").key(k).value("x"),
        await("await").within(LONG),
        await("nothing")
            .during(Duration.ofMillis(50))
            .check(count().is(0L), exists().is(false), value().notExists()));
    allOk(
        "watch",
        "put",
        "await",
        "put",
        "value",
        "unwatch",
        "no watch",
        "another",
        "put",
        "await",
        "nothing");
  }

  @Test
  void a_watch_of_a_prefix_reports_that_a_key_was_removed() {
    if (!store.hasServers()) {
      return; // the map does not report it
    }
    users.run(
        put("put").key(k).value("v"),
        watch("watch").prefix(prefix),
        delete("delete").key(k),
        await("await").within(LONG).check(key().is(k), exists().is(false), value().notExists()));
    allOk("put", "watch", "delete", "await");
  }

  @Test
  void a_watch_of_a_key_reports_its_changes() {
    users.run(
        put("put").key(k).value("v"),
        watch("watch").key(k).watchName("one"),
        watch("other").prefix(prefix).watchName("two"),
        put("change").key(k).value("w"),
        await("await").watchName("one").within(LONG).check(value().is("w")),
        await("other").watchName("two").within(LONG).check(key().is(k)),
        unwatch("unwatch").watchName("one"),
        put("change").key(k).value("x"),
        await("other").watchName("two").within(LONG).check(count().is(1L)));
    allOk("put", "watch", "other", "change", "await", "other", "unwatch", "change", "other");
  }

  @Test
  void keys_may_have_any_printable_character() {
    String key = k + " a?b=c#d%e&f";
    users.run(
        put("put").key(key).value("v"),
        watch("watch").key(key),
        put("change").key(key).value("w"),
        await("await").within(LONG).check(key().is(key), value().is("w")),
        get("read").key(key).check(value().is("w")));
    allOk("put", "watch", "change", "await", "read");
    if (hasSessions()) {
      users.run(
          acquire("acquire").lock(key).within(LONG),
          release("release").lock(key),
          register("register").key(key + "-service"),
          release("remove").key(key + "-service"));
      allOk("acquire", "release", "register", "remove");
    }
  }

  @Test
  void a_wait_without_enough_changes_is_a_timeout() {
    Session end =
        users.run(
            watch("watch").prefix(prefix), await("await").events(2).within(Duration.ofMillis(50)));
    assertThat(end.isFailed()).isTrue();
    assertThat(users.messages())
        .containsExactly("watch: ", "await: timeout: not all events arrived in time");
  }

  @Test
  void a_lock_has_one_holder_and_is_released_by_it_or_with_it() {
    if (!hasSessions()) {
      assertThatThrownBy(() -> users.run(acquire("acquire").lock(k)))
          .hasMessage("acquire on %s: its clients have no sessions", store);
      return;
    }
    Session first =
        users.run(
            put("put").key(k).value("lock"),
            acquire("acquire").lock(k).check(revision().saveAs("token")),
            acquire("again").lock(k).check(outcome().is("rejected")),
            release("release").lock(k),
            release("twice").lock(k).check(outcome().is("missing")),
            acquire("at the end").lock(k).check(revision().saveAs("second")));
    allOk("put", "acquire", "again", "release", "twice", "at the end");
    assertThat(first.getLong("second")).isGreaterThan(first.getLong("token"));
    users.run(
        acquire("acquire")
            .lock(session -> k)
            .within(LONG)
            .check(revision().gt(first.getLong("second"))));
    allOk("acquire");
  }

  @Test
  void a_lock_that_another_user_holds_is_a_timeout() {
    if (!hasSessions()) {
      return;
    }
    users.run(put("put").key(k).value("lock"));
    CompletableFuture<Session> holder =
        users.start(
            acquire("acquire").lock(k),
            watch("watch").prefix(prefix + "end"),
            await("hold").within(LONG));
    Await.until("a holder", LONG, () -> isLogged("watch"));
    Session late =
        users.run(
            acquire("free").lock(k + "-free").within(LONG),
            release("free").lock(k + "-free"), // its session is open for the next lock
            acquire("late").lock(k).within(Duration.ofMillis(100)),
            put("end").key(prefix + "end").value("now"));
    assertThat(late.isFailed()).isTrue();
    VirtualUsers.join(holder);
    assertThat(users.messages())
        .contains("late: timeout: another client holds the lock", "end: ", "hold: ");
    users.run(acquire("next").lock(k).within(LONG));
    allOk("next");
  }

  @Test
  void a_registered_key_ends_with_its_user() {
    if (!hasSessions()) {
      return;
    }
    CompletableFuture<Session> service =
        users.start(
            register("register").key(k),
            release("remove").key(k),
            get("removed").key(k).check(exists().is(false)),
            register("register").key(k),
            watch("there").prefix(prefix + "end"),
            await("serve").within(LONG));
    Await.until("a service", LONG, () -> isLogged("there"));
    users.run(
        get("found").key(k).check(exists().is(true)),
        register("other").key(k).check(outcome().is("conflict")),
        put("end").key(prefix + "end").value("now"));
    VirtualUsers.join(service);
    assertThat(users.logged()).allMatch(VirtualUsers.Logged::ok);
    awaitEnd();
  }

  @Test
  void a_key_with_a_time_to_live_ends_with_its_user_in_etcd() {
    if (!store.id().equals("etcd")) {
      assertThatThrownBy(() -> users.run(put("put").key(k).value("v").ttl(LONG)))
          .hasMessage("put on %s: its keys have no time to live", store);
      return;
    }
    users.run(put("ttl").key(k).value("v").ttl(LONG), get("there").key(k).check(value().is("v")));
    allOk("ttl", "there");
    awaitEnd();
  }

  /** Waits until the key is missing. */
  private void awaitEnd() {
    Await.until(
        "the end of the key",
        LONG,
        () -> {
          Session found = users.run(get("gone").key(k).check(exists().saveAs("exists")));
          return !found.getBoolean("exists");
        });
  }
}
