// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.store.zookeeper.ZooKeeperStore;

final class ZooKeeperFailoverIT extends FailoverContract {
  ZooKeeperFailoverIT() {
    super(ZooKeeperStore.STORE, true);
  }
}
