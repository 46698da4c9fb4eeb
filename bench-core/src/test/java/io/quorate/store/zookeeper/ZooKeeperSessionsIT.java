// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.Session;
import io.quorate.store.SessionContract;
import org.apache.zookeeper.ZooKeeper;

final class ZooKeeperSessionsIT extends SessionContract {
  ZooKeeperSessionsIT() {
    super(ZooKeeperStore.STORE);
  }

  /** Closes a handle with the same session. */
  @Override
  protected void endInStore(Session session) throws Exception {
    ZooKeeper first = ((ZooKeeperSessions.Handle) session).handle();
    var twin =
        new ZooKeeper(
            endpoint().toString(),
            first.getSessionTimeout(),
            event -> {},
            first.getSessionId(),
            first.getSessionPasswd());
    await("the twin", () -> twin.getState().isConnected());
    twin.close();
  }
}
