// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static io.quorate.store.ConnectionContract.ended;
import static io.quorate.store.ConnectionContract.freshKey;
import static io.quorate.store.ConnectionContract.utf8;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.SharedCluster;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.server.Figure;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.LibraryHandle;
import io.quorate.store.zookeeper.NodeLayout;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how many requests of which kind reach a server for each operation, by its own counters. */
final class RequestCountsIT {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long TIMES = 30;

  /** Pings of sessions, and the questions of the test itself. */
  private static final long OTHER_PACKETS = 20;

  private final List<StoreClient> clients = new ArrayList<>();

  @AfterEach
  void closeClients() {
    clients.forEach(StoreClient::close);
  }

  @Test
  @RequiresDatabase("etcd")
  void every_operation_is_one_request_to_etcd() {
    Cluster cluster = SharedCluster.of(EtcdStore.STORE);
    try (Connection driver = open(cluster)) {
      Endpoint server = cluster.members().get(0).endpoint();
      byte[] key = freshKey();
      assertThat(atEtcd(server, done -> driver.submit(Request.create(key, utf8("v")), done)))
          .isEqualTo(Map.of("Put", TIMES));
      assertThat(atEtcd(server, done -> driver.submit(Request.update(key, utf8("v")), done)))
          .isEqualTo(Map.of("Put", TIMES));
      for (ReadConsistency consistency : ReadConsistency.values()) {
        assertThat(atEtcd(server, done -> driver.submit(new Request.Get(key, consistency), done)))
            .isEqualTo(Map.of("Range", TIMES));
      }
      var range = new Request.Range(key, 3, ReturnedValue.ENTRIES, ReadConsistency.LINEARIZABLE);
      assertThat(atEtcd(server, done -> driver.submit(range, done)))
          .isEqualTo(Map.of("Range", TIMES));
      assertThat(atEtcd(server, done -> driver.submit(range.inChunks(true), done)))
          .isEqualTo(Map.of("RangeStream", TIMES));
      var exists = new Request.Exists(key, ReadConsistency.LINEARIZABLE);
      assertThat(atEtcd(server, done -> driver.submit(exists, done)))
          .isEqualTo(Map.of("Range", TIMES));
      var revision = new Request.Revision(freshKey(), ReadConsistency.LINEARIZABLE);
      assertThat(atEtcd(server, done -> driver.submit(revision, done)))
          .isEqualTo(Map.of("Range", TIMES));
      var compared = new Request.CompareAndSet(key, utf8("w"), 1);
      assertThat(atEtcd(server, done -> driver.submit(compared, done)))
          .isEqualTo(Map.of("Txn", TIMES));
      assertThat(atEtcd(server, done -> driver.submit(txn(), done)))
          .isEqualTo(Map.of("Txn", TIMES));
      assertThat(atEtcd(server, done -> driver.submit(new Request.Delete(key), done)))
          .isEqualTo(Map.of("DeleteRange", TIMES));
      assertThat(ended(done -> driver.submit(new Request.Delete(freshKey()), done)))
          .isEqualTo("missing");
      assertThat(ended(done -> driver.submit(Request.create(freshKey(), new byte[2 << 20]), done)))
          .isEqualTo("failed:REJECTED");
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void a_watch_that_is_restarted_alone_is_another_stream() {
    Cluster cluster = SharedCluster.of(EtcdStore.STORE);
    Endpoint server = cluster.members().get(0).endpoint();
    StoreClient client = EtcdStore.STORE.clients().get(0).start();
    clients.add(client);
    try (Connection writer = open(cluster);
        Subscriptions stream =
            client.subscribe(new DriverSettings(server, LONG, LONG, Access.PLAIN))) {
      RecordedWatch watcher = WatchContract.watching(stream, Watch.ofKey(freshKey()));
      long before = ServerCounters.ofEtcd(server).get("Watch");
      long open = streams(server);
      for (int time = 1; time <= 3; time++) {
        long expected = before + time;
        stream.restart(watcher);
        WatchContract.await(
            "the next stream", () -> ServerCounters.ofEtcd(server).get("Watch") == expected);
        // a watch that is not in place is not restarted; one that begins with the next revision
        // has no progress before that
        int reported = watcher.progress().size();
        WatchContract.await(
            "the watch",
            () -> {
              ended(done -> writer.submit(Request.create(freshKey(), utf8("v")), done));
              stream.requestProgress();
              return watcher.progress().size() > reported;
            });
      }
      WatchContract.await("the end of the earlier streams", () -> streams(server) <= open);
    }
  }

  /** Returns how many streams of watches etcd has. */
  private static long streams(Endpoint etcd) {
    try {
      return Figure.sum(
          HttpResponseText.content(etcd, Access.PLAIN, "/metrics", Map.of(), LONG),
          "etcd_debugging_mvcc_watch_stream_total");
    } catch (IOException unreachable) {
      throw new UncheckedIOException(unreachable);
    }
  }

  @Test
  void a_linearizable_read_is_two_requests_to_zookeeper_and_every_other_operation_one()
      throws Exception {
    Cluster cluster = SharedCluster.of(ZooKeeperStore.STORE);
    try (Connection driver = open(cluster)) {
      Endpoint server = cluster.members().get(0).endpoint();
      byte[] key = freshKey();
      assertAtZooKeeper(
          server, 1, done -> driver.submit(Request.create(freshKey(), utf8("v")), done));
      assertThat(ended(done -> driver.submit(Request.create(key, utf8("v")), done)))
          .isEqualTo("written");
      assertAtZooKeeper(server, 1, done -> driver.submit(Request.update(key, utf8("v")), done));
      assertAtZooKeeper(
          server,
          2,
          done -> driver.submit(new Request.Get(key, ReadConsistency.LINEARIZABLE), done));
      assertAtZooKeeper(
          server, 1, done -> driver.submit(new Request.Get(key, ReadConsistency.DEFAULT), done));
      assertAtZooKeeper(
          server,
          1,
          done -> driver.submit(new Request.Get(key, ReadConsistency.SERIALIZABLE), done));
      assertAtZooKeeper(
          server,
          2,
          done -> driver.submit(new Request.Exists(key, ReadConsistency.LINEARIZABLE), done));
      assertAtZooKeeper(
          server,
          1,
          done -> driver.submit(new Request.Exists(key, ReadConsistency.SERIALIZABLE), done));
      assertAtZooKeeper(server, 1, done -> driver.submit(new Request.Delete(freshKey()), done));
      assertAtZooKeeper(
          server,
          1,
          done -> driver.submit(new Request.CompareAndSet(key, utf8("w"), 1_000_000), done));
      assertAtZooKeeper(server, 1, done -> driver.submit(txn(), done));

      assertThat(ended(done -> driver.submit(new Request.Delete(freshKey()), done)))
          .isEqualTo("missing");
      try (var session = LibraryHandle.open(server, Access.PLAIN)) {
        assertThat(session.handle().getData("/" + text(key), false, null)).isEqualTo(utf8("v"));
        assertThat(sync(session.handle(), "/" + text(freshKey()))).isEqualTo(Code.OK);
      }
      assertThat(ended(done -> driver.submit(Request.create(freshKey(), new byte[2 << 20]), done)))
          .isEqualTo("failed:CONNECTION");
    }
  }

  @Test
  @RequiresDatabase("consul")
  void a_write_is_one_entry_in_the_log_of_consul() {
    Cluster cluster = SharedCluster.of(ConsulStore.STORE);
    try (Connection driver = open(cluster)) {
      Endpoint server = cluster.members().get(0).endpoint();
      byte[] key = freshKey();
      assertThat(ended(done -> driver.submit(Request.create(key, utf8("v")), done)))
          .isEqualTo("written");
      assertThat(ServerCounters.http(server, "/v1/kv/" + text(key) + "?raw")).isEqualTo("v");
      long before = ServerCounters.logIndexOfConsul(server, text(key));
      for (int time = 1; time <= TIMES; time++) {
        String value = "v" + time;
        assertThat(ended(done -> driver.submit(Request.update(key, utf8(value)), done)))
            .isEqualTo("written");
      }
      assertThat(ServerCounters.logIndexOfConsul(server, text(key)) - before)
          .isBetween(TIMES, TIMES + OTHER_PACKETS);
      assertThat(ended(done -> driver.submit(new Request.Delete(freshKey()), done)))
          .isEqualTo("written");
      System.out.println(
          "NOT CHECKED RequestCountsIT: requests of a read to Consul; it counts none");
    }
  }

  @Test
  @RequiresDatabase({"etcd", "zetcd"})
  void zetcd_asks_etcd_for_transactions_and_has_a_thousand_directories() throws Exception {
    Cluster cluster = SharedCluster.of(ZetcdStore.STORE);
    try (Connection driver = open(cluster)) {
      Member member = cluster.members().get(0);
      Endpoint etcd = member.servers().get(1).endpoint();
      byte[] key = freshKey();
      assertThat(ended(done -> driver.submit(Request.create(key, utf8("v")), done)))
          .isEqualTo("written");
      assertThat(
              atEtcd(
                  etcd,
                  done -> driver.submit(new Request.Get(key, ReadConsistency.SERIALIZABLE), done)))
          .isEqualTo(Map.of("Txn", TIMES));
      assertThat(
              atEtcd(
                  etcd, done -> driver.submit(new Request.Get(key, ReadConsistency.DEFAULT), done)))
          .isEqualTo(Map.of("Txn", TIMES));
      assertThat(
              atEtcd(
                  etcd,
                  done -> driver.submit(new Request.Get(key, ReadConsistency.LINEARIZABLE), done)))
          .isEqualTo(Map.of("Range", TIMES, "Txn", TIMES));
      assertThat(atEtcd(etcd, done -> driver.submit(Request.create(freshKey(), utf8("v")), done)))
          .isEqualTo(Map.of("Txn", 2 * TIMES));
      assertThat(atEtcd(etcd, done -> driver.submit(Request.update(key, utf8("w")), done)))
          .isEqualTo(Map.of("Txn", 3 * TIMES));

      assertThat(ended(done -> driver.submit(new Request.Delete(freshKey()), done)))
          .isEqualTo("missing");
      try (var session = LibraryHandle.open(member.endpoint(), Access.PLAIN)) {
        String path = new NodeLayout.Directories().path(key);
        assertThat(path).matches("/\\d{3}/" + text(key));
        assertThat(session.handle().getData(path, false, null)).isEqualTo(utf8("w"));
        assertThat(session.handle().getChildren("/", false))
            .filteredOn(name -> name.matches("\\d{3}"))
            .hasSize(1_000);
        assertThat(sync(session.handle(), path)).isEqualTo(Code.OK);
        assertThat(sync(session.handle(), "/" + text(freshKey()))).isEqualTo(Code.NONODE);
      }
    }
  }

  private static Request.Txn txn() {
    return new Request.Txn(
        List.of(Request.create(freshKey(), utf8("v")), Request.create(freshKey(), utf8("v"))));
  }

  private Connection open(Cluster cluster) {
    StoreClient client = cluster.database().clients().get(0).start();
    clients.add(client);
    Endpoint server = cluster.members().get(0).endpoint();
    return client.open(new DriverSettings(server, LONG, LONG, Access.PLAIN));
  }

  /** Returns the requests that etcd receives, by kind, while a request is made several times. */
  private static Map<String, Long> atEtcd(Endpoint etcd, Consumer<Completion> request) {
    Map<String, Long> before = ServerCounters.ofEtcd(etcd);
    repeat(request);
    Map<String, Long> received = new TreeMap<>();
    ServerCounters.ofEtcd(etcd)
        .forEach((method, count) -> received.put(method, count - before.getOrDefault(method, 0L)));
    received.values().removeIf(count -> count == 0);
    return received;
  }

  private static void assertAtZooKeeper(
      Endpoint server, int packets, Consumer<Completion> request) {
    long before = ServerCounters.ofZooKeeper(server);
    repeat(request);
    assertThat(ServerCounters.ofZooKeeper(server) - before)
        .isBetween(packets * TIMES, packets * TIMES + OTHER_PACKETS);
  }

  private static void repeat(Consumer<Completion> request) {
    for (int time = 0; time < TIMES; time++) {
      // an end of any kind: what it should be is the driver contract's
      ended(request);
    }
  }

  private static Code sync(ZooKeeper handle, String path) throws Exception {
    var code = new CompletableFuture<Code>();
    handle.sync(path, (number, name, context) -> code.complete(Code.get(number)), null);
    return code.get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  private static String text(byte[] key) {
    return new String(key, ISO_8859_1);
  }
}
