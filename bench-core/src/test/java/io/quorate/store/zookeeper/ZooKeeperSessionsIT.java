// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.Session;
import io.quorate.store.SessionContract;

final class ZooKeeperSessionsIT extends SessionContract {
  ZooKeeperSessionsIT() {
    super(ZooKeeperStore.STORE);
  }

  @Override
  protected void endInStore(Session session) {
    ZooKeeperDriverIT.end(((ZooKeeperSessions.Handle) session).connection());
  }
}
