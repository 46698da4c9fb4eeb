// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.quorate.MemoryBackedDirectory;
import io.quorate.NightlyRun;
import io.quorate.QuorateException;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.cetcd.CetcdStore;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.zetcd.ZetcdStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clusters whose members are an etcd and a shim in front of it. */
@SuppressWarnings("try") // a cluster may be closed by hand, and again
class ShimClusterIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  Path directory;

  @ParameterizedTest
  @MethodSource("sizes")
  @RequiresDatabase({"etcd", "zetcd"})
  void zetcd_serves_until_it_is_closed(int members) {
    servesUntilClosed(ZetcdStore.STORE, members, TestSettings.ofThisUser());
  }

  @ParameterizedTest
  @MethodSource("sizes")
  @RequiresDatabase("etcd")
  void a_given_program_for_cetcd_serves_until_it_is_closed(int members) throws IOException {
    Path program = CetcdStatusDouble.executable(directory.resolve("bin/any-name"));
    List<Member> started =
        servesUntilClosed(CetcdStore.STORE, members, TestSettings.withCetcd(program));
    for (Member member : started) {
      Member.Server etcd = member.servers().get(1);
      assertThat(Files.readAllLines(member.log().get()).get(0))
          .isEqualTo("[-consuladdr, %s, -etcd, http://%s]", member.endpoint(), etcd.endpoint());
    }
  }

  static IntStream sizes() {
    return NightlyRun.sizes(1, 3);
  }

  private List<Member> servesUntilClosed(Store database, int members, ClusterSettings settings) {
    Path run = directory.resolve("run");
    Cluster cluster = LocalCluster.start(database, members, run, settings);
    List<Member> started = cluster.members();
    try (cluster) {
      assertThat(cluster.database()).isEqualTo(database);
      assertThat(started).extracting(Member::index).doesNotHaveDuplicates().hasSize(members);
      assertThat(cluster.version()).matches("etcd-\\d+\\.\\d+\\.\\d+");
      Await.until(
          "a member leads", LIMIT, () -> cluster.leader().filter(started::contains).isPresent());
      assertThat(cluster.failures()).isEmpty();
      for (Member member : started) {
        String shim = database + "-" + member.index();
        String etcd = "etcd-" + member.index();
        assertThat(member.name()).isEqualTo(shim);
        assertThat(member.servers()).extracting(Member.Server::name).containsExactly(shim, etcd);
        assertThat(member.servers())
            .extracting(Member.Server::log)
            .containsExactly(
                run.resolve("logs").resolve(shim + ".log"),
                run.resolve("logs").resolve(etcd + ".log"));
        assertThat(member.endpoint()).isEqualTo(member.servers().get(0).endpoint());
        assertThat(member.pids()).doesNotHaveDuplicates().allMatch(ShimClusterIT::isAlive);
        assertThat(member.dataDirectory()).contains(run.resolve("data").resolve(shim));
        assertThat(member.dataDirectory().get().resolve("member/wal")).isNotEmptyDirectory();
      }
      Endpoint etcd = started.get(0).servers().get(1).endpoint();
      Await.until("nothing is left of the question", LIMIT, () -> isEmpty(etcd));
      List<Endpoint> endpoints = started.stream().map(Member::endpoint).toList();
      try (Cluster given = ExternalCluster.of(database, endpoints, Access.PLAIN)) {
        assertThat(given.version()).isEmpty();
        assertThat(given.leader()).isEmpty();
      }
    }
    cluster.close();
    assertThat(started.stream().flatMap(each -> each.pids().stream()))
        .hasSize(2 * members)
        .noneMatch(ShimClusterIT::isAlive);
    assertThat(run.resolve("data")).doesNotExist();
    assertThat(cluster.failures()).isEmpty();
    return started;
  }

  @Test
  @RequiresDatabase({"etcd", "zetcd"})
  void either_process_of_a_member_that_is_killed_is_a_failure_with_its_name() {
    try (Cluster cluster = TestServers.start(ZetcdStore.STORE, 3, directory)) {
      Member.Server zetcd = cluster.members().get(0).servers().get(0);
      Member.Server etcd = cluster.members().get(1).servers().get(1);
      kill(zetcd);
      Await.until("the failure is noticed", LIMIT, () -> !cluster.failures().isEmpty());
      assertThat(cluster.failures())
          .singleElement()
          .asString()
          .startsWith("zetcd-1 was ended by signal 9; " + zetcd.log() + " does not say why");
      kill(etcd);
      Await.until("the other, too", LIMIT, () -> cluster.failures().size() == 2);
      assertThat(cluster.failures())
          .anyMatch(line -> line.startsWith("etcd-2 was ended by signal 9; "));
      Await.until("two of three go on", LIMIT, () -> cluster.leader().isPresent());
      assertThat(cluster.version()).startsWith("etcd-");
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void a_shim_that_ends_at_once_fails_the_start_and_leaves_no_etcd() {
    Path cetcd =
        Script.write(directory.resolve("bin/cetcd"), "echo no such flag: $1 >&2\nexit 2\n");
    assertThatThrownBy(
            () ->
                LocalCluster.start(
                    CetcdStore.STORE, 1, directory.resolve("run"), TestSettings.withCetcd(cetcd)))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            cetcd-1 ended with exit code 2 while it was starting. Last lines of %s:
              no such flag: -consuladdr\
            """
                .formatted(directory.resolve("run/logs/cetcd-1.log")));
    assertThat(directory.resolve("run/data")).doesNotExist();
  }

  @Test
  void cetcd_that_somebody_else_runs_has_neither_version_nor_leader() throws IOException {
    HttpServer server =
        CetcdStatusDouble.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Endpoint endpoint = new Endpoint("127.0.0.1", server.getAddress().getPort());
    try (Cluster given = ExternalCluster.of(CetcdStore.STORE, List.of(endpoint), Access.PLAIN)) {
      assertThat(given.version()).isEmpty();
      assertThat(given.leader()).isEmpty();
      assertThatThrownBy(
              () -> ExternalCluster.of(ConsulStore.STORE, List.of(endpoint), Access.PLAIN))
          .isInstanceOf(QuorateException.class)
          .hasMessage(
              "no Consul server answers: %s (answers to /v1/agent/self: HTTP status 404)",
              endpoint);
      assertThatThrownBy(
              () -> ExternalCluster.of(ZetcdStore.STORE, List.of(endpoint), Access.PLAIN))
          .isInstanceOf(QuorateException.class)
          .hasMessageStartingWith("no zetcd server answers: " + endpoint + " (");
    } finally {
      server.stop(0);
    }
  }

  private static boolean isEmpty(Endpoint etcd) {
    try {
      // from the first key to the last
      String range = "{\"key\": \"AA==\", \"range_end\": \"AA==\"}";
      JsonNode answer =
          HttpResponseText.to("POST", etcd, Access.PLAIN, "/v3/kv/range", range, Map.of(), LIMIT)
              .json();
      return answer.has("header") && !answer.has("kvs");
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).isPresent();
  }

  private static void kill(Member.Server server) {
    ProcessHandle.of(server.pid()).orElseThrow().destroyForcibly();
  }
}
