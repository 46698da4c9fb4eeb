// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static io.quorate.gatling.QuorateDsl.answeredBy;
import static io.quorate.gatling.QuorateDsl.outcome;
import static io.quorate.gatling.QuorateDsl.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatling.javaapi.core.Session;
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
      List<Endpoint> all = cluster.members().stream().map(Member::endpoint).toList();
      StoreProtocol protocol =
          new StoreProtocol(store, all, StoreKey.Etcd::new).connections(3).failover();
      try (VirtualUsers users = new VirtualUsers(protocol)) {
        Set<String> answering = new HashSet<>();
        for (int user = 0; user < 3; user++) {
          answering.add(writes(users).getString("by"));
        }
        assertThat(users.logged()).allMatch(VirtualUsers.Logged::ok);
        assertThat(answering).hasSize(3);

        Member killed = cluster.leader().orElseThrow();
        ProcessHandle.of(killed.pids().get(0)).orElseThrow().destroyForcibly();
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

        users.logged();
        cluster.members().stream()
            .filter(each -> !each.endpoint().equals(killed.endpoint()))
            .findFirst()
            .map(each -> ProcessHandle.of(each.pids().get(0)).orElseThrow())
            .ifPresent(ProcessHandle::destroyForcibly);
        Await.until(
            "a failure without a majority",
            LONG,
            () -> users.run(put("lost").key("killed").value("v")).isFailed());
        assertThat(users.messages())
            .last()
            .asString()
            .matches("lost: (timeout|connection|rejected): .+");
      }
    }
  }

  private static Session writes(VirtualUsers users) {
    return users.run(
        put("put")
            .key("killed")
            .value("v")
            .check(outcome().saveAs("outcome"), answeredBy().saveAs("by")));
  }
}
