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
import io.quorate.store.driver.EventLoops;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.CreateTTLRequest;
import org.apache.zookeeper.proto.GetChildrenRequest;
import org.apache.zookeeper.proto.SyncRequest;
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

  @Test
  void a_key_that_cannot_be_a_node_is_rejected() {
    RecordedCompletion refused =
        started(done -> open().submit(Request.create(utf8("."), utf8("v")), done));

    assertThat(refused.outcome()).isEqualTo("failed:REJECTED");
    assertThat(refused.message()).isEqualTo("BADARGUMENTS");
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
    try (var library = LibraryHandle.open(endpoint(), Access.PLAIN)) {
      ZooKeeper handle = library.handle();
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
    try (var library = LibraryHandle.open(endpoint(), Access.PLAIN);
        StoreClient client = ZooKeeperStore.STORE.clients().get(0).start()) {
      ZooKeeper handle = library.handle();
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
    var settings = new DriverSettings(endpoint(), LIMIT, LIMIT, Access.PLAIN);
    try (EventLoops loops = EventLoops.ofSockets("zookeeper-it");
        var session = open(settings, loops)) {
      long first = session.session();
      end(session);

      await("a new session", () -> session.session() != first && KeyNodes.exists(session, "/"));
    }
  }

  /** Lets the server end a session without the knowledge of its client, as if it had expired. */
  static void end(ZooKeeperConnection session) {
    session.send(new ZooKeeperCall(OpCode.closeSession, new SyncRequest("/not-read"), reply -> {}));
  }

  private static ZooKeeperConnection open(DriverSettings settings, EventLoops loops) {
    return ZooKeeperConnection.open(
        "zookeeper", settings, loops, Optional.empty(), ZooKeeperConnection.Listener.NONE);
  }

  @Test
  void nodes_of_all_kinds_are_created_checked_and_listed() throws Exception {
    var settings = new DriverSettings(endpoint(), LIMIT, LIMIT, Access.PLAIN);
    try (EventLoops loops = EventLoops.ofSockets("zookeeper-it");
        var session = open(settings, loops)) {
      assertThat(KeyNodes.create(session, "/kinds", new byte[0]).isOk()).isTrue();
      for (CreateMode mode : CreateMode.values()) {
        boolean named = mode.isTTL();
        var plain =
            new CreateRequest(
                "/kinds/" + mode, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, mode.toFlag());
        var timed =
            new CreateTTLRequest(
                "/kinds/" + mode, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, mode.toFlag(), 9_000);
        int type =
            mode == CreateMode.CONTAINER
                ? OpCode.createContainer
                : named ? OpCode.createTTL : OpCode.create2;
        String outcome = session.call(type, named ? timed : plain, ZooKeeperReply::toString);
        assertThat(outcome).as(mode.name()).isEqualTo("OK");
      }
      var checks =
          new MultiOperationRecord(
              List.of(Op.check("/kinds", 0), Op.delete("/kinds/PERSISTENT", 0)));
      assertThat(session.call(OpCode.multi, checks, ZooKeeperReply::isOk)).isTrue();
      List<String> left =
          session.call(
              OpCode.getChildren,
              new GetChildrenRequest("/kinds", false),
              ZooKeeperReply::children);
      assertThat(left)
          .containsExactlyInAnyOrder(
              "CONTAINER",
              "EPHEMERAL",
              "PERSISTENT_SEQUENTIAL0000000001",
              "EPHEMERAL_SEQUENTIAL0000000003",
              "PERSISTENT_WITH_TTL",
              "PERSISTENT_SEQUENTIAL_WITH_TTL0000000006");
    }
  }
}
