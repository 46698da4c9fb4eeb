// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.TestServers;
import io.quorate.store.Access;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.NetworkedConnectionContract;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ZooKeeperDriverIT extends NetworkedConnectionContract {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir(factory = MemoryBackedDirectory.class)
  private static Path directory;

  private Cluster cluster;

  ZooKeeperDriverIT() {
    super(ZooKeeperStore.STORE, true);
  }

  /** A separate server, as tests count nodes of its root and change their access. */
  @Override
  protected Endpoint startServer() {
    cluster = TestServers.start(ZooKeeperStore.STORE, 1, directory);
    return cluster.members().get(0).endpoint();
  }

  @AfterAll
  void stopServer() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Override
  protected boolean writesOnEventLoop() {
    return false; // but on the thread of the session that sends
  }

  @Test
  void what_the_client_library_refuses_to_send_ends_too_and_is_not_thrown() {
    RecordedCompletion refused =
        started(done -> open().submit(Request.create(utf8("."), utf8("v")), done));

    assertThat(refused.outcome()).isEqualTo("failed:OTHER");
    assertThat(refused.message())
        .startsWith("IllegalArgumentException: Invalid path string \"/.\"");
    assertThat(refused.timesTold()).isEqualTo(1);
  }

  @Test
  void what_a_server_tells_of_itself_does_not_grow_with_its_keys() throws Exception {
    var internals = new ZooKeeperInternals();
    internals.ask(endpoint(), Access.PLAIN, LIMIT);
    int before = FourLetterWord.MNTR.ask(endpoint(), Access.PLAIN, LIMIT).length();
    Connection driver = open();
    for (int key = 0; key < 200; key++) {
      int each = key;
      assertThat(
              ended(done -> driver.submit(Request.create(utf8("grows-" + each), utf8("v")), done)))
          .isEqualTo("written");
    }

    String answer = FourLetterWord.MNTR.ask(endpoint(), Access.PLAIN, LIMIT);
    assertThat(answer).doesNotContain("grows-").hasSizeLessThan(before + 1_000);
    assertThat(internals.ask(endpoint(), Access.PLAIN, LIMIT))
        .containsKeys("zk_fsynctime_p50", "zk_fsynctime_p99", "zk_cnt_fsynctime")
        .doesNotContainKey("zk_quorum_ack_latency_p99");
  }

  @Test
  void the_check_of_the_access_creates_no_node() throws Exception {
    try (var session = ZooKeeperSession.open("zookeeper", endpoint(), LIMIT)) {
      ZooKeeper handle = session.requireHandle();
      int before = handle.exists("/", false).getCversion();

      assertThat(
              new ZooKeeperProtocol(ZooKeeperProtocol.Product.ZOOKEEPER)
                  .obstacle(endpoint(), Access.PLAIN, "quorate/it/", LIMIT))
          .isEmpty();
      assertThat(handle.exists("/", false).getCversion()).isEqualTo(before);
    }
  }

  @Test
  void nodes_of_a_prefix_that_may_not_be_created_are_refused_with_what_to_do() throws Exception {
    var settings = new DriverSettings(endpoint(), LIMIT, LIMIT, Access.PLAIN);
    try (var session = ZooKeeperSession.open("zookeeper", endpoint(), LIMIT);
        StoreClient client = ZooKeeperStore.STORE.clients().get(0).start()) {
      ZooKeeper handle = session.requireHandle();
      int allButCreate = ZooDefs.Perms.ALL & ~ZooDefs.Perms.CREATE;
      var acl = new ACL(allButCreate, ZooDefs.Ids.ANYONE_ID_UNSAFE);
      // the client asks a list whether it contains null
      handle.setACL("/", Arrays.asList(acl), -1);
      try {
        assertThatThrownBy(() -> client.enter(settings, "quorate/it/"))
            .hasMessage(
                "cannot create the node /quorate/it: ZooKeeper does not let us create nodes below"
                    + " /: name a user that may");
      } finally {
        handle.setACL("/", ZooDefs.Ids.OPEN_ACL_UNSAFE, -1);
      }
    }
  }

  @Test
  void a_session_that_the_server_ended_is_replaced() throws Exception {
    try (var session = ZooKeeperSession.open("zookeeper", endpoint(), LIMIT)) {
      ZooKeeper first = session.handle();
      var twin =
          new ZooKeeper(
              endpoint().toString(),
              20_000,
              event -> {},
              first.getSessionId(),
              first.getSessionPasswd());
      await("the twin", () -> twin.getState().isConnected());
      twin.close();

      await("a new session", () -> session.handle() != null && session.handle() != first);
    }
  }
}
