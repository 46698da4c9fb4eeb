// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.cluster.Cluster;
import io.quorate.cluster.TestServers;
import io.quorate.load.Connector;
import io.quorate.load.workload.KeyRemoval;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.LimitedUser;
import io.quorate.store.StoreClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user of ZooKeeper with rights below {@code /quorate}, who may create nothing else. */
class ZooKeeperLimitedUserIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void runs_below_a_node_that_was_made_for_this_user() throws Exception {
    try (Cluster cluster = TestServers.start(ZooKeeperStore.STORE, 1, directory)) {
      Endpoint server = cluster.members().get(0).endpoint();
      ZooKeeperAdministrator administrator = new ZooKeeperAdministrator(server, Access.PLAIN);
      Access limited = new Access(Optional.empty(), administrator.addUser());

      new LimitedUser(ZooKeeperStore.STORE, server, limited).runs();

      assertThat(administrator.left()).isEmpty();
      assertThatThrownBy(() -> enter(server, limited, "other/it/"))
          .hasMessageContaining("ZooKeeper does not let this user create nodes below /");
    }
  }

  private static void enter(Endpoint server, Access access, String prefix) {
    try (StoreClient client = ZooKeeperStore.STORE.clients().get(0).start()) {
      KeyRemoval.enter(
          new Connector(client, List.of(server), LIMIT, access),
          ZooKeeperStore.STORE.capabilities().range(),
          prefix);
    }
  }
}
