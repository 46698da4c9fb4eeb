// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.LockContract;

@RequiresDatabase("zookeeper")
final class ZooKeeperLocksIT extends LockContract {
  ZooKeeperLocksIT() {
    super(ZooKeeperStore.STORE, "tcp", "curator");
  }
}
