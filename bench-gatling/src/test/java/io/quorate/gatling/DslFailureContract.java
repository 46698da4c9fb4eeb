// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static io.quorate.gatling.QuorateDsl.acquire;
import static io.quorate.gatling.QuorateDsl.answeredBy;
import static io.quorate.gatling.QuorateDsl.await;
import static io.quorate.gatling.QuorateDsl.compareAndSet;
import static io.quorate.gatling.QuorateDsl.delete;
import static io.quorate.gatling.QuorateDsl.exists;
import static io.quorate.gatling.QuorateDsl.get;
import static io.quorate.gatling.QuorateDsl.key;
import static io.quorate.gatling.QuorateDsl.outcome;
import static io.quorate.gatling.QuorateDsl.put;
import static io.quorate.gatling.QuorateDsl.range;
import static io.quorate.gatling.QuorateDsl.register;
import static io.quorate.gatling.QuorateDsl.release;
import static io.quorate.gatling.QuorateDsl.txn;
import static io.quorate.gatling.QuorateDsl.value;
import static io.quorate.gatling.QuorateDsl.watch;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.exec.Executable;
import io.quorate.cluster.Await;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.SharedCluster;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Security;
import io.quorate.store.Store;
import io.quorate.store.TcpProxy;
import io.quorate.tls.ClientTls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How failures of a store are named, and what users leave; and the fixture of all tests of the DSL.
 */
abstract class DslFailureContract {
  static final Duration LONG = Duration.ofSeconds(60);

  /** Begins the keys of a test. */
  final String prefix = "dsl-" + UUID.randomUUID().toString().substring(0, 8) + "-";

  final String k = prefix + "k";
  final Store store;
  private final Security security;
  Endpoint server;
  private Access access = Access.PLAIN;
  VirtualUsers users;

  DslFailureContract(Store store, Security security) {
    this.store = store;
    this.security = security;
  }

  @BeforeEach
  void start() {
    if (store.hasServers()) {
      Cluster cluster = SharedCluster.of(store, 1, security);
      server = cluster.members().get(0).endpoint();
      access = cluster.access();
    } else {
      server = new Endpoint("127.0.0.1", 1);
    }
    users = new VirtualUsers(protocol(server));
  }

  @AfterEach
  void end() {
    users.close();
  }

  /** Returns the protocol of an endpoint, with the access of the shared cluster. */
  private TestProtocol protocolOf(Endpoint... endpoints) {
    return new TestProtocol(store, access, endpoints);
  }

  private StoreProtocol protocol(Endpoint... endpoints) {
    return protocolOf(endpoints).protocol(any -> {});
  }

  boolean hasSessions() {
    return store.sessions().isPresent();
  }

  void allOk(String... names) {
    assertThat(users.logged())
        .allSatisfy(
            each -> {
              assertThat(each.message()).as(each.name()).isEmpty();
              assertThat(each.ok()).isTrue();
              assertThat(each.endMillis()).isGreaterThanOrEqualTo(each.startMillis());
            })
        .extracting(VirtualUsers.Logged::name)
        .containsExactly(names);
  }

  @Test
  void a_missing_key_is_a_failure_unless_a_check_looks_at_it() {
    Session failed = users.run(get("read").key(k));
    assertThat(failed.isFailed()).isTrue();
    assertThat(users.messages()).containsExactly("read: missing: no such key");
    Session expected =
        users.run(
            get("read").key(k).check(exists().is(false)),
            get("read").key(k).check(outcome().is("missing"), value().notExists()));
    assertThat(expected.isFailed()).isFalse();
    allOk("read", "read");
  }

  @Test
  void each_action_names_a_missing_key() {
    boolean nodes = store.id().equals("zookeeper");
    users.run(
        delete("delete").key(k),
        compareAndSet("change").key(k).value("v").revision("1"),
        watch("watch").key(k));
    assertThat(users.messages())
        .containsExactly(
            store.id().equals("consul") ? "delete: " : "delete: missing: no such key",
            List.of("zookeeper", "memory").contains(store.id())
                ? "change: missing: no such key"
                : "change: conflict: another client was first",
            nodes ? "watch: rejected: there is no node /" + k + " to watch" : "watch: ");
    if (hasSessions()) {
      users.run(acquire("acquire").lock(k).within(LONG), release("remove").key(k));
      assertThat(users.messages()).containsExactly("acquire: ", "remove: missing: no such key");
    }
  }

  /** Returns each action that sends a request which the store can carry out. */
  private Executable[] allActions(String key) {
    List<Executable> all =
        new ArrayList<>(
            List.of(
                get("get").key(key),
                put("put").key(key).value("v"),
                delete("delete").key(key),
                compareAndSet("change").key(key).value("v").revision("1"),
                txn("txn").put(key, "v"),
                watch("watch").key(key)));
    if (store.capabilities().range().isByPrefix()) {
      all.add(range("range").prefix(key));
    }
    if (hasSessions()) {
      all.add(acquire("acquire").lock(key).within(Duration.ofMillis(1)));
    }
    return all.toArray(Executable[]::new);
  }

  @Test
  void a_server_that_does_not_answer_is_a_timeout_of_each_action() throws IOException {
    if (!store.hasServers()) {
      return;
    }
    try (TcpProxy proxy = new TcpProxy(server);
        VirtualUsers slow =
            new VirtualUsers(
                protocolOf(proxy.endpoint())
                    .protocol(copy -> copy.requestTimeout = Duration.ofMillis(200)))) {
      slow.run(put("put").key(k).value("v").check(outcome().saveAs("any")));
      slow.logged();
      proxy.freeze();
      assertThat(slow.run(allActions(k)).isFailed()).isTrue();
      List<String> messages = slow.messages();
      assertThat(messages).allMatch(each -> each.contains(": timeout: "));
      if (hasSessions()) {
        assertThat(messages).contains("acquire: timeout: the store has opened no session in time");
        slow.run(register("register").key(k));
        assertThat(slow.messages()).singleElement().asString().startsWith("register: timeout: ");
      }
      proxy.thaw();
    }
  }

  @Test
  void a_connection_moves_from_a_member_that_has_ended() throws IOException {
    if (!store.hasServers()) {
      return;
    }
    try (TcpProxy one = new TcpProxy(server);
        TcpProxy other = new TcpProxy(server);
        VirtualUsers moving =
            new VirtualUsers(
                protocolOf(one.endpoint(), other.endpoint())
                    .protocol(copy -> copy.failover = true))) {
      moving.run(put("put").key(k).value("v").check(answeredBy().is(one.endpoint().toString())));
      one.cut();
      Await.until(
          "an answer of the other member",
          LONG,
          () -> {
            Session end =
                moving.run(
                    get("read")
                        .key(k)
                        .check(outcome().saveAs("outcome"), answeredBy().saveAs("by")));
            return end.getString("outcome").equals("ok")
                && end.getString("by").equals(other.endpoint().toString());
          });
      if (hasSessions()) {
        moving.logged();
        moving.run(
            acquire("acquire").lock(k).within(LONG), register("register").key(k + "-service"));
        assertThat(moving.messages()).containsExactly("acquire: ", "register: ");
      }
    }
  }

  @Test
  void a_user_with_a_separate_connection_closes_it_at_its_end() throws IOException {
    if (!store.hasServers()) {
      return;
    }
    try (TcpProxy proxy = new TcpProxy(server);
        VirtualUsers separate =
            new VirtualUsers(protocolOf(proxy.endpoint()).protocol(copy -> copy.connections = 0))) {
      separate.run(
          put("put").key(k).value("v"),
          watch("watch").prefix(prefix),
          put("put").key(k).value("w"),
          await("await").within(LONG));
      assertThat(separate.logged()).allMatch(VirtualUsers.Logged::ok);
      Await.until("no connection", LONG, () -> proxy.connections() == 0);
    }
  }

  /** Makes the protocol of a store as its users do. */
  private record TestProtocol(Store store, Access access, Endpoint... endpoints) {
    StoreProtocol protocol(Consumer<StoreProtocol> change) {
      List<Endpoint> all = List.of(endpoints);
      return new StoreProtocol(store, all, StoreKey.Etcd::new)
          .requestTimeout(LONG)
          .with(
              copy -> {
                copy.tls = access.tls().map(ClientTls::files);
                copy.login = access.login();
                change.accept(copy);
              });
    }
  }
}
