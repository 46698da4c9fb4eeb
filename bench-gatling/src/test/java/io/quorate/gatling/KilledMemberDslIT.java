// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static io.quorate.gatling.QuorateDsl.acquire;
import static io.quorate.gatling.QuorateDsl.answeredBy;
import static io.quorate.gatling.QuorateDsl.await;
import static io.quorate.gatling.QuorateDsl.compareAndSet;
import static io.quorate.gatling.QuorateDsl.delete;
import static io.quorate.gatling.QuorateDsl.get;
import static io.quorate.gatling.QuorateDsl.outcome;
import static io.quorate.gatling.QuorateDsl.put;
import static io.quorate.gatling.QuorateDsl.range;
import static io.quorate.gatling.QuorateDsl.register;
import static io.quorate.gatling.QuorateDsl.release;
import static io.quorate.gatling.QuorateDsl.revision;
import static io.quorate.gatling.QuorateDsl.txn;
import static io.quorate.gatling.QuorateDsl.unwatch;
import static io.quorate.gatling.QuorateDsl.watch;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.exec.Executable;
import io.quorate.MemoryBackedDirectory;
import io.quorate.NightlyRun;
import io.quorate.cluster.Await;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.TestServers;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Users whose member is killed: failed requests are named, and later ones are answered by others.
 */
class KilledMemberDslIT {
  private static final Duration LONG = Duration.ofSeconds(120);

  /** Longer than a server itself waits for a leader. */
  private static final Duration PATIENT = Duration.ofSeconds(15);

  /** How a read ends at the only member that is left, by the id of the store. */
  private static final Map<String, String> WITHOUT_MAJORITY =
      Map.of(
          "etcd", "timeout: UNAVAILABLE: etcdserver: request timed out",
          "zookeeper", "connection: .+",
          "consul", "no leader: .*No cluster leader.*");

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  static List<String> stores() {
    return NightlyRun.stores(List.of("etcd", "zookeeper", "consul"), "etcd");
  }

  @ParameterizedTest
  @MethodSource("stores")
  void connections_move_from_a_killed_member_to_the_others(String id) {
    Store store = Stores.byId(id).orElseThrow();
    try (Cluster cluster = TestServers.start(store, 3, directory)) {
      Member killed = cluster.leader().orElseThrow();
      List<Member> others =
          cluster.members().stream().filter(each -> !each.equals(killed)).toList();
      List<Endpoint> all = cluster.members().stream().map(Member::endpoint).toList();
      StoreProtocol moving =
          new StoreProtocol(store, all, StoreKey.Etcd::new).connections(3).failover();
      StoreProtocol pinned =
          new StoreProtocol(store, List.of(others.get(0).endpoint()), StoreKey.Etcd::new)
              .requestTimeout(PATIENT);
      try (VirtualUsers users = new VirtualUsers(moving);
          VirtualUsers alone = new VirtualUsers(pinned)) {
        Set<String> answering = new HashSet<>();
        for (int user = 0; user < 3; user++) {
          answering.add(writes(users).getString("by"));
        }
        assertThat(users.logged()).allMatch(VirtualUsers.Logged::ok);
        assertThat(answering).hasSize(3);
        writes(alone); // opens its connection

        kill(killed);
        Await.until(
            "three writes in turn at the other members",
            LONG,
            () ->
                Stream.generate(() -> writes(users))
                    .limit(3)
                    .allMatch(
                        each ->
                            each.getString("outcome").equals("ok")
                                && !each.getString("by").equals(killed.endpoint().toString())));
        Await.until(
            "each action at the other members",
            LONG,
            () -> !users.run(each(store).toArray(Executable[]::new)).isFailed());

        kill(others.get(1));
        Await.until(
            "the words of a member without a majority",
            LONG,
            () -> {
              alone.logged();
              alone.run(get("get").key("killed"));
              return alone.messages().get(0).matches("get: " + WITHOUT_MAJORITY.get(id));
            });
        Stream.concat(
                requests(store, "1"),
                Stream.of(
                    acquire("acquire").lock("killed"), register("register").key("killed-service")))
            .map(alone::start)
            .toList()
            .forEach(VirtualUsers::join);
        assertThat(alone.messages())
            .hasSizeGreaterThan(6)
            .allMatch(each -> each.matches("\\w+: (timeout|connection|no leader|rejected): .+"));
      }
    }
  }

  private static void kill(Member member) {
    ProcessHandle.of(member.pids().get(0)).orElseThrow().destroyForcibly();
  }

  /** Returns the actions that send one request each. */
  private static Stream<Executable> requests(Store store, String revision) {
    Stream<Executable> ofKeys =
        Stream.of(
            put("put").key("killed").value("v"),
            get("get").key("killed").check(revision().saveAs("revision")),
            compareAndSet("change").key("killed").value("w").revision(revision),
            txn("txn").put("killed", "x"),
            delete("delete").key("killed"));
    return store.capabilities().range().isByPrefix()
        ? Stream.concat(ofKeys, Stream.of(range("range").prefix("killed")))
        : ofKeys;
  }

  /** Returns all actions, for one user. */
  private static Stream<Executable> each(Store store) {
    return Stream.concat(
        requests(store, "#{revision}"),
        Stream.of(
            put("put").key("killed").value("v"),
            watch("watch").key("killed"),
            put("put").key("killed").value("y"),
            await("await").within(LONG),
            unwatch("unwatch"),
            acquire("acquire").lock("killed").within(LONG),
            release("release").lock("killed"),
            register("register").key("killed-service"),
            release("remove").key("killed-service")));
  }

  private static Session writes(VirtualUsers users) {
    return users.run(
        put("put")
            .key("killed")
            .value("v")
            .check(outcome().saveAs("outcome"), answeredBy().saveAs("by")));
  }
}
