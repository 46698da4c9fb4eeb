// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static io.quorate.gatling.QuorateDsl.acquire;
import static io.quorate.gatling.QuorateDsl.answeredBy;
import static io.quorate.gatling.QuorateDsl.await;
import static io.quorate.gatling.QuorateDsl.compareAndSet;
import static io.quorate.gatling.QuorateDsl.consul;
import static io.quorate.gatling.QuorateDsl.etcd;
import static io.quorate.gatling.QuorateDsl.exists;
import static io.quorate.gatling.QuorateDsl.get;
import static io.quorate.gatling.QuorateDsl.outcome;
import static io.quorate.gatling.QuorateDsl.put;
import static io.quorate.gatling.QuorateDsl.release;
import static io.quorate.gatling.QuorateDsl.revision;
import static io.quorate.gatling.QuorateDsl.value;
import static io.quorate.gatling.QuorateDsl.watch;
import static io.quorate.gatling.QuorateDsl.zookeeper;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatling.javaapi.core.CoreDsl;
import io.gatling.javaapi.core.Session;
import io.quorate.store.Endpoint;
import io.quorate.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a simulation gets wrong, and how messages name it. */
class QuorateDslTest {
  private static StoreProtocol memory(int port) {
    return in(StoreKey.Etcd::new, port);
  }

  private static StoreProtocol in(Function<StoreProtocol, StoreKey.Place> place, int port) {
    return new StoreProtocol(MemoryStore.STORE, List.of(new Endpoint("127.0.0.1", port)), place);
  }

  @Test
  void a_simulation_without_a_protocol_does_not_start() {
    try (VirtualUsers users = new VirtualUsers()) {
      assertThatThrownBy(() -> users.run(get("read").key("k")))
          .hasMessage(
              "get: the simulation has the protocols [], expected one, or on(...) to choose");
    }
  }

  @Test
  void an_action_chooses_one_of_several_protocols() {
    StoreProtocol first = memory(1);
    StoreProtocol second = in(StoreKey.ZooKeeper::new, 2);
    try (VirtualUsers users = new VirtualUsers(first, second)) {
      assertThatThrownBy(() -> users.run(get("read").key("k")))
          .hasMessage(
              "get: the simulation has the protocols [memory at [127.0.0.1:1], memory at"
                  + " [127.0.0.1:2]], expected one, or on(...) to choose");
      users.run(
          put("put").on(first).key("k").value("v"),
          get("read").on(first).key("k").check(value().is("v")),
          get("other").on(second).key("k").check(outcome().is("missing")));
      assertThat(users.logged()).hasSize(3).allMatch(VirtualUsers.Logged::ok);
      assertThatThrownBy(() -> users.run(get("read").on(memory(3)).key("k")))
          .hasMessage(
              "get: the simulation has the protocols [memory at [127.0.0.1:1], memory at"
                  + " [127.0.0.1:2]], expected memory at [127.0.0.1:3], the last one of its"
                  + " store");
    }
  }

  @Test
  void users_are_spread_over_members_by_their_first_request() {
    StoreProtocol spread =
        new StoreProtocol(
                MemoryStore.STORE,
                List.of(new Endpoint("127.0.0.1", 1), new Endpoint("127.0.0.1", 2)),
                StoreKey.Etcd::new)
            .connections(2);
    try (VirtualUsers users = new VirtualUsers(spread)) {
      for (String member : List.of("127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:1")) {
        users.run(put("put").key("k").value("v").check(answeredBy().is(member)));
        users.run(CoreDsl.exec(session -> session)); // of another population
      }
      assertThat(users.logged()).hasSize(3).allMatch(VirtualUsers.Logged::ok);
    }
  }

  @Test
  void only_what_was_read_exists() {
    try (VirtualUsers users = new VirtualUsers(memory(1))) {
      users.run(put("put").key("k").value("v").check(exists().is(true)));
      assertThat(users.messages()).containsExactly("put: exists.find.is(true), found nothing");
    }
  }

  @Test
  void an_action_without_its_arguments_is_refused() {
    try (VirtualUsers users = new VirtualUsers(memory(1))) {
      assertThatThrownBy(() -> users.run(put("put").key("k")))
          .hasMessage("put on memory: expected value(...)");
      assertThatThrownBy(() -> users.run(acquire("lock")))
          .hasMessage("acquire on memory: expected lock(...)");
      assertThatThrownBy(() -> users.run(get("read").key("k").value("v")))
          .hasMessage("get on memory: value(...) means nothing for it");
      assertThatThrownBy(() -> users.run(watch("watch")))
          .hasMessage("watch on memory: expected key(...) or prefix(...)");
      assertThatThrownBy(() -> users.run(release("release")))
          .hasMessage("release on memory: expected lock(...) or key(...)");
      assertThatThrownBy(() -> users.run(await("a").events(3).during(Duration.ofSeconds(1))))
          .hasMessage(
              "await on memory: during(...) counts all events of a time, without events(...) and"
                  + " within(...)");
      assertThatThrownBy(() -> put("put").ttl(Duration.ofMillis(1500)))
          .hasMessage("ttl: found PT1.5S, expected whole seconds");
      assertThatThrownBy(() -> users.run(get("read").key("k").check(CoreDsl.bodyLength().is(1))))
          .hasMessageContaining("found a check of BodyLength, expected one of QuorateDsl");
    }
  }

  @Test
  void what_expressions_and_functions_get_wrong_fails_one_request() {
    try (VirtualUsers users = new VirtualUsers(memory(1))) {
      Session end =
          users.run(
              get("no attribute").key("#{absent}"),
              get("a line break").key("a\nb"),
              get("nothing").key(session -> ""),
              get("null").key(session -> session.getString("typo")),
              compareAndSet("no number").key("k").value("v").revision("many"),
              get("a function")
                  .key(
                      session -> {
                        throw new IllegalStateException("broken");
                      }),
              put("the next action").key("k").value("v").check(revision().gte(0L)));
      assertThat(end.isFailed()).isTrue();
      assertThat(users.messages())
          .containsExactly(
              "no attribute: crash: key: No attribute named 'absent' is defined",
              "a line break: rejected: key: expected printable ASCII",
              "nothing: rejected: key: expected printable ASCII",
              "null: crash: key: the function returned null",
              "no number: rejected: revision: expected a whole number",
              "a function: crash: key: j.l.IllegalStateException: broken",
              "the next action: ");
    }
  }

  @Test
  void protocols_are_immutable_and_check_their_settings() {
    StoreProtocol plain = etcd("127.0.0.1:2379", "127.0.0.1:2389");
    StoreProtocol changed =
        plain
            .requestTimeout(Duration.ofSeconds(1))
            .connections(3)
            .failover()
            .credentials("u", "secret");
    assertThat(plain.connections).isEqualTo(1);
    assertThat(changed.connections).isEqualTo(3);
    assertThat(changed).hasToString("etcd at [127.0.0.1:2379, 127.0.0.1:2389]");
    assertThatThrownBy(() -> etcd("http://127.0.0.1:2379")).hasMessageContaining("scheme");
    assertThatThrownBy(() -> plain.token("secret"))
        .hasMessage("etcd expects a user and a password, found a token");
    assertThatThrownBy(() -> plain.connections(0)).hasMessageContaining("expected 1 or more");
    assertThatThrownBy(() -> consul("127.0.0.1:8500").sessionTtl(Duration.ofSeconds(5)))
        .hasMessage("consul grants no sessions of PT5S");
    assertThatThrownBy(() -> zookeeper("127.0.0.1:2181", "127.0.0.1:2181"))
        .hasMessageContaining("found twice");
  }

  @Test
  void builders_are_immutable() {
    StoreActionBuilder plain = get("read");
    plain.key("k").check(value().exists());
    assertThat(plain.arguments).isEmpty();
    assertThat(plain.checks).isEmpty();
  }
}
