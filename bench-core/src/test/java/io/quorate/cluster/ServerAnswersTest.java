// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.process.ServerProcess.LogTail;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.keeper.KeeperDouble;
import io.quorate.store.server.Figure;
import io.quorate.store.server.OtherStoreException;
import io.quorate.store.server.ServerProtocol;
import io.quorate.store.zookeeper.ServerClassPath;
import io.quorate.store.zookeeper.ZooKeeperInternals;
import io.quorate.store.zookeeper.ZooKeeperProtocol;
import io.quorate.store.zookeeper.ZooKeeperProtocol.Product;
import io.quorate.stores.Stores;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how answers and logs of servers are read, and which jars a server gets. */
class ServerAnswersTest {
  private static final ZooKeeperProtocol ZOOKEEPER = new ZooKeeperProtocol(Product.ZOOKEEPER);
  private static final ZooKeeperProtocol KEEPER = new ZooKeeperProtocol(Product.CLICKHOUSE_KEEPER);

  private static final String SRVR_OF_KEEPER = KeeperDouble.SRVR.replace("leader", "%s");

  private static final List<Endpoint> CLOSED =
      List.of(new Endpoint("127.0.0.1", 1), new Endpoint("127.0.0.1", 2));

  @TempDir Path directory;

  @Test
  void srvr_tells_version_and_mode() throws IOException {
    String answer =
        """
        Zookeeper version: 3.9.5-a2d9f4c, built on 2026-02-11 20:14 UTC
        Latency min/avg/max: 0/0.0/0
        Mode: %s
        Node count: 5
        """;
    assertThat(ZOOKEEPER.parsed(answer.formatted("leader")))
        .isEqualTo(new ServerProtocol.State("3.9.5", true, true, "mode: leader"));
    assertThat(ZOOKEEPER.parsed(answer.formatted("standalone")).leads()).isTrue();
    assertThat(ZOOKEEPER.parsed(answer.formatted("follower")).leads()).isFalse();
    assertThat(ZOOKEEPER.parsed("This ZooKeeper instance is not currently serving requests\n"))
        .matches(state -> !state.ready() && !state.leads() && state.version().isEmpty());
    assertThatThrownBy(() -> ZOOKEEPER.parsed("HTTP/1.1 400 Bad Request"))
        .isInstanceOf(IOException.class)
        .hasMessage("answers to srvr: HTTP/1.1 400 Bad Request");
  }

  @Test
  void srvr_of_ClickHouse_Keeper_tells_version_mode_and_last_transaction() throws IOException {
    assertThat(KEEPER.parsed(SRVR_OF_KEEPER.formatted("leader")))
        .isEqualTo(new ServerProtocol.State("24.2.1.2248", true, true, "mode: leader", 0x5be));
    assertThat(KEEPER.parsed(SRVR_OF_KEEPER.formatted("standalone")).leads()).isTrue();
    for (String other : List.of("follower", "observer")) {
      assertThat(KEEPER.parsed(SRVR_OF_KEEPER.formatted(other)))
          .matches(state -> state.ready() && !state.leads());
    }
    String fresh = SRVR_OF_KEEPER.replace("0x5be", "0x").formatted("leader");
    assertThat(KEEPER.parsed(fresh).applied()).isZero();
    assertThat(KEEPER.parsed("This instance is not currently serving requests"))
        .matches(state -> !state.ready() && state.version().isEmpty());
  }

  @Test
  void a_reason_that_several_members_share_is_given_once() {
    assertThatThrownBy(() -> ExternalCluster.of(EtcdStore.STORE, CLOSED, Access.PLAIN))
        .hasMessage("no etcd server answers: 127.0.0.1:1, 127.0.0.1:2 (Connection refused)");
  }

  @Test
  void a_server_of_another_product_is_named() {
    assertThatThrownBy(() -> ZOOKEEPER.parsed(SRVR_OF_KEEPER.formatted("leader")))
        .isInstanceOf(OtherStoreException.class)
        .hasMessage(
            "it is ClickHouse Keeper 24.2.1.2248: choose it with --database clickhouse-keeper");
    assertThatThrownBy(() -> KEEPER.parsed("Zookeeper version: 3.9.5-a2d9f4c, built\nMode: leader"))
        .isInstanceOf(OtherStoreException.class)
        .hasMessage("it is ZooKeeper 3.9.5: choose it with --database zookeeper");
    assertThatThrownBy(() -> KEEPER.parsed("RaftKeeper version: v2.1.0\nMode: leader"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("answers to srvr: RaftKeeper version: v2.1.0");
  }

  @Test
  void the_metrics_of_ClickHouse_Keeper_have_the_names_of_those_of_zookeeper() {
    assertThat(new ZooKeeperInternals().parsedAll(KeeperDouble.MNTR))
        .containsEntry("zk_max_latency", 193.0)
        .containsEntry("zk_znode_count", 10.0)
        .containsEntry("zk_synced_followers", 2.0)
        .containsEntry("zk_approximate_data_size", 723.0)
        .doesNotContainKeys("zk_version", "zk_server_state");
    assertThat(ZooKeeperInternals.parsed(SRVR_OF_KEEPER.formatted("leader")))
        .containsEntry("zk_max_latency", 193.0)
        .containsEntry("zk_packets_sent", 69.0)
        .containsEntry("zk_znode_count", 10.0);
  }

  @Test
  void counters_with_labels_are_added() {
    String metrics =
        """
        # TYPE sent counter
        sent{To="a"} 1
        sent{To="b"} 2e+00
        sent_failures{To="a"} 7
        zk_snap_count\t4
        """;
    assertThat(Figure.sum(metrics, "sent{")).isEqualTo(3);
    assertThat(Figure.sum(metrics, "zk_snap_count\t")).isEqualTo(4);
    assertThat(Figure.sum(metrics, "received{")).isZero();
    assertThat(Figure.sum("sent{} NaN", "sent{")).isZero();
  }

  @Test
  void the_end_of_a_log_is_shown_without_what_a_terminal_would_obey() throws IOException {
    Path log = directory.resolve("x.log");
    LogTail tail = new LogTail(log);
    assertThat(tail.lines(1).get(0)).startsWith("(cannot read ");
    Files.writeString(log, "");
    assertThat(tail.lines(1)).isEmpty();
    Files.writeString(log, "one\n\u001b[2Jtwo\u202e \u00e9\r\n\n");
    assertThat(tail.lines(5)).containsExactly("one", "\\x1b[2Jtwo\\u202e \u00e9");
    Files.writeString(log, "x".repeat(20_000) + "\nlast");
    assertThat(tail.lines(2).get(0)).hasSize(503).endsWith("xxx...");
    assertThat(tail.lines(1)).containsExactly("last");
    Files.writeString(log, "goroutine 1\n".repeat(20_000) + "panic: \u001b[2J\n" + "x\n".repeat(9));
    assertThat(
            tail.reasonOfEnd(Instant.now(), Stores.servers(EtcdStore.STORE).kinds().get(0).log()))
        .hasValue("panic: \\x1b[2J");
  }

  @Test
  void a_zookeeper_server_gets_its_jars_and_nothing_of_ours() throws IOException {
    String classPath = System.getProperty("java.class.path");
    String needed = ServerClassPath.of(classPath);
    assertThat(needed).contains("zookeeper-3.9.5.jar", "metrics-core-", "snappy-java-");
    assertThat(needed.split(File.pathSeparator)).noneMatch(entry -> entry.contains("bench-core"));

    Path pathing = directory.resolve("with space/booter.jar");
    Files.createDirectories(pathing.getParent());
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    StringBuilder others = new StringBuilder();
    for (String entry : classPath.split(File.pathSeparator)) {
      others.append(Path.of(entry).toUri()).append(' ');
    }
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, others.toString());
    try (OutputStream out = Files.newOutputStream(pathing);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      jar.flush();
    }
    assertThat(ServerClassPath.of(pathing.toString())).isEqualTo(needed);
  }

  @Test
  void a_class_path_without_zookeeper_is_a_clear_error() {
    assertThatThrownBy(() -> ServerClassPath.of(directory.toString()))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith(
            "a ZooKeeper server cannot be run: the class path has no jar of zookeeper, ");
  }
}
